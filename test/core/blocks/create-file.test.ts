import { describe, expect, test } from "vitest";
import { createFileBlock } from "../../../src/core/blocks/create-file.ts";
import { mapFiles, type MapFiles } from "../../support/map-files.ts";
import { runBlock } from "./block-stage.ts";

function create(files: MapFiles, inputs: object, mayHaveRun = false): Promise<unknown> {
  return runBlock(createFileBlock, inputs, { grants: { files }, mayHaveRun });
}

const check = (inputs: object): unknown => createFileBlock.checkInputs!(inputs as never, inputs as never);

describe("CreateFile", () => {
  test("writes a text", async () => {
    const files = mapFiles();
    expect(await create(files, { path: "a", content: "größe" })).toEqual({
      status: "success",
      outputs: { file_path: "a", path: "a", size_bytes: 7, created: true, success: true },
    });
    expect(files.texts).toEqual(new Map([["a", "größe"]]));
  });

  test("writes bytes", async () => {
    const files = mapFiles();
    expect(await create(files, { path: "a", content: "aGk=", encoding: "base64" })).toHaveProperty("outputs.size_bytes", 2);
    expect(files.texts.get("a")).toBe("hi");
  });

  test.each([
    ["half a character", { content: "\ud800" }],
    ["no base64", { content: "?", encoding: "base64" }],
  ])("refuses %s", async (_, inputs) => {
    const files = mapFiles();
    expect(await create(files, { path: "a", ...inputs })).toHaveProperty("error.code", "FILE_ENCODING");
    expect(files.written).toEqual([]);
  });

  test("replaces a file only on demand", async () => {
    const files = mapFiles({ a: "old" });
    expect(await create(files, { path: "a", content: "new" })).toHaveProperty("error.code", "FILE_EXISTS");
    expect(files.texts.get("a")).toBe("old");
    expect(await create(files, { path: "a", content: "new", overwrite: true })).toHaveProperty("outputs.created", false);
    expect(files.texts.get("a")).toBe("new");
  });

  test("takes what an earlier execution may have written as its own, and nothing else", async () => {
    const files = mapFiles({ mine: "text", other: "another" });
    expect(await create(files, { path: "mine", content: "text" }, false)).toHaveProperty("error.code", "FILE_EXISTS");
    expect(await create(files, { path: "mine", content: "text" }, true)).toHaveProperty("outputs", {
      file_path: "mine",
      path: "mine",
      size_bytes: 4,
      created: true,
      success: true,
    });
    expect(await create(files, { path: "other", content: "text" }, true)).toHaveProperty("error.code", "FILE_EXISTS");
    expect(files.written).toEqual([]);
  });

  test("hands on permissions, as a number or as octal digits", async () => {
    const modes: unknown[] = [];
    const files: MapFiles = {
      ...mapFiles(),
      write: async (path, _, options) => {
        modes.push(options?.mode);
        return { path, sizeBytes: 0, created: true };
      },
    };
    for (const inputs of [{ permissions: "644" }, { permissions: "0600" }, { mode: "0o755" }, { mode: 0o7 }, { permissions: null }, {}]) {
      await create(files, { path: "a", content: "", ...inputs });
    }
    expect(modes).toEqual([0o644, 0o600, 0o755, 0o7, undefined, undefined]);
  });

  test.each([
    ["a set-uid bit", { permissions: 0o4755 }],
    ["digits that were meant octal and are read as decimal", { permissions: 644 }],
    ["no octal digits", { permissions: "9999" }],
    ["too many digits", { mode: "4755" }],
    ["words", { mode: "u+s" }],
    ["a negative number", { mode: -1 }],
    ["nothing", { mode: "" }],
    ["both names", { mode: "644", permissions: "644" }],
  ])("refuses permissions that are %s, at load and when it runs", async (_, inputs) => {
    expect(check(inputs)).toHaveProperty("[0].code", "BLOCK_INPUT_INVALID");
    const files = mapFiles();
    expect(await create(files, { path: "a", content: "x", ...inputs })).toHaveProperty("error.code", "BLOCK_INPUT_INVALID");
    expect(files.written).toEqual([]);
  });

  test("finds nothing wrong at load with what it would take", () => {
    for (const inputs of [{}, { permissions: "0644" }, { mode: 0 }, { mode: null, permissions: "777" }]) expect(check(inputs)).toEqual([]);
  });

  test("fails where a host's own files throw", async () => {
    const files: MapFiles = { ...mapFiles(), write: () => Promise.reject(new Error("no such luck")) };
    expect(await create(files, { path: "a", content: "" })).toEqual({
      status: "failure",
      error: { code: "BLOCK_FAILED", message: "no such luck" },
    });
  });
});
