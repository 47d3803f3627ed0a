import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Values } from "wavepoint";
import { buildCopy } from "../package/built-copy.ts";
import type { Built } from "../support/build-once.ts";
import { ROOT } from "../package/source-files.ts";
import { EXPECTED_RUNS, expectOutputs } from "./expected-runs.ts";
import { openExample, type OpenExample } from "./open-example.ts";
import { exampleFolders, isRun, type ReadmeLine } from "./readme-lines.ts";

/** What programs of examples print. */
const PRINTED: { readonly [line: string]: string } = {
  "node run-by-tags.mjs text lint": [
    "find-blanks (Which lines end with blanks.) 2:Paint the hull",
    "find-long-lines (Which lines are longer than 40 characters.) 3:Ask at the harbour office about a winter berth",
    "",
  ].join("\n"),
};

let built: Built;

beforeAll(() => {
  built = buildCopy();
}, 60_000);

afterAll(() => built.remove());

/** Types a line in the folder of the example and gives what came of it. */
function type({ program, words, environment }: ReadmeLine, cwd: string, more: readonly string[] = []) {
  const args =
    program === "npx"
      ? [`${built.folder}cli.js`, ...words.slice(1), ...more]
      : ["--import", `${ROOT}scripts/corpus/run-from-source.mjs`, ...words];
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, out, err }));
  });
}

async function tryRun(example: OpenExample, folder: string, place: number): Promise<void> {
  const expected = EXPECTED_RUNS[folder]![place]!;
  const answers = join(example.path, "answers.json");
  writeFileSync(answers, JSON.stringify(expected.answers ?? {}));
  const { code, out, err } = await type(example.lines.filter(isRun)[place]!, example.path, ["--json", "--answers", answers]);
  expect(code, err).toBe(0);
  expectOutputs((JSON.parse(out) as { readonly outputs: Values }).outputs, expected);
}

describe.skipIf(process.platform === "win32")("every line of the README of", () => {
  test.each(exampleFolders())("%s does what it says", { timeout: 120_000 }, async (folder) => {
    const example = await openExample(folder);
    onTestFinished(example.close);
    let place = 0;
    for (const line of example.lines) {
      if (isRun(line)) await tryRun(example, folder, place++);
      else {
        const { code, out, err } = await type(line, example.path);
        expect(code, err).toBe(0);
        if (line.program === "node") expect(out).toBe(PRINTED[line.text]);
      }
    }
    expect(place).toBe(EXPECTED_RUNS[folder]!.length);
  });
});
