import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../package/source-files.ts";
import { examplesIn, type Example } from "./documents.ts";
import { writeExampleFolder, type ExampleFolder } from "./example-folder.ts";

const RUNNER = fileURLToPath(new URL("run-examples.mjs", import.meta.url));
const LONGEST_MS = 120_000;

const run = promisify(execFile);
const examples = [...examplesIn("ts"), ...examplesIn("js")];
const executable = examples.filter(({ marks }) => marks.includes("run"));

/** Shows that the compiler looks. */
const MISTAKE: Example = {
  place: "mistake",
  language: "ts",
  marks: [],
  text: 'import { createExecutor } from "wavepoint";\ncreateExecutor({ stoer: 1 });\n',
};

let folder: ExampleFolder;
beforeAll(() => {
  folder = writeExampleFolder([...examples, MISTAKE]);
});
afterAll(() => folder.remove());

/** What an example says that it prints: the comments behind its `console.log`, several lines of one call divided by "|". */
function promised({ text }: Example): readonly string[] {
  return [...text.matchAll(/\/\/ prints: (.+)$/gm)].flatMap(([, lines]) => lines!.split(" | "));
}

test("there are examples, and some of them run", () => {
  expect(examples.length).toBeGreaterThan(8);
  expect(executable.length).toBeGreaterThan(4);
  for (const example of executable) expect(promised(example), example.place).not.toEqual([]);
});

test("every example has the types of the package", { timeout: LONGEST_MS }, async () => {
  const compiler = `${ROOT}node_modules/typescript/bin/tsc`;
  const told = await run(process.execPath, [compiler, "--singleThreaded", "-p", folder.path], { cwd: folder.path }).catch(
    (error: { readonly stdout: string }) => error,
  );
  // What is wrong in the package itself is found by its own check.
  const problems = told.stdout.split("\n").filter((line) => /^[^.\s]/.test(line));
  expect(problems.filter((line) => !line.startsWith(folder.nameOf(MISTAKE)))).toEqual([]);
  expect(problems).toHaveLength(1);
});

test("examples that run print what they say", { timeout: LONGEST_MS }, async () => {
  const files = executable.map((example) => join(folder.path, folder.nameOf(example)));
  const { stdout } = await run(process.execPath, [RUNNER, ...files], { cwd: folder.path });
  const printed = JSON.parse(stdout) as readonly (readonly string[])[];
  expect(executable.map(({ place }, i) => [place, printed[i]!.toSorted()])).toEqual(
    executable.map((example) => [example.place, promised(example).toSorted()]),
  );
});

describe("the wizard of the first page", () => {
  const shown = [...examplesIn("ts"), ...examplesIn("yaml")].map(({ text }) => text);

  test.each(["main.ts", "sign-up.yaml"])("shows %s as it is", (name) => {
    expect(shown).toContain(readFileSync(`${ROOT}examples/wizard/${name}`, "utf8"));
  });
});

describe("the pages of the guides", () => {
  const folder = `${ROOT}docs/guide/pages/`;
  const parts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => /\.(?:ts|yaml)$/.test(path));
  const shown = ["ts", "d.ts", "yaml"].flatMap(examplesIn).filter(({ place }) => place.startsWith("docs/"));
  const html = examplesIn("html").filter(({ place }) => place.startsWith("docs/start.md"));

  test("are there", () => {
    expect(parts.length).toBeGreaterThan(3);
  });

  test("show the whole document of the first one", () => {
    expect(html.map(({ text }) => text)).toEqual([readFileSync(`${folder}start/index.html`, "utf8")]);
  });

  test.each(parts)("show %s as it is", (path) => {
    expect(shown.map(({ text }) => text)).toContain(readFileSync(folder + path, "utf8"));
  });
});
