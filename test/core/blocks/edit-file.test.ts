import { describe, expect, test } from "vitest";
import { editFileBlock } from "../../../src/core/blocks/edit-file.ts";
import { mapFiles, type MapFiles } from "../../support/map-files.ts";
import { runBlock } from "./block-stage.ts";

function edit(files: MapFiles, ...edits: readonly object[]): Promise<unknown> {
  return runBlock(editFileBlock, { path: "f", edits }, { grants: { files } });
}

describe("EditFile", () => {
  test("replaces texts, each in what the ones before it left", async () => {
    const files = mapFiles({ f: "one two" });
    expect(await edit(files, { find: "one", replace: "three" }, { find: "three t", replace: "$& T" })).toEqual({
      status: "success",
      outputs: { file_path: "f", replacements: 2, changed: true, size_bytes: 6 },
    });
    expect(files.texts.get("f")).toBe("$& Two");
  });

  test("replaces a text wherever it stands", async () => {
    const files = mapFiles({ f: "aaaaa b" });
    expect(await edit(files, { find: "aa", replace: "$1", all: true })).toHaveProperty("outputs.replacements", 2);
    expect(files.texts.get("f")).toBe("$1$1a b");
  });

  test("does not touch a file that stays the same", async () => {
    const files = mapFiles({ f: "same" });
    expect(await edit(files, { find: "same", replace: "same" })).toEqual({
      status: "success",
      outputs: { file_path: "f", replacements: 1, changed: false, size_bytes: 4 },
    });
    expect(files.written).toEqual([]);
  });

  test.each([
    ["is not there", "x", "was not found"],
    ["stands twice", "b", "more than once"],
    ["stands twice, one over the other", "aa", "more than once"],
  ])("does nothing at all where a text %s", async (_, find, message) => {
    const files = mapFiles({ f: "aaa b b" });
    expect(await edit(files, { find: "aaa", replace: "aaa " }, { find, replace: "" })).toMatchObject({
      status: "failure",
      error: { code: "BLOCK_FAILED", message: expect.stringContaining(message) as string, details: { edit: 1 } },
    });
    expect(files.written).toEqual([]);
    expect(files.texts.get("f")).toBe("aaa b b");
  });

  test("wants a text at least once where it replaces all", async () => {
    expect(await edit(mapFiles({ f: "a" }), { find: "b", replace: "", all: true })).toHaveProperty("error.code", "BLOCK_FAILED");
  });

  test("does not let a file grow without bounds", async () => {
    const files = mapFiles({ f: "a".repeat(10_000) });
    expect(await edit(files, { find: "a", replace: "b".repeat(10_000), all: true })).toHaveProperty("error.code", "LIMIT_EXCEEDED");
    expect(files.written).toEqual([]);
  });

  test("fails where the file is missing", async () => {
    expect(await edit(mapFiles(), { find: "a", replace: "b" })).toHaveProperty("error.code", "FILE_MISSING");
  });

  test("takes turns with others that edit the same file", async () => {
    const files = mapFiles({ f: "0123456789" });
    await Promise.all([..."0123456789"].map((digit) => edit(files, { find: digit, replace: `<${digit}>` })));
    expect(files.texts.get("f")).toBe([..."0123456789"].map((digit) => `<${digit}>`).join(""));
  });
});
