import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import type { PersonAnswer } from "../../../src/node/cli/terminal.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let directory: string;
let ask: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-encrypted-"));
  ask = join(directory, "ask.yaml");
  writeFileSync(
    ask,
    `name: ask
blocks:
  - { id: ill, type: GetInput, inputs: { prompt: What ails you? } }
  - { id: since, type: GetInput, inputs: { prompt: Since when? }, depends_on: [ill] }
outputs: { ill: "\${blocks.ill.input_value}" }
`,
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => vi.unstubAllEnvs());

async function call(store: string, args: readonly string[], answers?: readonly PersonAnswer[]) {
  const terminal = recordedTerminal(answers);
  const code = await runCommandLine([...args, "--store", join(directory, store)], terminal);
  return { code, ...terminal.written, asked: terminal.asked.map(({ kind, text }) => `${kind}: ${text}`) };
}

/** Everything in the files below a directory. */
function contentOf(store: string): string {
  const files = readdirSync(join(directory, store), { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

test("a store becomes encrypted with a passphrase that is typed twice, and from then on every command asks for it", async () => {
  const begun = await call("typed", ["run", ask, "--encrypted"], ["four words", "four words", "a cough"]);
  expect(begun.asked).toEqual([
    "secret: The passphrase of the store",
    "secret: The same passphrase again",
    "text: What ails you?",
    "text: Since when?",
  ]);
  expect(contentOf("typed")).not.toContain("cough");
  const listed = await call("typed", ["runs"], ["four words"]);
  expect([listed.code, listed.asked]).toEqual([0, ["secret: The passphrase of the store"]]);
  const id = /run_\w+/.exec(listed.out)![0];
  expect(await call("typed", ["runs"], ["a guess"])).toMatchObject({ code: 4, err: expect.stringContaining("passphrase") });
  const shown = await call("typed", ["resume", id, "--encrypted"], ["four words", "yesterday"]);
  expect(shown.out).toContain("ill: a cough");
});

test("in a program the passphrase, or a key, comes from the environment; without one nothing is changed", async () => {
  vi.stubEnv("WAVEPOINT_STORE_PASSPHRASE", "four words");
  const { run } = JSON.parse((await call("words", ["run", ask, "--json"])).out) as { readonly run: string };
  expect((await call("words", ["resume", run, "a cough", "--json"])).code).toBe(3);
  expect(contentOf("words")).not.toContain("cough");
  vi.unstubAllEnvs();
  const before = contentOf("words");
  for (const args of [["runs"], ["cleanup", "--older-than", "1s", "--paused"], ["metrics"], ["delete", run], ["run", ask]]) {
    const refused = await call("words", args);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("WAVEPOINT_STORE_PASSPHRASE")]);
    expect((await call("words", [...args, "--json"], ["four words"])).asked).toEqual([]);
  }
  expect(contentOf("words")).toBe(before);

  vi.stubEnv("WAVEPOINT_STORE_KEY", "too short");
  expect((await call("keyed", ["run", ask])).err).toContain("WAVEPOINT_STORE_KEY holds no key");
  vi.stubEnv("WAVEPOINT_STORE_KEY", Buffer.alloc(32, 7).toString("base64"));
  const keyed = JSON.parse((await call("keyed", ["run", ask, "--json"])).out) as { readonly run: string };
  expect((await call("keyed", ["show", keyed.run])).code).toBe(0);
  expect((await call("words", ["runs"])).code).toBe(4);
});
