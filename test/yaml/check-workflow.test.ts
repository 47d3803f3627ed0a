import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineBlock, success } from "wavepoint";
import { checkWorkflow } from "wavepoint/yaml";

/** What is found, as lines of code, line and column. */
/** Types that take anything: here it is the text that is wrong. */
const blocks = ["EchoBlock", "Shell", "E", "T"].map((type) => defineBlock({ type, execute: () => success({}) }));
const check = (text: string) => checkWorkflow(text, { blocks });

async function found(text: string): Promise<readonly string[]> {
  return (await check(text)).problems.map(({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`);
}

function inBlock(rest: string): string {
  return `name: w\nblocks:\n  - id: a\n    type: EchoBlock\n${rest}`;
}

test("every problem is found at once, in the order of the text", async () => {
  const text = `name: two words
inputs:
  n: {type: integer, default: five}
blocks:
  - id: a
    type: EchoBlock
    dependson: []
    inputs:
      one: \${inputs.m}
      two: 'x \${n}'
    depends_on: [ghost]
  - id: b
    type: EchoBlock
    condition: "1 +"
`;
  expect(await found(text)).toEqual([
    "error ID_INVALID 1:7",
    "error INPUT_DEFAULT_INVALID 3:31",
    "error KEY_UNKNOWN 7:5",
    "error REFERENCE_UNKNOWN 9:12",
    "warning REFERENCE_DEPRECATED 10:15",
    "error DEPENDENCY_UNKNOWN 11:18",
    "error EXPRESSION_SYNTAX 14:19",
  ]);
});

test("a workflow comes only where nothing is an error", async () => {
  expect(await check("name: w\nblocks: []\n")).toMatchObject({ problems: [], workflow: { name: "w" } });
  expect((await check("name: w\nblocks: {}\n")).workflow).toBeUndefined();
});

test("of a text that is no YAML at all the first ten mistakes are reported, and nothing else", async () => {
  const { problems } = await check(`name: w\n${"just words # and more\n".repeat(20)}`);
  expect(problems).toHaveLength(10);
  for (const { code, message } of problems)
    expect(`${code} ${message}`).toMatch(/^YAML_SYNTAX Line \d+, column 1: This is not valid YAML\. This line has no colon/);
});

describe("the shape", () => {
  test.each<[string, string, readonly string[]]>([
    ["a list", "- id: a\n", ["error SCHEMA_INVALID 1:1"]],
    ["nothing", "", ["error SCHEMA_INVALID 1:1"]],
    ["a text", "just text", ["error SCHEMA_INVALID 1:1"]],
    ["a version that is a number", "name: w\nversion: 1.0\nblocks: []\n", ["error SCHEMA_INVALID 2:10"]],
    ["a misspelt section", "name: w\nblock: []\nblocks: []\n", ["error KEY_UNKNOWN 2:1"]],
    ["a block without a type", "name: w\nblocks:\n  - id: a\n", ["error SCHEMA_INVALID 3:5"]],
    ["an unknown input type", "name: w\ninputs:\n  a: {type: strng}\nblocks: []\n", ["error SCHEMA_INVALID 3:13"]],
    ["a section that is empty", "name: w\nblocks:\n", ["error SCHEMA_INVALID 2:8"]],
  ])("%s", async (_, text, expected) => {
    expect(await found(text)).toEqual(expected);
  });

  test("a choice that is no text is refused once, and nothing is said about what hangs on it", async () => {
    const { problems } = await check(
      JSON.stringify({
        name: "w",
        inputs: { a: { type: 1_000, default: [] } },
        blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "hello" } }],
      }),
    );
    expect(problems.map(({ path, message }) => [path, message])).toEqual([["inputs.a.type", "inputs.a.type must be a string, not 1000."]]);
  });

  test("a hundred unknown keys do not hide that the rest is missing", async () => {
    const text = Array.from({ length: 300 }, (_, i) => `k${i}: 0`).join("\n");
    expect((await check(text)).workflow).toBeUndefined();
  });
});

describe("YAML that is refused", () => {
  test.each<[string, string, string]>([
    ["an unterminated text", 'name: broken\ndescription: "unterminated\nblocks:\n  - id: a\n   type: EchoBlock\n', "YAML_SYNTAX"],
    ["bad indentation", "name: w\n  blocks: []\n", "YAML_SYNTAX"],
    ["a tab for indentation", "blocks:\n\t- id: a\n", "YAML_SYNTAX"],
    ["an unclosed bracket", "name: [w\n", "YAML_SYNTAX"],
    ["a bracket that closes nothing", `${inBlock("")}]\n  - {id: b, type: EchoBlock}\n`, "YAML_SYNTAX"],
    ["a brace that closes nothing", `${inBlock("")}outputs: {}}\n`, "YAML_SYNTAX"],
    ["text behind the end of the document", "name: w\nblocks: []\n... more\n", "YAML_SYNTAX"],
    ["double quotes that only an escaped mark seems to close", 'name: w\ndescription: "x\\"\nblocks: []\n', "YAML_SYNTAX"],
    ["single quotes that only a doubled mark seems to close", "name: w\ndescription: 'x''\nblocks: []\n", "YAML_SYNTAX"],
    ["a carriage return alone, which ends no line here", "name: w\nblocks: []\ndescription: x\r]\n", "YAML_SYNTAX"],
    ["a NUL", "name: w\nblocks: []\n\u0000", "YAML_SYNTAX"],
    ["a mark of the lexer", "name: w\nblocks: []\n\u001f", "YAML_SYNTAX"],
    ["an anchor", "name: &x w\nblocks: []\n", "YAML_REFUSED"],
    ["an alias", "name: *x\nblocks: []\n", "YAML_REFUSED"],
    ["a merge key", inBlock("    inputs: {<<: {a: 1}}\n"), "YAML_REFUSED"],
    ["a tag", inBlock("    description: !!js/function 'x'\n"), "YAML_REFUSED"],
    ["a tag of your own", inBlock("    inputs: !mine {}\n"), "YAML_REFUSED"],
    ...["binary", "omap", "set", "pairs", "timestamp", "merge", "nope"].map((tag): [string, string, string] => [
      `the tag !!${tag}`,
      inBlock(`    inputs: {a: !!${tag} aGk=}\n`),
      "YAML_REFUSED",
    ]),
    ...["omap", "set", "pairs"].map((tag): [string, string, string] => [
      `the tag !!${tag} of a collection`,
      inBlock(`    inputs:\n      a: !!${tag}\n        - b: c\n`),
      "YAML_REFUSED",
    ]),
    ["a tag written out", inBlock("    inputs: {a: !<tag:yaml.org,2002:binary> aGk=}\n"), "YAML_REFUSED"],
    ["a tag without a value", inBlock("    inputs: {!!binary}\n"), "YAML_REFUSED"],
    ["an empty tag", inBlock("    inputs: {a: !<> x}\n"), "YAML_REFUSED"],
    ["a tag that does not fit its value", inBlock("    inputs: {a: !!int x}\n"), "YAML_REFUSED"],
    ["a handle for tags", "%TAG !e! tag:example.com,2000:\n---\nname: w\nblocks: []\n", "YAML_REFUSED"],
    ["a directive", "%YAML 1.1\n---\nname: w\nblocks: []\n", "YAML_REFUSED"],
    ["two documents", "name: w\nblocks: []\n---\nname: v\n", "YAML_REFUSED"],
    ["a mapping as a key", "? {x: 1}\n: y\n", "YAML_REFUSED"],
    ["a key that stands twice", inBlock("    type: Shell\n"), "YAML_REFUSED"],
    ["a key that reaches into prototypes", inBlock("    inputs: {a: [{__proto__: 1}]}\n"), "KEY_FORBIDDEN"],
    ["too large a number", inBlock("    inputs: {n: 1e400}\n"), "SCHEMA_INVALID"],
    ["too small a number", inBlock("    inputs: {n: 1e-400}\n"), "SCHEMA_INVALID"],
    ["an integer that would be rounded", inBlock("    inputs: {n: 9007199254740993}\n"), "SCHEMA_INVALID"],
    ["what is no number", inBlock("    inputs: {n: .nan}\n"), "SCHEMA_INVALID"],
  ])("%s", async (_, text, code) => {
    const [problem, ...others] = (await check(text)).problems;
    expect([problem?.code, others.every((other) => other.code === code)]).toEqual([code, true]);
    expect(problem?.line).toBeGreaterThanOrEqual(1);
    if (code.startsWith("YAML")) expect(problem?.message).toContain("YAML");
  });
});

describe("hostile text gets its verdict twice in one process", () => {
  const deep = 6_000;
  const wide = (piece: string): string => piece.repeat(Math.floor(262_000 / piece.length));
  test.each<[string, string, string]>([
    ["nested lists", "[".repeat(deep) + "]".repeat(deep), "LIMIT_EXCEEDED"],
    ["lists that are never closed", "[".repeat(deep), "LIMIT_EXCEEDED"],
    ["nested dashes", `${"- ".repeat(deep)}x`, "LIMIT_EXCEEDED"],
    ["nested mappings", "{a: ".repeat(deep) + "}".repeat(deep), "LIMIT_EXCEEDED"],
    ["nested complex keys", `${"? ".repeat(deep)}x`, "LIMIT_EXCEEDED"],
    ["nested block mappings", Array.from({ length: 500 }, (_, i) => `${" ".repeat(i)}a:\n`).join(""), "LIMIT_EXCEEDED"],
    ["a huge text", `a: ${"x".repeat(1_200_000)}`, "LIMIT_EXCEEDED"],
    ["nothing but commas", `[${wide(",")}`, "LIMIT_EXCEEDED"],
    ["nothing but closing brackets", wide("]"), "YAML_SYNTAX"],
    ["closing brackets behind a workflow", `name: w\nblocks: []\n${wide("]\n").slice(40)}`, "YAML_SYNTAX"],
    ["nothing but ends of documents", wide("...\n"), "YAML_REFUSED"],
    ["nothing but errors", wide("! ! ").slice(0, 50_000), "YAML_SYNTAX"],
    ["many anchors", `a: ${wide("&a ")}`, "YAML_REFUSED"],
    ["many documents", wide("---\n"), "YAML_REFUSED"],
    ["many keys", `{${Array.from({ length: 20_000 }, (_, i) => `k${i}`).join(", ")}}`, "KEY_UNKNOWN"],
    ["many digits that are no number", `a: ${"9".repeat(262_000)}x`, "KEY_UNKNOWN"],
    ["many quoted texts on one line", `a: [${wide("'',")}]`, "KEY_UNKNOWN"],
    ["many quotation marks that are never closed", wide("'\n"), "YAML_SYNTAX"],
    ["many escaped quotation marks", `a: "${wide('\\"')}\n`, "YAML_SYNTAX"],
    ["many question marks", wide("? a\n"), "LIMIT_EXCEEDED"],
    ["many blank lines", wide("\n"), "LIMIT_EXCEEDED"],
    ["many tabs", wide("\t\n"), "LIMIT_EXCEEDED"],
    ["many empty block texts", wide("- |\n"), "LIMIT_EXCEEDED"],
    ["many mappings that go up and down", wide("a:\n b:\n  c:\n   d:\n"), "YAML_REFUSED"],
    ["one key many times", `{${wide("a,")}}`, "YAML_REFUSED"],
    ["many numbers that are too large", `a: [${wide("1e999,")}]\n`, "SCHEMA_INVALID"],
  ])("%s", async (_, text, code) => {
    expect((await check(text)).problems[0]?.code).toBe(code);
    expect((await check(text)).problems[0]?.code).toBe(code);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe("a text of many tokens", () => {
  const rows = (count: number): string => Array.from({ length: count }, (_, i) => `  - {id: b${i}, type: E, inputs: {m: x}}\n`).join("");

  test("is read whole where it is simple", async () => {
    expect((await check(`name: w\nblocks:\n${rows(5_000)}`)).workflow?.blocks).toHaveLength(5_000);
  });

  test("is refused at what is not, because looking closer would take too long", async () => {
    const text = `name: w\nblocks:\n${rows(2_000)}  - {id: c, type: E, inputs: {m: x}\n${rows(2_000)}`;
    expect(await found(text)).toEqual(["error LIMIT_EXCEEDED 2004:3"]);
  });

  test("is refused at its second document if it has one", async () => {
    expect(await found("---\n".repeat(50_000))).toEqual(["error YAML_REFUSED 2:1"]);
  });

  test("is looked at more closely where it is shorter", async () => {
    const text = `name: w\nblocks:\n${rows(500)}  - {id: c, type: E, inputs: {m: x}\n${rows(500)}`;
    expect((await found(text))[0]).toMatch(/^error YAML_SYNTAX 50[34]:/);
  });

  test("keeps the places of what is wrong with the workflow", async () => {
    const text = `name: w\nblocks:\n${rows(4_000)}  - {id: c, type: E, inputs: {m: "a ${"$"}{inputs.x}"}}\n`;
    expect(await found(text)).toEqual(["error REFERENCE_UNKNOWN 4003:37"]);
  });
});

test("no text makes it throw", async () => {
  const line = fc.constantFrom(
    "name: w",
    "blocks:",
    "  - id: a",
    "    type: T",
    "    inputs:",
    "      m: ${inputs.x}",
    "  - {",
    "inputs: {x: {type: string}}",
    "? a",
    "- b",
    "'",
    '"',
    "\t",
    "---",
    "|",
    "outputs: {o: $",
    "#",
    "&a",
    "1e999",
    "__proto__: 1",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n")),
      ),
      async (text) => {
        const { problems, workflow } = await check(text);
        const errors = problems.filter(({ severity }) => severity === "error");
        expect(errors.length === 0).toBe(workflow !== undefined);
        for (const problem of problems) expect([problem.line! >= 1, problem.column! >= 1]).toEqual([true, true]);
      },
    ),
    { numRuns: 300 },
  );
});
