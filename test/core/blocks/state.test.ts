import { describe, expect, test } from "vitest";
import { mergeStateBlock } from "../../../src/core/blocks/merge-state.ts";
import { readStateBlock } from "../../../src/core/blocks/read-state.ts";
import { setStateBlock } from "../../../src/core/blocks/set-state.ts";
import { mapFiles, type MapFiles } from "../../support/map-files.ts";
import { runBlock } from "./block-stage.ts";

const set = (files: MapFiles, inputs: object): Promise<unknown> => runBlock(setStateBlock, inputs, { grants: { files } });
const read = (files: MapFiles, inputs: object): Promise<unknown> => runBlock(readStateBlock, inputs, { grants: { files } });
const merge = (files: MapFiles, inputs: object): Promise<unknown> => runBlock(mergeStateBlock, inputs, { grants: { files } });

describe("SetState", () => {
  test("keeps an object as JSON, in the place of what was there", async () => {
    const files = mapFiles({ s: "anything" });
    expect(await set(files, { path: "s", data: { a: [1, null] } })).toEqual({ status: "success", outputs: { path: "s", size_bytes: 33 } });
    expect(JSON.parse(files.texts.get("s")!)).toEqual({ a: [1, null] });
    expect(await read(files, { path: "s" })).toEqual({ status: "success", outputs: { data: { a: [1, null] }, found: true, path: "s" } });
  });

  test.each([
    ["a date", new Date(0), "VALUE_UNSERIALIZABLE"],
    ["no finite number", NaN, "VALUE_UNSERIALIZABLE"],
    ["a map", new Map(), "VALUE_UNSERIALIZABLE"],
    ["a forbidden key", JSON.parse('{ "__proto__": 1 }'), "KEY_FORBIDDEN"],
    ["half a character", { deep: ["\ud800"] }, "success"],
    ["a long text", "x".repeat(1_048_576), "LIMIT_EXCEEDED"],
    ["deep nesting", nested(250), "LIMIT_EXCEEDED"],
  ])("judges %s by whether it comes back as it was", async (_, value: unknown, verdict) => {
    const files = mapFiles({ s: "{}" });
    const result = (await set(files, { path: "s", data: { value } })) as {
      readonly status: string;
      readonly error?: { readonly code: string };
    };
    expect(result.error?.code ?? result.status).toBe(verdict);
    if (verdict === "success") expect(await read(files, { path: "s" })).toHaveProperty("outputs.data", { value });
    else expect(files.written).toEqual([]);
  });
});

describe("ReadState", () => {
  test("gives an empty object for a missing file, unless the file is required", async () => {
    expect(await read(mapFiles(), { path: "./s" })).toEqual({ status: "success", outputs: { data: {}, found: false, path: "s" } });
    expect(await read(mapFiles(), { path: "s", required: true })).toHaveProperty("error.code", "FILE_MISSING");
  });

  test("reads past a byte order mark", async () => {
    expect(await read(mapFiles({ s: '\ufeff{"a":1}' }), { path: "s" })).toHaveProperty("outputs.data", { a: 1 });
  });

  test.each([
    ["no JSON", "{a: 1}", "FILE_ENCODING"],
    ["an empty file", "", "FILE_ENCODING"],
    ["a list", "[]", "FILE_ENCODING"],
    ["a forbidden key", '{"a":{"__proto__":{"b":1}}}', "KEY_FORBIDDEN"],
    ["deep nesting", `{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`, "LIMIT_EXCEEDED"],
    ["a long document", `{"a":"${"x".repeat(1_048_576)}"}`, "LIMIT_EXCEEDED"],
  ])("refuses %s", async (_, text, code) => {
    expect(await read(mapFiles({ s: text }), { path: "s" })).toHaveProperty("error.code", code);
  });
});

describe("MergeState", () => {
  test("lays updates over what is there, at any depth", async () => {
    const files = mapFiles({ s: '{ "kept": 1, "deep": { "kept": [1, 2], "list": [1, 2], "text": "old", "gone": { "a": 1 } } }' });
    const merged = { kept: 1, deep: { kept: [1, 2], list: [3], text: { now: "an object" }, gone: null, new: true } };
    expect(await merge(files, { path: "s", updates: { deep: { list: [3], text: { now: "an object" }, gone: null, new: true } } })).toEqual({
      status: "success",
      outputs: { merged_data: merged, created: false, path: "s" },
    });
    expect(JSON.parse(files.texts.get("s")!)).toEqual(merged);
  });

  test("begins with an empty object where there is no file, unless that is not wanted", async () => {
    const files = mapFiles();
    expect(await merge(files, { path: "s", updates: { a: 1 }, create_if_missing: false })).toHaveProperty("error.code", "FILE_MISSING");
    expect(files.written).toEqual([]);
    expect(await merge(files, { path: "s", updates: { a: 1 } })).toHaveProperty("outputs", {
      merged_data: { a: 1 },
      created: true,
      path: "s",
    });
  });

  test("leaves a file alone that holds no object", async () => {
    const files = mapFiles({ s: "[]" });
    expect(await merge(files, { path: "s", updates: {} })).toHaveProperty("error.code", "FILE_ENCODING");
    expect(files.texts.get("s")).toBe("[]");
  });

  test("refuses keys that reach into prototypes", async () => {
    const files = mapFiles();
    const updates = JSON.parse('{ "a": { "constructor": {} } }') as object;
    expect(await merge(files, { path: "s", updates })).toHaveProperty("error.code", "KEY_FORBIDDEN");
    expect(files.written).toEqual([]);
  });

  test("loses nothing of others that change the same document at the same time, also by other names", async () => {
    const files = mapFiles();
    const names = Array.from({ length: 20 }, (_, i) => `n${i}`);
    await Promise.all(names.map((name) => merge(files, { path: "s", updates: { all: { [name]: true } } })));
    expect(await read(files, { path: "s" })).toHaveProperty("outputs.data", { all: Object.fromEntries(names.map((name) => [name, true])) });
  });

  test("waits for no one after another one failed", async () => {
    const files = mapFiles({ s: "broken" });
    const [first, second] = await Promise.all([
      merge(files, { path: "s", updates: { a: 1 } }),
      set(files, { path: "./s", data: { b: 2 } }),
    ]);
    expect(first).toHaveProperty("status", "failure");
    expect(second).toHaveProperty("status", "success");
  });
});

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}
