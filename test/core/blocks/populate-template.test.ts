import { describe, expect, test } from "vitest";
import { populateTemplateBlock } from "../../../src/core/blocks/populate-template.ts";
import { MAX_TEMPLATE_LENGTH } from "../../../src/core/blocks/template/render.ts";
import type { Values } from "../../../src/core/model/value.ts";
import { runBlock } from "./block-stage.ts";

function populate(template: string, variables: Values = {}, strict = false): Promise<unknown> {
  return runBlock(populateTemplateBlock, { template, variables, strict });
}

async function rendered(template: string, variables?: Values, strict?: boolean): Promise<unknown> {
  const result = await populate(template, variables, strict);
  return (result as { outputs?: { rendered: unknown } }).outputs?.rendered ?? result;
}

const long = "ab".repeat(250_000);
const many = Array.from({ length: 100_000 }, (_, index) => index);

describe("PopulateTemplate", () => {
  test("fills a template and says so", async () => {
    expect(await populate("Dear {{ name }}, you owe {{ amount }}.", { name: "Zed", amount: 12 })).toEqual({
      status: "success",
      outputs: { rendered: "Dear Zed, you owe 12.", success: true },
    });
  });

  test("tells of files, however large, without looking into them", async () => {
    const bytes = new Uint8Array(5_000_000);
    const photos = [{ name: "pier.jpg", type: "image/jpeg", size: bytes.length, bytes }];
    const template =
      "{{ photos | length }}: {% for photo in photos %}{{ photo.name }}, {{ photo.size }}{{ photo.bytes or '' }}{% endfor %}";
    expect(await rendered(template, { photos, note: "north" } as unknown as Values)).toBe("1: pier.jpg, 5000000");
  });

  test.each<[string, Values, string]>([
    ["{% for i in items %}<{{ i }}>{% endfor %}{% if items %} some{% else %} none{% endif %}", { items: ["a", "b"] }, "<a><b> some"],
    ["{% for i in items %}{{ i }}{% else %}none{% endfor %}", { items: [] }, "none"],
    ["{% for k, v in d.items() %}{{ loop.index }}{{ k }}={{ v }};{% endfor %}", { d: { a: 1, b: 2 } }, "1a=1;2b=2;"],
    ["{% for i in range(3) %}{{ i }}{% endfor %}{{ range(4, 0, -2) | join(',') }}", {}, "0124,2"],
    ["{{ a.b[1].c }} {{ a['b'][0] }}", { a: { b: [true, { c: 1.5 }] } }, "1.5 true"],
    [
      "{{ x | upper }} {{ l | join('-') }} {{ m | default('none') }} {{ o | tojson }}",
      { x: "a", l: [1, 2], o: { p: null } },
      'A 1-2 none {"p": null}',
    ],
    ["{{ o | tojson(indent=1) }}", { o: { p: [1] } }, '{\n "p": [\n  1\n ]\n}'],
    ["{{ a.replace('o', '0') }} {{ a | replace('l', 'L') }}", { a: "hello" }, "hell0 heLLo"],
    ["{{ 'aXbXc' | replace('X', '.*', 1) }} {{ 'a+a' | replace('+', '$&') }} {{ 'aa'.replace('a', 'b', count=1) }}", {}, "a.*bXc a$&a ba"],
    ["{{ 'a😀' | replace('', '-') }} {{ 'aaa'.replace('a', 'b', 0) }}", {}, "-a-😀- aaa"],
    ["{{ l | sort(attribute='n') | map(attribute='n') | join }}", { l: [{ n: 2 }, { n: 1 }] }, "12"],
    ["{% set n = namespace(sum=0) %}{% for i in l %}{% set n.sum = n.sum + i %}{% endfor %}{{ n.sum }}", { l: [1, 2, 3] }, "6"],
    ["{% macro hi(x) %}<{{ x }}>{% endmacro %}{{ hi(1) }}{{ hi('b') }}", {}, "<1><b>"],
    ["line\n{% if true %}\nkept\n{% endif %}\nend\n", {}, "line\n\nkept\n\nend"],
    ["{{ nothing }}[{{ nothing.deeper }}]{{ empty }}", { empty: null }, "[]"],
    ["[{{ [] | first }}]", {}, "[]"],
    ["{{ range }}", { range: "mine" }, "mine"],
    ["{{ text }}", { text: "{{ data }} {% stays %} data" }, "{{ data }} {% stays %} data"],
  ])("renders %s", async (template, variables, text) => {
    expect(await rendered(template, variables)).toBe(text);
  });

  test("renders ten thousand rows", async () => {
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ name: `n${index}`, tags: ["x", "y"] }));
    const text = await rendered("{% for r in rows %}{{ r.name | upper }} {{ r.tags | join(', ') }}\n{% endfor %}", { rows });
    expect(String(text).split("\n")[9_999]).toBe("N9999 x, y");
  });

  describe("in strict mode", () => {
    test.each([
      ["{{ name }}", '"name" is not defined'],
      ["{{ who.name }}", '"name" is not defined'],
      ["{{ who['name'] }}", "A member the template asks for is not defined"],
      ["{% if name %}{% endif %}", '"name" is not defined'],
      ["{% for i in names %}{% endfor %}", '"names" is not defined'],
    ])("%s is an error", async (template, message) => {
      expect(await populate(template, { who: {} }, true)).toMatchObject({
        status: "failure",
        error: { code: "TEMPLATE_INVALID", message: expect.stringContaining(message) },
      });
    });

    test.each([
      ["{{ name | default('you') }}", "you"],
      ["{% if name is defined %}a{% else %}b{% endif %}{{ who.name is undefined }}", "btrue"],
      ["{{ who.age }}", "3"],
    ])("%s is none", async (template, text) => {
      expect(await rendered(template, { who: { age: 3 } }, true)).toBe(text);
    });
  });

  test.each([
    "{% if %}",
    "{{ a",
    "{% for %}",
    "{% endfor %}",
    "{{ 1 | nope }}",
    "{{ nope() }}",
    "{{ 1 + nothing }}",
    "{{ range('x') }}",
    "{% set a.b = 1 %}",
  ])("fails with %s", async (template) => {
    expect(await populate(template)).toMatchObject({ status: "failure", error: { code: "TEMPLATE_INVALID" } });
  });

  test("sees own properties only", async () => {
    const template =
      "{{ x.__proto__ }}{{ x.constructor }}{{ x['toString'] }}{{ ''.constructor }}{{ [].constructor }}{{ constructor }}{{ __proto__ }}{{ globalThis }}";
    expect(await rendered(template, { x: { a: 1 } })).toBe("");
    expect(await rendered("{{ x.__proto__.y }}", JSON.parse('{"x": {"__proto__": {"y": "own"}}}') as Values)).toBe("own");
    expect(Object.hasOwn(Object.prototype, "y")).toBe(false);
  });

  test("has no clock", async () => {
    expect(await rendered("{{ strftime_now is defined }}")).toBe("false");
  });

  const endless = "{% for a in range(99999) %}{% for b in range(99999) %}";
  const ends = "{% endfor %}{% endfor %}";
  test.each<[what: string, template: string, variables?: Values]>([
    ["a huge range", "{{ range(1000000000) | length }}"],
    ["loops in loops", `${endless}${ends}`],
    ["loops in loops that print", `${endless}some text${ends}`],
    ["loops in loops that go on", `${endless}{% continue %}${ends}`],
    ["loops over names that are not there", `${endless}{{ nothing }}${ends}`],
    ["loops over a long list, one after another", "{% for i in many %}{% endfor %}".repeat(50), { many: many.slice(0, 50_000) }],
    ["texts that double", `{% set a = 'xx' %}${"{% set a = a ~ a %}".repeat(40)}{{ a }}`],
    ["lists that double", `{% set a = [1] %}${"{% set a = a + a %}".repeat(40)}{{ a | length }}`],
    ["lists in lists that double", `{% set a = [1] %}${"{% set a = [a, a] %}".repeat(40)}{{ a }}`],
    ["a list joined by a long text", "{{ many | join(long) }}", { many, long }],
    ["lines indented by a million", "{{ text | indent(1000000) }}", { text: "x\n".repeat(1_000) }],
    ["a replacement that grows", "{{ long | replace('', long) }}", { long }],
    ["a method that grows", "{{ long.replace('', long) }}", { long }],
    ["a method that grows under another name", "{% set grow = long.replace %}{{ grow('a', long) }}", { long }],
    ["JSON that is mostly blanks", "{{ list | tojson(indent=100000) }}", { list: many.slice(0, 1_000) }],
    ["JSON that is mostly separators", "{{ list | tojson(separators=[long, long]) }}", { list: many.slice(0, 1_000), long }],
    ["a long attribute for many items", "{{ list | map(attribute=long) }}", { list: many.slice(0, 10_000).map(() => ({})), long }],
    ["many slices of a long text", "{% for i in range(99999) %}{{ long[0:1] }}{% endfor %}", { long }],
    ["many searches in a long text", "{% for i in range(99999) %}{{ 'c' in long }}{% endfor %}", { long }],
    [
      "many calls of a method of a long text",
      "{% for i in range(99999) %}{{ blanks.strip() }}{% endfor %}",
      { blanks: " ".repeat(500_000) },
    ],
    ["a macro that calls itself", "{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}"],
    [
      "a long macro defined again and again",
      `{% for i in range(99999) %}{% macro f(x) %}${"{{ x }}".repeat(5_000)}{% endmacro %}{% endfor %}`,
    ],
    ["too long a template", "x".repeat(MAX_TEMPLATE_LENGTH + 1)],
    ["too many blanks in a row", `${" ".repeat(60_000)}{{ 1 }}`],
    ["too much text", "{{ long }}{{ long }}{{ long }}", { long }],
  ])("ends %s", async (_, template, variables) => {
    expect(await populate(template, variables)).toMatchObject({ status: "failure", error: { code: "LIMIT_EXCEEDED" } });
  });

  test.each<[what: string, template: string, variables?: Values]>([
    ["brackets in brackets", `{{ ${"[".repeat(30_000)}${"]".repeat(30_000)} }}`],
    ["parentheses in parentheses", `{{ ${"(".repeat(30_000)}1${")".repeat(30_000)} }}`],
    ["a namespace in itself", "{% set n = namespace(x=1) %}{% set n.x = n %}{{ n }}"],
    ["a growing filter around a block", "{% filter replace('a', 'bbbb') %}a{% endfilter %}"],
    ["unpacked arguments of a growing filter", "{{ 'a' | replace(*['a', 'b']) }}"],
  ])("refuses %s", async (_, template, variables) => {
    expect(await populate(template, variables)).toMatchObject({ status: "failure", error: { code: "TEMPLATE_INVALID" } });
  });

  test("gives the same after any number of hostile templates", async () => {
    for (let time = 0; time < 3; time++) expect(await populate(`${endless}${ends}`)).toMatchObject({ error: { code: "LIMIT_EXCEEDED" } });
    expect(await rendered("{{ a }}", { a: 1 })).toBe("1");
  });

  test.each([
    [{}, "template is required"],
    [{ template: "", variables: [] }, "variables must be an object"],
    [{ template: "", strict: "yes" }, "strict must be a boolean"],
    [{ template: "", vars: {} }, "vars is not known here; known are: template, variables, strict, type"],
  ])("refuses the inputs %j", async (inputs, problem) => {
    expect(await runBlock(populateTemplateBlock, inputs)).toBe(problem);
  });
});

