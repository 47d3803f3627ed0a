import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTemplate } from "../../../src/core/expression/parse-template.ts";
import { isWorkflowError } from "../../../src/core/model/errors.ts";
import { refusal, render } from "./scope-of.ts";

const world = {
  inputs: {
    x: "text",
    n: 42,
    yes: true,
    none: null,
    list: [1, "two", [3]],
    object: { a: { "odd key": "found", größe: 5 } },
    field: "echoed",
    at: 1,
    when: new Date(0),
    tricky: "$& $1 $$ \\ ${inputs.x}",
    bad: "__proto__",
    inner: "__internal__",
  },
  blocks: { a: { outputs: { echoed: "hi", metadata: "mine" }, inputs: { message: "m" }, metadata: { wave: 0 } }, gone: null },
};

describe("a template that is one reference keeps the type of the value", () => {
  test.each<[string, unknown]>([
    ["${inputs.n}", 42],
    ["${inputs.yes}", true],
    ["${inputs.none}", null],
    ["${inputs.list}", [1, "two", [3]]],
    ["${inputs.list[2][0]}", 3],
    ["${inputs.list.1}", "two"],
    ['${inputs.object.a["odd key"]}', "found"],
    ["${inputs.object['a']['odd key']}", "found"],
    ["${inputs.object.a.größe}", 5],
    ["${ inputs . n }", 42],
    ["${blocks.a.outputs}", { echoed: "hi", metadata: "mine" }],
    ["${metadata.workflow_name}", "w"],
  ])("%s", (text, value) => {
    expect(render(text, world)).toEqual(value);
  });
});

describe("inside a text", () => {
  test.each<[string, string]>([
    ["[${inputs.yes}]", "[true]"],
    ["[${inputs.none}]", "[]"],
    ["[${inputs.n}]", "[42]"],
    ["[${inputs.list}]", '[[1,"two",[3]]]'],
    ["[${inputs.object}]", '[{"a":{"odd key":"found","größe":5}}]'],
    ["[${inputs.when}]", "[1970-01-01T00:00:00.000Z]"],
    ["costs $5, home is $HOME, {not} a ref, $", "costs $5, home is $HOME, {not} a ref, $"],
    ["$${inputs.x}", "${inputs.x}"],
    ["${inputs.x}}", "text}"],
    ["${(${inputs.n} == 1) or not ${inputs.yes}}", "${(42 == 1) or not true}"],
    ["a ${(${inputs.n} < 3)} b ${inputs.n}", "a ${(42 < 3)} b 42"],
    ["", ""],
  ])("%s", (text, value) => {
    expect(render(text, world)).toBe(value);
  });

  test("S2: data is inserted as it is and never expanded again", () => {
    expect(render("<${inputs.tricky}>", world)).toBe("<$& $1 $$ \\ ${inputs.x}>");
  });
});

describe("the spellings of a reference to an output", () => {
  test.each([
    "${blocks.a.outputs.echoed}",
    "${blocks.a.echoed}",
    "${a.echoed}",
    "${a.outputs.echoed}",
    '${blocks["a"]["outputs"]["echoed"]}',
  ])("%s", (text) => {
    expect(render(text, world)).toBe("hi");
  });

  test("inputs and metadata of a block are never taken for outputs", () => {
    expect(render("${blocks.a.inputs.message}", world)).toBe("m");
    expect(render("${blocks.a.metadata.wave}", world)).toBe(0);
    expect(render("${blocks.a.outputs.metadata}", world)).toBe("mine");
  });

  test("a bare name is an input", () => {
    expect(render("${x}", world)).toBe("text");
  });

  test("a name that is an input and a block is refused where both could be meant", () => {
    const both = { inputs: { a: { f: 1 } }, blocks: { a: { outputs: { f: 2 } } } };
    expect(refusal(() => render("${a.f}", both))).toBe("REFERENCE_AMBIGUOUS 1");
    expect(render("${a}", both)).toEqual({ f: 1 });
  });
});

describe("a nested reference yields one key", () => {
  test.each<[string, unknown]>([
    ["${blocks.a.outputs.${inputs.field}}", "hi"],
    ["${blocks.a.${inputs.field}}", "hi"],
    ["${inputs.list[${inputs.at}]}", "two"],
    ["${inputs.list[inputs.at]}", "two"],
    ["${inputs.${inputs.${inputs.yes_key}}}", 42],
  ])("%s", (text, value) => {
    expect(render(text, { ...world, inputs: { ...world.inputs, yes_key: "n_key", n_key: "n" } })).toEqual(value);
  });

  test("which is never read as a path, and never leads to a forbidden key", () => {
    const sly = { inputs: { key: "a.b", a: { b: 1 }, bad: "__proto__", inner: "__internal__", list: [1], minus: -1, no: null } };
    expect(refusal(() => render("${inputs.${inputs.key}}", sly))).toBe("REFERENCE_UNKNOWN");
    expect(refusal(() => render("${inputs.${inputs.bad}}", sly))).toBe("REFERENCE_FORBIDDEN 1");
    expect(refusal(() => render("${inputs[inputs.inner]}", sly))).toBe("REFERENCE_FORBIDDEN 1");
    expect(refusal(() => render("${inputs.list[${inputs.minus}]}", sly))).toBe("EXPRESSION_TYPE 1");
    expect(refusal(() => render("${inputs.list[${inputs.no}]}", sly))).toBe("EXPRESSION_TYPE 1");
  });
});

test("a field of a skipped block is null, and nothing inside a text", () => {
  expect(render("${blocks.gone.outputs.f}", world)).toBeNull();
  expect(render("<${blocks.gone.outputs.f}>", world)).toBe("<>");
});

