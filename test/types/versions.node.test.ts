import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildCopy } from "../package/built-copy.ts";
import { ROOT } from "../package/source-files.ts";
import type { Built } from "../support/build-once.ts";
import { writeLargeWorkflow } from "./large-workflow.ts";

// The others take seconds each.
const NEWEST = "typescript";
const COMPILERS = process.env["WAVEPOINT_LONG"] === undefined ? [NEWEST] : ["typescript-5.7", "typescript-5.9", "typescript-6", NEWEST];

/** What a block of a workflow may cost the compiler, in types that it makes of others. */
const INSTANTIATIONS_A_BLOCK = 1_000;

let copy: Built;
beforeAll(() => {
  copy = buildCopy();
  // As it is where it was installed.
  mkdirSync(`${copy.folder}node_modules`);
  symlinkSync(copy.folder, `${copy.folder}node_modules/wavepoint`);
}, 60_000);
afterAll(() => copy.remove());

/** What a version of the compiler says to modules that use the package as it is published. */
function compile(compiler: string, files: { readonly [name: string]: string }): string {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    lib: ["es2022", "dom"],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(`${copy.folder}${name}`, text);
  writeFileSync(`${copy.folder}tsconfig.json`, JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  const tsc = [`${ROOT}node_modules/${compiler}/bin/tsc`, "-p", ".", "--pretty", "false", "--extendedDiagnostics"];
  return spawnSync(process.execPath, tsc, { cwd: copy.folder, encoding: "utf8" }).stdout;
}

function read(name: string): string {
  return readFileSync(`${ROOT}test/types/${name}`, "utf8");
}

/** The errors, each with the lines that explain it. */
function errorsIn(told: string): readonly string[] {
  return told.split(/\n(?! )/).filter((error) => error.includes(": error "));
}

const SEAT = `name: seat
inputs:
  days: { type: integer }
  class: { type: string, enum: [first, second], default: second }
blocks:
  - { id: side, type: AskChoice, inputs: { question: "Which side, in \${inputs.class} class?", choices: [window, aisle] } }
  - { id: who, type: Form, depends_on: [side], inputs: { prompt: Who?, fields: [{ name: age, type: integer }, { name: note, required: false }] } }
outputs:
  side: \${blocks.side.choice}
  note: \${blocks.who.note}
  days: \${inputs.days}
`;

const SEAT_USED = `import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
export async function use(name: string): Promise<void> {
  const executor = createExecutor({ store: memoryStore() });
  const run = await executor.start("seat", { days: 2, class: "first" });
  for (const pause of run.getSnapshot().pauses) {
    if (pause.type === "AskChoice") await run.answer(pause.id, "aisle");
    // @ts-expect-error The age is a number.
    else await run.answer(pause.id, { age: "3" });
  }
  const { outputs } = await run.settled();
  outputs satisfies { side: "window" | "aisle"; note: string | null; days: number } | undefined;
  // @ts-expect-error There is no such output.
  outputs?.seat;
  // @ts-expect-error The days are missing.
  await executor.start("seat", { class: "first" });
  await executor.start("other", { any: 1 });
  await executor.start(name);
}
`;

describe.each(COMPILERS)("%s", (compiler) => {
  test("knows the types of a workflow, and says what is wrong with one, at its place", { timeout: 60_000 }, () => {
    const lines = read("workflow-mistakes.ts").split("\n");
    const expected = lines.flatMap((line, i) => {
      const message = /^\s*\/\/ @ts-expect-error (.*)$/.exec(line)?.[1];
      return message === undefined ? [] : [{ place: `mistakes.ts(${i + 2},`, message }];
    });
    expect(expected.length).toBeGreaterThan(20);
    const mistakes = lines.map((line) => line.replace("@ts-expect-error", "")).join("\n");
    const errors = errorsIn(compile(compiler, { "mistakes.ts": mistakes, "types.ts": read("workflow-types.ts") }));
    const untold = expected.filter(({ place, message }) => !errors.some((error) => error.startsWith(place) && error.includes(message)));
    expect(untold, errors.join("\n")).toEqual([]);
    expect(errors, errors.join("\n")).toHaveLength(expected.length);
  });

  test("knows workflows of YAML files from what `wavepoint types` writes", { timeout: 60_000 }, () => {
    writeFileSync(`${copy.folder}seat.yaml`, SEAT);
    const written = spawnSync(process.execPath, ["cli.js", "types", "seat.yaml"], { cwd: copy.folder, encoding: "utf8" });
    expect(written).toMatchObject({ status: 0, stderr: "" });
    expect(errorsIn(compile(compiler, { "seats.d.ts": written.stdout, "used.ts": SEAT_USED }))).toEqual([]);
  });

  test("checks 200 blocks at a cost in proportion", { timeout: 60_000 }, () => {
    const told = compile(compiler, { "large.ts": writeLargeWorkflow(200) });
    expect(errorsIn(told)).toEqual([]);
    expect(Number(/Instantiations:\s+(\d+)/.exec(told)![1])).toBeLessThan(200 * INSTANTIATIONS_A_BLOCK);
  });
});
