import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { loadWorkflow } from "wavepoint/yaml";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

const ASK = "name: ask\nblocks:\n  - { id: who, type: GetInput, inputs: { prompt: Who? } }\n";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wavepoint-short-ids-"));
  writeFileSync(join(home, "ask.yaml"), ASK);
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

async function call(...args: readonly string[]) {
  const terminal = recordedTerminal();
  const code = await runCommandLine([...args, "--store", join(home, "store")], terminal);
  return { code, ...terminal.written };
}

async function startRun(): Promise<string> {
  const { out } = await call("run", join(home, "ask.yaml"), "--json");
  return (JSON.parse(out) as { readonly run: string }).run;
}

/** Runs differ by the random half of their ids, which follows ten digits of time. */
const shortened = (run: string) => run.slice(0, "run_".length + 18);

test("commands take the beginning of an id that only one run has", async () => {
  const run = await startRun();
  const short = shortened(run);
  const pause = `${short.replace("run_", "pause_")}.0`;
  expect(JSON.parse((await call("show", short, "--json")).out)).toMatchObject({ run, status: "paused" });
  expect((await call("show", "run_0", "--json")).code).toBe(0);
  expect((await call("resume", pause, "Ada")).code).toBe(0);
  expect((await call("fork", pause, "--answer", `${pause}=Bo`)).code).toBe(0);
  expect((await call("run", join(home, "ask.yaml"), "--after", short)).code).toBe(3);
  expect((await call("delete", short)).err).toBe(`Deleted ${run}.\n`);
  expect((await call("show", run)).code).toBe(2);
});

test("where several runs begin so they are named, and nothing is done", async () => {
  const runs = [await startRun(), await startRun()];
  const { code, err } = await call("cancel", "run_0");
  expect(code).toBe(2);
  expect(err).toContain("2 runs begin with run_0:");
  for (const run of runs) {
    expect(err).toContain(run);
    expect(JSON.parse((await call("show", run, "--json")).out)).toMatchObject({ status: "paused" });
  }
});

test("an id that was chosen is never meant by its beginning", async () => {
  const store = filesystemStore(join(home, "store"));
  const executor = createExecutor({ store });
  await (await executor.start(loadWorkflow(ASK), {}, { id: "order12" })).settled();
  await executor.close();
  await store.close();
  const { code, err } = await call("resume", "run_order1", "Ada");
  expect(code).toBe(2);
  expect(err).toContain("RUN_NOT_FOUND");
  expect((await call("resume", "run_order12", "Ada")).code).toBe(0);
});