describe("what does not exist is an error that says what does", () => {
  test.each<[string, RegExp]>([
    ["${inputs.object.b}", /It has: "a"/],
    ["${blocks.a.outputs.ecoed}", /Did you mean "echoed"/],
    ["${inputs.list[7]}", /list of 3, indexed from 0 to 2/],
    ["${inputs.list.length}", /list of 3/],
    ["${inputs.x.length}", /is a string and has no members/],
    ["${blocks.a.outputs.toString}", /has no "toString"/],
    ["${blocks.a.outputs.__defineGetter__}", /has no/],
    ['${inputs.list["map"]}', /list of 3/],
    ["${inputs.lst}", /Did you mean "list"/],
    ["${blocks.b.outputs.f}", /no block "b"/],
    ["${globalThis}", /no input and no block/],
    ["${inputs.х}", /no input "х"/],
  ])("%s", (text, message) => {
    expect(() => render(text, world)).toThrow(message);
    expect(refusal(() => render(text, world))).toMatch(/^REFERENCE_UNKNOWN/);
  });
});

describe("refused when parsed, with the position", () => {
  test.each<[string, string]>([
    ["${__proto__}", "REFERENCE_FORBIDDEN 3"],
    ["${inputs.__proto__.polluted}", "REFERENCE_FORBIDDEN 10"],
    ['${inputs["__proto__"]}', "REFERENCE_FORBIDDEN 10"],
    ["${inputs.x.constructor}", "REFERENCE_FORBIDDEN 12"],
    ["${inputs.a.prototype}", "REFERENCE_FORBIDDEN 12"],
    ["${__internal__.executor}", "REFERENCE_FORBIDDEN 3"],
    ["${inputs.${blocks.a.__internal__}}", "REFERENCE_FORBIDDEN 21"],
    ['${inputs["__pro" + "to__"]}', "EXPRESSION_SYNTAX 18"],
    ["${inputs.x", "EXPRESSION_SYNTAX 1"],
    ["text ${", "EXPRESSION_SYNTAX 6"],
    ["${}", "EXPRESSION_SYNTAX 3"],
    ["${1}", "EXPRESSION_SYNTAX 3"],
    ["${inputs.}", "EXPRESSION_SYNTAX 10"],
    ["${inputs..x}", "EXPRESSION_SYNTAX 10"],
    ["${inputs.x y}", "EXPRESSION_SYNTAX 12"],
    ["${inputs.x()}", "EXPRESSION_SYNTAX 11"],
    ["${(inputs.x)}", "EXPRESSION_SYNTAX 3"],
    ["${inputs[${(${inputs.x})}]}", "EXPRESSION_SYNTAX 12"],
    ["${inputs.x\u200b}", "EXPRESSION_SYNTAX 11"],
    ["${inputs.list[-1]}", "EXPRESSION_SYNTAX 15"],
    ["${inputs.list[1.5]}", "EXPRESSION_SYNTAX 16"],
    ["${inputs['a}", "EXPRESSION_SYNTAX 10"],
    ["${inputs['${inputs.x}']}", "EXPRESSION_SYNTAX 11"],
    ["${{ inputs.x }}", "EXPRESSION_SYNTAX 3"],
    [`\${inputs${".e".repeat(60)}}`, "LIMIT_EXCEEDED 107"],
    [`\${inputs.${"e".repeat(5000)}.f}`, "LIMIT_EXCEEDED 1"],
    ["${a.".repeat(400), "LIMIT_EXCEEDED 197"],
    ["${".repeat(400), "LIMIT_EXCEEDED 99"],
  ])("%s", (text, expected) => {
    expect(refusal(() => parseTemplate(text))).toBe(expected);
  });
});

test.each(["${inputs.x == 'yes'}", "${inputs.x:-none}", "${inputs.x//./}", "${inputs.x | upper}", "${inputs.x and inputs.yes}"])(
  "the error for %s says that braces hold one reference, and how a literal brace is written",
  (text) => {
    expect(() => parseTemplate(text)).toThrow('Braces hold one reference: write operators outside of them, and "$${" for a literal "${".');
  },
);

test("the error for a variable of a shell says how it is written", () => {
  expect(() => render("echo ${HOME}", world)).toThrow("a variable of a shell is written $${HOME}.");
});

test("a whole namespace is not a value", () => {
  for (const text of ["${inputs}", "${metadata}", "${blocks}", "${blocks.a}", "${blocks.a.inputs}", "${blocks.a.metadata}"]) {
    expect(refusal(() => render(text, world))).toBe("REFERENCE_FORBIDDEN 1");
  }
});

test("a text longer than a value may be is refused before it is built", () => {
  const big = { inputs: { big: "x".repeat(600_000) } };
  expect(refusal(() => render("${inputs.big}${inputs.big}", big))).toBe("LIMIT_EXCEEDED");
});

test("no text makes the parser throw anything but a WorkflowError", () => {
  const piece = fc.constantFrom(
    "${",
    "}",
    "$${",
    ".",
    "[",
    "]",
    '"',
    "'",
    "inputs",
    "blocks",
    "a",
    "0",
    "\\",
    " ",
    "__proto__",
    "\u{1f600}",
    "\ud800",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
      ),
      (text) => {
        try {
          parseTemplate(text);
        } catch (thrown) {
          expect(isWorkflowError(thrown)).toBe(true);
        }
      },
    ),
    { numRuns: 1_000 },
  );
});

test("a text without references stands for itself", () => {
  fc.assert(
    fc.property(
      fc.string().filter((text) => !text.includes("${")),
      (text) => {
        expect(render(text)).toBe(text);
      },
    ),
  );
});
