import { describe, expect, test } from "vitest";
import { readFileBlock } from "../../../src/core/blocks/read-file.ts";
import type { Files, ReadOptions } from "../../../src/core/ports/files.ts";
import { mapFiles } from "../../support/map-files.ts";
import { runBlock } from "./block-stage.ts";

function read(files: Files, inputs: object): Promise<unknown> {
  return runBlock(readFileBlock, inputs, { grants: { files } });
}

function fileOf(...bytes: number[]): Files {
  return { ...mapFiles(), read: async (path) => ({ path, bytes: Uint8Array.from(bytes) }) };
}

describe("ReadFile", () => {
  test("reads a text", async () => {
    expect(await read(mapFiles({ a: "größe\n" }), { path: "a" })).toEqual({
      status: "success",
      outputs: { content: "größe\n", size_bytes: 8, found: true, path: "a", success: true },
    });
  });

  test("reads bytes as base64", async () => {
    expect(await read(fileOf(0xff, 0xfe, 0), { path: "a", mode: "binary" })).toHaveProperty("outputs.content", "//4A");
  });

  test("refuses to guess what is no text", async () => {
    expect(await read(fileOf(0xff, 0xfe, 0, 0xc3, 0x28), { path: "a" })).toHaveProperty("error.code", "FILE_ENCODING");
  });

  test("fails where a file is missing, unless that is fine", async () => {
    expect(await read(mapFiles(), { path: "none" })).toHaveProperty("error.code", "FILE_MISSING");
    expect(await read(mapFiles(), { path: "./none", required: false })).toEqual({
      status: "success",
      outputs: { content: "", size_bytes: 0, found: false, path: "none", success: true },
    });
  });

  test("hands on the limit in bytes, and whether an absolute path is meant", async () => {
    const seen: (ReadOptions | undefined)[] = [];
    const files: Files = {
      ...mapFiles(),
      read: async (path, options) => {
        seen.push(options);
        return { path, bytes: new Uint8Array() };
      },
    };
    await read(files, { path: "a" });
    await read(files, { path: "/a", max_size_mb: 0.5, unsafe: true });
    expect(seen).toEqual([
      { maxBytes: 10_485_760, unsafe: false },
      { maxBytes: 524_288, unsafe: true },
    ]);
  });

  test.each([
    [{ path: "" }, "path must not be empty"],
    [{ path: "a", max_size_mb: 11 }, "max_size_mb must be 10 or less"],
    [{ path: "a", mode: "lines" }, "mode must be one of: text, binary"],
    [{ path: "a", encoding: "utf-16" }, "encoding must be one of: utf-8, latin1, base64"],
  ])("refuses %j", async (inputs, problem) => {
    expect(await read(mapFiles(), inputs)).toBe(problem);
  });
});
