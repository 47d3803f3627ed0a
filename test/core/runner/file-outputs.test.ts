import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, WorkflowError } from "wavepoint";
import type { Files, RunResult, Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkDefinition } from "../../../src/core/definition/check/check-definition.ts";
import { mapFiles } from "../../support/map-files.ts";

type Outputs = NonNullable<Workflow["blocks"][number]["outputs"]>;

/** Leaves its text, if it is given one, in a file of the step's own folder. */
const leave = defineBlock({
  type: "Leave",
  needs: ["files"],
  inputs: { jsonSchema: { type: "object", properties: { text: { type: "string" } } } },
  outputs: { jsonSchema: { type: "object", properties: { own: { type: "string" } }, required: ["own"] } },
  async execute({ inputs, scratch }) {
    if (inputs.text !== undefined) left.set(await scratch(), inputs.text);
    return success({ own: "yes" });
  },
});

/** What stands in the folders of steps, by their paths. */
const left = new Map<string, string>();
let folders = 0;

function withScratch(files: Files): Files & { readonly removed: string[] } {
  const removed: string[] = [];
  return {
    ...files,
    removed,
    async scratch() {
      const path = `/scratch/${(folders += 1)}`;
      return {
        path,
        async read(name) {
          const text = left.get(path);
          if (name !== "left.txt" || text === undefined) throw new WorkflowError("FILE_MISSING", `There is no ${name}.`);
          return { path: name, bytes: new TextEncoder().encode(text) };
        },
        async remove() {
          left.delete(path);
          removed.push(path);
        },
      };
    },
  };
}

function flowOf(outputs: Outputs, text?: string): Workflow {
  return {
    name: "leaving",
    inputs: { folder: { type: "string", default: "out" } },
    blocks: [{ id: "it", type: "Leave", ...(text === undefined ? {} : { inputs: { text } }), outputs }],
    outputs: Object.fromEntries(Object.keys(outputs).map((name) => [name, `\${blocks.it.outputs.${name}}`])),
  };
}

async function runWith(files: Files, flow: Workflow): Promise<RunResult> {
  const executor = createExecutor({ store: memoryStore(), blocks: [leave], workflows: [flow], grants: { files } });
  return (await executor.start(flow.name)).settled();
}

async function errorOf(files: Files, outputs: Outputs, text?: string): Promise<unknown> {
  const result = await runWith(files, flowOf(outputs, text));
  return result.status === "failure" ? `${result.error.code}: ${result.error.message}` : result;
}

