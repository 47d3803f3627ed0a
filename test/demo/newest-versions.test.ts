import { expect, test } from "vitest";
import { newestVersions } from "../../demo/newest-versions.ts";
import { NOW, runHead } from "./views.ts";

const version = (id: string, from: string, updatedAt: number) =>
  runHead({ id, updatedAt, fork: { run: from, checkpoint: "pause_a.0", revises: true } });

test("of a run whose answers were changed only the newest version is listed", () => {
  const runs = [version("run_c", "run_b", NOW + 2), version("run_b", "run_a", NOW + 1), runHead({ id: "run_a" }), runHead({ id: "run_x" })];
  expect(newestVersions(runs).map(({ id }) => id)).toEqual(["run_c", "run_x"]);
});

test("versions belong together also where the first one is gone or listed elsewhere", () => {
  const runs = [version("run_b", "run_a", NOW + 2), version("run_c", "run_a", NOW + 1)];
  expect(newestVersions(runs).map(({ id }) => id)).toEqual(["run_b"]);
});

test("a fork is a run of its own", () => {
  const fork = runHead({ id: "run_b", fork: { run: "run_a", checkpoint: "chk_a.0" } });
  expect(newestVersions([fork, runHead()])).toHaveLength(2);
});
