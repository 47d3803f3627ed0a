import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-show-"));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function call(...args: readonly string[]) {
  const terminal = recordedTerminal();
  const code = await runCommandLine([...args, "--store", join(directory, "store")], terminal);
  return { code, ...terminal.written };
}

test("a run is shown with the policy that its workflow gave it", async () => {
  const file = join(directory, "short.yaml");
  const policy = "policy: { durability: async, retention: windowed, window: 3, max_checkpoint_bytes: 5000 }";
  writeFileSync(file, `name: short\n${policy}\nblocks:\n  - { id: a, type: EchoBlock, inputs: { message: hi } }\n`);
  const { run } = JSON.parse((await call("run", file, "--json")).out) as { readonly run: string };
  const { code, out } = await call("show", run);
  expect(code).toBe(0);
  expect(out).toMatch(/^Policy\s+durability async, retention windowed, window 3, at most 5000 characters$/m);
  expect(JSON.parse((await call("show", run, "--json")).out)).toMatchObject({ policy: { retention: "windowed", window: 3 } });
});

test("a block that called a workflow several times is shown with each of the called runs", async () => {
  const file = join(directory, "many.yaml");
  writeFileSync(
    file,
    `name: many
blocks:
  - id: part
    type: ExecuteWorkflow
    inputs: { workflow: one }
    repeat_while: \${blocks.part.metadata.iterations} < 3
`,
  );
  writeFileSync(join(directory, "one.yaml"), "name: one\nblocks:\n  - { id: a, type: EchoBlock, inputs: { message: hi } }\n");
  const { run } = JSON.parse((await call("run", file, "--json")).out) as { readonly run: string };
  const { out } = await call("show", run);
  const called = [...out.matchAll(/^ {6}called (run_\w+)( in iteration \d)?$/gm)];
  expect(called.map(([, , iteration]) => iteration)).toEqual([" in iteration 1", " in iteration 2", undefined]);
  expect(new Set(called.map(([, id]) => id)).size).toBe(3);
  for (const [, id] of called) expect((await call("show", id!)).out).toMatch(/^Called by\s+.*, block part/m);
});
