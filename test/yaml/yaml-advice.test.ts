import { describe, expect, test } from "vitest";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";

describe("what people commonly write wrongly is named in plain words, with the place and what to do", () => {
  test.each<[string, string, string, string]>([
    ["a colon in a value", "name: w\ndescription: note: this\nblocks: []\n", "2:14", "Put the value in quotes"],
    ["a colon in a value in brackets", "name: w\ntags: {a: b c: d}\n", "2:11", "Put a comma between them"],
    ["a line that is indented too far", "name: w\n  blocks: []\n", "1:7", "on a line of its own, in the column of the keys"],
    ["a key that is indented too little", "a:\n   b: 1\n  c: 2\n", "3:3", "Begin all keys of a mapping"],
    ["a block that loses its list", "blocks:\n  - id: a\n   type: b\n", "3:4", "the dash of a list item"],
    ["dashes in two columns", "blocks:\n    - id: a\n  - id: b\n", "3:3", "all its dashes in one column"],
    ["a list on the line of its key", "a: - b\n", "1:4", "Begin a list on a line of its own"],
    ["a tab", "blocks:\n\t- id: a\n", "2:1", "Indent with spaces only"],
    ["double quotes that are never closed", 'a:\n  - b: "x\n    c: d\n  - e: "y"\n', "2:8", "Close it where its text ends"],
    ["single quotes that are never closed", "name: 'w\nblocks: []\n", "1:7", "Close it where its text ends"],
    ["quotes in quotes", 'message: "say "hello" now"\n', "1:16", "write a quotation mark inside quotes twice"],
    ["an apostrophe in single quotes", "message: 'it's me'\n", "1:14", "or use the other kind around it"],
    ["a backslash in double quotes", 'pattern: "\\d+"\n', "1:11", "\\d is none. Write two backslashes, or use single quotes"],
    ["a bracket too few", "a: [b, c\nd: e\n", "2:1", "close each bracket that was opened"],
    ["a bracket too many", "a: [b]]\nc: d\n", "1:7", "This bracket closes nothing. Remove it"],
    ["a brace too many", "a: {b: c}\n}\n", "2:1", "This brace closes nothing. Remove it"],
    ["a comma too many", "a: [b, , c]\n", "1:8", "No item stands before this comma"],
    ["no comma", 'a: ["b" "c"]\n', "1:9", "a comma between items in brackets"],
    ["a reference without quotes in a mapping", "a: {x: ${inputs.a}}\n", "1:9", "Put the whole text in quotes if it holds ${…}"],
    ["a reference without quotes in a list", "a: [${inputs.a}, b]\n", "1:6", "Put the whole text in quotes if it holds ${…}"],
    ["a template without quotes", "a: {{ x }}\n", "1:5", "Put a text that begins with { or [ in quotes"],
    ["a percent sign at the start", "a: %b\n", "1:4", "cannot begin with % here. Put it in quotes"],
    ["a text behind its sign", "a: | b\n", "1:6", "Begin it on the next line"],
    ["a key without a colon", "name: w\nblocks\n", "2:1", "This line has no colon"],
    ["a key without the space behind its colon", "a: 1\nname:w\nb: 2\n", "2:1", "Put a colon and a space behind it"],
    ["a comment without the space before it", 'a: "b"#c\n', "1:7", "Put a space before the #"],
    ["a tag of another schema", "a: !!binary aGk=\n", "1:4", "the tag !!binary, which is not of the core schema. Remove it"],
    ["a tag that does not fit", "a: !!int x\n", "1:4", "Remove the tag"],
    ["a key that is a list", "? [a]\n: b\n", "1:3", "A key must be a text"],
    ["a key that is too long", `${"k".repeat(1_100)}: 1\n`, "1:1", "Shorten it"],
    ["an anchor", "a: &b c\n", "1:4", "Write the value out"],
    ["a second document", "a: b\n---\nc: d\n", "2:1", "Keep one workflow in each text"],
    ["a key that stands twice", "a: 1\na: 2\n", "2:1", "Remove one of them"],
    ["a directive", "%YAML 1.1\n---\na: b\n", "1:1", "Remove the line"],
    ["a control character", "a: \u0007\n", "1:4", "Remove it, or write it as an escape"],
  ])("%s", async (_, text, at, advice) => {
    const [line, column] = at.split(":").map(Number);
    const { message, ...place } = (await checkWorkflow(text)).problems.find(({ code }) => code.startsWith("YAML_"))!;
    expect(place).toMatchObject({ severity: "error", line, column });
    expect(message.startsWith(`Line ${line}, column ${column}: `), message).toBe(true);
    expect(message).toContain(advice);
  });
});

test("an error that is thrown says its place in the message, and in its details", () => {
  expect(() => loadWorkflow("name: w\nblocks: [\n", { source: "w.yaml" })).toThrow(
    expect.objectContaining({
      code: "YAML_SYNTAX",
      message: expect.stringMatching(/^Line 3, column 1: This is not valid YAML\./),
      place: { line: 3, column: 1, source: "w.yaml" },
    }),
  );
});

test("one line has one mistake: what else the parser finds there is its echo", async () => {
  const { problems } = await checkWorkflow("name: w\n  blocks: []\ntags: [a, b]]\n");
  expect(problems.map(({ line }) => line)).toEqual([1, 3]);
});