describe("an output from a file", () => {
  test("is the text of the file without the line ends at its end", async () => {
    const files = mapFiles({ "out/a.txt": " one\ntwo \r\n\n" });
    expect(await runWith(files, flowOf({ a: { path: "${inputs.folder}/a.txt" } }))).toMatchObject({ outputs: { a: " one\ntwo " } });
  });

  test("stands beside what the block gives itself", async () => {
    const files = mapFiles({ a: "1" });
    const flow = { ...flowOf({ a: { path: "a" } }), outputs: { own: "${blocks.it.outputs.own}", a: "${blocks.it.outputs.a}" } };
    expect(await runWith(files, flow)).toMatchObject({ outputs: { own: "yes", a: "1" } });
  });

  test.each([
    ["42\n", "integer", 42],
    ["4.5", "number", 4.5],
    ["True\n", "boolean", true],
    ["[1, 2]", "array", [1, 2]],
    ['{"a": null}\n', "object", { a: null }],
    ["", "string", ""],
  ] as const)("%j becomes the type it declares: %s", async (text, type, value) => {
    expect(await runWith(mapFiles({ a: text }), flowOf({ a: { path: "a", type } }))).toMatchObject({ outputs: { a: value } });
  });

  test("that cannot become its type fails the block", async () => {
    expect(await errorOf(mapFiles({ a: "many" }), { a: { path: "a", type: "integer" } })).toMatch(
      /^OUTPUT_INVALID: Block "it" failed: Its output "a" could not be read\. .*must be an integer/,
    );
  });

  test("must match its pattern at its start", async () => {
    const files = mapFiles({ a: "v1.2.3-beta" });
    expect(await runWith(files, flowOf({ a: { path: "a", validation: "v\\d+" } }))).toMatchObject({ outputs: { a: "v1.2.3-beta" } });
    expect(await errorOf(files, { a: { path: "a", validation: "\\d+" } })).toMatch(/^OUTPUT_INVALID: Block "it" failed: Its output "a"/);
  });

  test("that is missing fails the block, unless it is not required", async () => {
    expect(await errorOf(mapFiles(), { a: { path: "a" } })).toMatch(/^FILE_MISSING: Block "it" failed: Its output "a"/);
    expect(await runWith(mapFiles(), flowOf({ a: { path: "a", required: false, type: "integer" } }))).toMatchObject({
      outputs: { a: null },
    });
  });

  test("that is no text fails the block", async () => {
    const files: Files = { ...mapFiles(), read: async (path) => ({ path, bytes: Uint8Array.of(0xff) }) };
    expect(await errorOf(files, { a: { path: "a" } })).toMatch(/^FILE_ENCODING: Block "it" failed: Its output "a"/);
  });

  test("that is too long fails the block", async () => {
    expect(await errorOf(mapFiles({ a: "x".repeat(1_048_577) }), { a: { path: "a", validation: "x*" } })).toMatch(
      /^LIMIT_EXCEEDED: Block "it" failed: Its output "a"/,
    );
  });

  test("is found in the step's own folder, which is then removed", async () => {
    const files = withScratch(mapFiles());
    const outputs = { a: { path: "$SCRATCH/left.txt" }, b: { path: "$SCRATCH/none", required: false } };
    expect(await runWith(files, flowOf(outputs, "from scratch\n"))).toMatchObject({ outputs: { a: "from scratch", b: null } });
    expect(files.removed).toHaveLength(1);
  });

  test("in the step's own folder needs a host that has such folders", async () => {
    expect(await errorOf(mapFiles(), { a: { path: "$SCRATCH/a" } })).toMatch(/^CAPABILITY_MISSING: Block "it" failed: Its output "a"/);
  });

  test("hands on whether an absolute path is meant", async () => {
    const seen: unknown[] = [];
    const files: Files = {
      ...mapFiles(),
      read: async (path, options) => {
        seen.push([path, options]);
        return { path, bytes: new Uint8Array() };
      },
    };
    await runWith(files, flowOf({ a: { path: "/a", unsafe: true }, b: { path: "b" } }));
    expect(seen).toEqual([
      ["/a", { unsafe: true }],
      ["b", { unsafe: false }],
    ]);
  });

  test("whose path turns out to be no text fails the block", async () => {
    const flow = { ...flowOf({ a: { path: "${inputs.folder}" } }), inputs: { folder: { type: "integer", default: 5 } } } as const;
    const result = await runWith(mapFiles(), flow);
    expect(result).toMatchObject({ status: "failure", error: { code: "PATH_FORBIDDEN" } });
  });
});

describe("outputs from files, at load", () => {
  const codes = (outputs: object): readonly string[] =>
    checkDefinition(flowOf(outputs as Outputs)).map(({ code, path }) => `${code} ${path}`);

  test.each([
    ["../a", {}],
    ["/a", {}],
    ["$SCRATCH/../a", {}],
    ["$SCRATCH//", {}],
    ["$SCRATCH/a\\b", { unsafe: true }],
    ["/a/../b", { unsafe: true }],
    ["a\\b", {}],
    ["", {}],
  ])("the path %j is refused", (path, more) => {
    const found = codes({ a: { path, ...more } });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^(?:PATH_FORBIDDEN|SCHEMA_INVALID) blocks\[0\]\.outputs\.a\.path$/);
  });

  test.each([
    ["a/b", {}],
    ["$SCRATCH/a", {}],
    ["/a", { unsafe: true }],
    ["${inputs.folder}/../a", {}],
  ])("the path %j is taken, or left until it is known", (path, more) => {
    expect(codes({ a: { path, ...more } })).toEqual([]);
  });

  test("names obey the grammar of names", () => {
    expect(codes({ "a.b": { path: "a" } })).toContain('ID_INVALID blocks[0].outputs["a.b"]');
  });

  test("patterns that are none are refused before anything runs", async () => {
    const flow = flowOf({ a: { path: "a", validation: "(?=x)" } });
    const executor = createExecutor({ store: memoryStore(), blocks: [leave], grants: { files: mapFiles() } });
    await expect(executor.load(flow)).rejects.toMatchObject({ code: "PATTERN_INVALID", place: { path: "blocks[0].outputs.a.validation" } });
  });

  test("a host that grants no files is no place for them", async () => {
    const plain: Workflow = {
      name: "plain",
      blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "" }, outputs: { f: { path: "f" } } }],
    };
    await expect(createExecutor({ store: memoryStore() }).load(plain)).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  });
});
