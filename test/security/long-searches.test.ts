import { describe, expect, test } from "vitest";
import { editFileBlock } from "../../src/core/blocks/edit-file.ts";
import { renderTemplate } from "../../src/core/blocks/template/render.ts";
import { checkScript, placeValues } from "../../src/core/blocks/shell/place-values.ts";
import { parseFolder } from "../../src/core/model/file-path.ts";
import { convertOutput } from "../../src/core/expression/convert-output.ts";
import { contains } from "../../src/core/expression/compare.ts";
import { indexOfText, splitText } from "../../src/core/model/find-text.ts";
import { checkJsonSchema } from "../../src/core/model/check-json-schema.ts";
import { checkJson } from "../../src/core/model/check-json.ts";
import { runBlock } from "../core/blocks/block-stage.ts";
import { mapFiles } from "../support/map-files.ts";

// Each of these ran for minutes, or without end, before it was mended: that the tests come to an end is what they are for.

/** In a text of the same letter the platform's own search compares half of this again at each place. */
const NEEDLE = `${"a".repeat(200_000)}b${"a".repeat(200_000)}`;
const HAYSTACK = "a".repeat(1_000_000);
const coded = (code: string): unknown => expect.objectContaining({ code });

describe("long texts are looked for in long texts", () => {
  test("where they stand and where they do not", () => {
    expect(indexOfText(HAYSTACK, NEEDLE)).toBe(-1);
    expect(indexOfText(`${HAYSTACK}${NEEDLE}`, NEEDLE)).toBe(1_000_000);
    expect(indexOfText(`${NEEDLE}${NEEDLE}`, NEEDLE, 1)).toBe(NEEDLE.length);
    expect(splitText(`x${NEEDLE}y${NEEDLE}`, NEEDLE)).toEqual(["x", "y", ""]);
    expect(splitText("a,b,,c", ",")).toEqual(["a", "b", "", "c"]);
  });

  test("in a condition", () => {
    expect(contains(HAYSTACK, NEEDLE)).toBe(false);
    expect(contains(`${HAYSTACK}${NEEDLE}`, NEEDLE)).toBe(true);
  });

  test.each(["{{ m in a }}", "{{ m not in a }}", "{{ a.split(m) }}"])("not in a template: %s", (template) => {
    expect(() => renderTemplate(template, { a: HAYSTACK.slice(0, 500_000), m: NEEDLE })).toThrow(coded("LIMIT_EXCEEDED") as Error);
  });

  test("in a file", async () => {
    const files = mapFiles({ f: `${HAYSTACK}${NEEDLE}` });
    const result = await runBlock(editFileBlock, { path: "f", edits: [{ find: NEEDLE, replace: "x" }] }, { grants: { files } });
    expect(result).toMatchObject({ status: "success", outputs: { replacements: 1 } });
  });

  test("not for each of thousands of edits of a large file", async () => {
    const edits = Array.from({ length: 5_000 }, () => ({ find: "z", replace: "z" }));
    const result = await runBlock(editFileBlock, { path: "f", edits }, { grants: { files: mapFiles({ f: `${HAYSTACK}z` }) } });
    expect(result).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED" } });
  });
});

describe("texts that an expression would go over again and again", () => {
  test("a folder of slashes", () => {
    expect(parseFolder(`a${"/.".repeat(2_000)}`)).toBe("a");
    expect(() => parseFolder(`${"/".repeat(200_000)}x`)).toThrow(coded("PATH_FORBIDDEN") as Error);
  });

  test("a value of line ends in a command", () => {
    const text = `${"\n".repeat(100_000)}x`;
    expect(placeValues(["echo ", { value: text }], { takesOptions: false }).env).toEqual({ WAVEPOINT_1: text });
    expect(placeValues(["echo ", { value: "x\r\n\n" }], { takesOptions: false }).env).toEqual({ WAVEPOINT_1: "x" });
  });

  test("a number of zeros that is none", () => {
    expect(() => convertOutput(`${"0".repeat(500_000)}x`, "number", "n")).toThrow(coded("OUTPUT_INVALID") as Error);
    expect(["1", "1.", ".5", "1.5e3", "-0.5"].map((text) => convertOutput(text, "number", "n"))).toEqual([1, 1, 0.5, 1_500, -0.5]);
  });

  test("options of a shell", () => {
    expect(() => checkScript([`sh -${"c".repeat(200_000)}! `, {}])).toThrow(coded("SHELL_UNSAFE") as Error);
    expect(() => checkScript(["sh -ec ", {}])).toThrow(coded("SHELL_UNSAFE") as Error);
  });

  test("programs that start programs, without end", () => {
    expect(() => checkScript([`${"command ".repeat(50_000)}eval `, {}])).toThrow(coded("SHELL_UNSAFE") as Error);
    expect(() => checkScript([`echo ${"sh x ".repeat(50_000)}`, {}])).not.toThrow();
    expect(() => checkScript(["env nice sudo echo ", {}])).not.toThrow();
  });
});

describe("a list as long as its schema", () => {
  test("is compared with its choices once", () => {
    const choices = Array.from({ length: 50_000 }, (_, i) => (i % 2 === 0 ? i : { b: [i], a: i }));
    const items = { type: "array", items: { enum: choices } } as const;
    expect(
      checkJson(
        items,
        Array.from({ length: 20_000 }, () => ({ a: 49_999, b: [49_999] })),
      ),
    ).toEqual([]);
    expect(checkJson(items, [49_999])).toHaveLength(1);
    expect(checkJson(items, ["0"])).toHaveLength(1);
  });

  test("cannot require a name twice", () => {
    expect(checkJsonSchema({ required: ["a", "a"] })).toHaveLength(1);
  });
});