describe("a type gives a value beside the text", () => {
  const typed = async (template: string, type: string, variables: Values = {}): Promise<unknown> => {
    const result = await runBlock(populateTemplateBlock, { template, variables, strict: false, type });
    return (result as { outputs?: { value: unknown } }).outputs?.value ?? result;
  };

  test.each<[string, string, unknown]>([
    ["{{ 6 * 7 }}", "integer", 42],
    [" {{ 1 / 2 }}\n", "number", 0.5],
    ["{{ 1 < 2 }}", "boolean", true],
    ["{{ rows | tojson }}", "array", [{ name: 'a "quote"' }]],
    ["{% for row in rows %}{{ {'n': row.name} | tojson }}{% endfor %}", "object", { n: 'a "quote"' }],
    ["{{ 1 }}", "string", "1"],
  ])("%s as %s", async (template, type, value) => {
    expect(await typed(template, type, { rows: [{ name: 'a "quote"' }] })).toEqual(value);
  });

  test.each([
    ["many", "integer"],
    ["1.5", "integer"],
    ["[1", "array"],
    ["{}", "array"],
    ["maybe", "boolean"],
  ])("%s is no %s: the block fails", async (template, type) => {
    expect(await typed(template, type)).toMatchObject({ status: "failure", error: { code: "OUTPUT_INVALID" } });
  });
});
