import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";
import { CASES } from "./case-files.ts";
import { runCase } from "./run-case.ts";

const root = await mkdtemp(join(tmpdir(), "wavepoint-cases-"));
afterAll(() => rm(root, { recursive: true, force: true }));

describe("cases on the filesystem store, opened again before every answer", () => {
  it.each(CASES)("$name", async (found) => {
    expect(await runCase(found, async () => filesystemStore(join(root, found.name)), { reopen: true })).toEqual([]);
  });
});
