import { expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { checkWorkflow } from "wavepoint/yaml";

async function render(template: string, variables: Record<string, unknown> = {}): Promise<string> {
  const engine = createExecutor({ store: memoryStore() });
  try {
    const inputs = { template, variables: variables as never };
    await engine.load({
      name: "it",
      blocks: [{ id: "a", type: "PopulateTemplate", inputs }],
      outputs: { text: "${blocks.a.outputs.rendered}" },
    });
    const { outputs, error } = await (await engine.start("it")).settled();
    if (error) throw new Error(`at run time: ${error.message}`);
    return String(outputs?.["text"]);
  } finally {
    await engine.close();
  }
}

/** What the documentation of Jinja 3.1 says that comes of it. */
const RENDERED: readonly (readonly [template: string, text: string, variables?: Record<string, unknown>])[] = [
  ["{{ -4 | abs }}", "4"],
  ["{{ 'hELLO wORLD' | capitalize }}", "Hello world"],
  ["{{ x | default('none') }}", "none"],
  ["{% for k, v in m | dictsort %}{{ k }}{{ v }} {% endfor %}", "a2 b1 ", { m: { b: 1, a: 2 } }],
  ["{{ [3, 1] | first }}", "3"],
  ["{{ '4.5' | float }}", "4.5"],
  ["{{ 'a\nb' | indent(2) }}", "a\n  b"],
  ["{{ '42' | int }}", "42"],
  ["{% for k, v in m | items %}{{ k }}{{ v }} {% endfor %}", "b1 a2 ", { m: { b: 1, a: 2 } }],
  ["{{ [1, 2] | join('-') }}", "1-2"],
  ["{{ [3, 1] | last }}", "1"],
  ["{{ 'abc' | length }}{{ [1] | length }}{{ {'a': 1} | length }}", "311"],
  ["{{ [1, 2] | list | length }}", "2"],
  ["{{ 'AbC' | lower }}", "abc"],
  ["{{ l | map(attribute='n') | join(',') }}", "1,2", { l: [{ n: 1 }, { n: 2 }] }],
  [
    "{{ l | rejectattr('ok') | map(attribute='n') | join }}",
    "2",
    {
      l: [
        { n: 1, ok: true },
        { n: 2, ok: false },
      ],
    },
  ],
  [
    "{{ l | selectattr('ok') | map(attribute='n') | join }}",
    "1",
    {
      l: [
        { n: 1, ok: true },
        { n: 2, ok: false },
      ],
    },
  ],
  ["{{ 'a-a' | replace('a', 'b') }}", "b-b"],
  ["{{ [1, 2] | reverse | join }}", "21"],
  ["{{ '<a>' | safe }}", "<a>"],
  ["{{ [3, 1, 2] | sort | join }}", "123"],
  ["{{ 4 | string }}", "4"],
  ["{{ 'hELLO wORLD-a (b) it\\'s' | title }}", "Hello World-A (B) It's"],
  ["{{ t | tojson }}", '"\\u003cb\\u003e \\u0026 \\u0027"', { t: "<b> & '" }],
  ["{{ ' a ' | trim }}", "a"],
  ["{{ ['foo', 'bar', 'foobar', 'FooBar'] | unique | join(' ') }}", "foo bar foobar"],
  ["{{ 'a' | upper }}", "A"],
  ["{{ true is boolean }}{{ range is callable }}{{ x is defined }}{{ x is undefined }}", "truetruefalsetrue"],
  ["{{ 4 is even }}{{ 4 is odd }}{{ false is false }}{{ true is true }}{{ none is none }}", "truefalsetruetruetrue"],
  ["{{ 4 is integer }}{{ 4 is number }}{{ 'a' is string }}{{ {} is mapping }}{{ [] is mapping }}", "truetruetruetruefalse"],
  ["{{ [] is iterable }}{{ {} is iterable }}{{ 'a' is iterable }}{{ 4 is iterable }}{{ 4 is not iterable }}", "truetruetruefalsetrue"],
  ["{{ [] is sequence }}{{ {} is sequence }}{{ 'a' is sequence }}{{ 4 is sequence }}", "truetruetruefalse"],
  ["{{ 'a' is lower }}{{ 'A' is upper }}", "truetrue"],
  ["{% if 1 > 2 %}a{% elif 2 > 1 %}b{% else %}c{% endif %}", "b"],
  ["{% for i in [1, 2] %}{{ loop.index }}{% else %}none{% endfor %}", "12"],
  ["{% for i in [1, 2, 3] %}{% if i == 2 %}{% continue %}{% endif %}{{ i }}{% endfor %}", "13"],
  ["{% for i in [1, 2, 3] %}{% if i == 2 %}{% break %}{% endif %}{{ i }}{% endfor %}", "1"],
  ["{% for i in [1, 2] %}{% if loop.first %}{% set y = 'set' %}{% endif %}[{{ y }}]{% endfor %}{{ y }}", "[set][]"],
  ["{% set x = 0 %}{% for i in [1, 2] %}{% set x = i %}{{ x }}{% endfor %}{{ x }}", "120"],
  ["{% set x %}a{% endset %}{{ x }}", "a"],
  ["{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}", "12"],
  ["{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}x{% endcall %}", "[x]"],
  ["{% filter upper %}a{% endfilter %}", "A"],
  ["{% set n = namespace(s=0) %}{% for i in [1, 2] %}{% set n.s = n.s + i %}{% endfor %}{{ n.s }}", "3"],
  ["{{ range(3) | join }}{# a comment #}", "012"],
];

test.each(RENDERED.map(([template, text, variables]) => ({ template, text, variables })))(
  "$template",
  async ({ template, text, variables }) => {
    expect(await render(template, variables)).toBe(text);
  },
);

const REFUSED: Readonly<Record<string, string>> = {
  filter:
    "attr batch center count d e escape filesizeformat forceescape format groupby max min pprint random reject round select slice striptags sum truncate urlencode urlize wordcount wordwrap xmlattr",
  test: "divisibleby eq equalto escaped filter float ge gt greaterthan in le lessthan lt ne sameas test",
  statement: "raw block extends include import from with autoescape do trans debug",
  function: "lipsum dict cycler joiner",
};
const SPELLING: Readonly<Record<string, (name: string) => string>> = {
  filter: (name) => `a\n{{ x | ${name}(1) }}`,
  test: (name) => `a\n{{ x is not ${name}(1) }}`,
  statement: (name) => `a\n{% ${name} x %}`,
  function: (name) => `a\n{{ ${name}() }}`,
};

test.each(Object.entries(REFUSED).flatMap(([kind, names]) => names.split(" ").map((name) => [kind, name] as const)))(
  "the %s %s is refused by its name when the workflow is loaded",
  async (kind, name) => {
    await expect(render(SPELLING[kind]!(name))).rejects.toMatchObject({
      code: "TEMPLATE_INVALID",
      message: expect.stringContaining(`the ${kind} "${name}" (line `),
    });
  },
);

/** What `checkWorkflow` finds in a template, for a block that renders it and for one that writes it to a file. */
async function problemsOf(template: string): Promise<readonly unknown[]> {
  const found = [];
  for (const type of ["PopulateTemplate", "RenderTemplate"]) {
    const block = `{ id: a, type: ${type}, inputs: { template: ${JSON.stringify(template)}, variables: { x: 1 } } }`;
    found.push((await checkWorkflow(`name: it\ninputs: { v: { type: string, default: upper } }\nblocks:\n  - ${block}\n`)).problems);
  }
  expect(found[0]).toMatchObject((found[1] ?? []).map(({ code, message, path }) => ({ code, message, path })));
  return found[0]!;
}

test.each([
  ["e ${inputs.v}\n{{ x | e }}", 'the filter "e" (line 2)'],
  ["{{ '${inputs.v}' | replace('\\n', '') | center }}\n${inputs.v}", 'the filter "center" (line 1)'],
  ["{% if ${inputs.v} is divisibleby(2) %}a{% endif %}", 'the test "divisibleby" (line 1)'],
  ["${inputs.v}{% include 'a' %}", 'the statement "include" (line 1)'],
  ["$${a}\n\n{{ dict(a=${inputs.v}) }}", 'the function "dict" (line 3)'],
])("%j beside references is refused by its name when the workflow is loaded", async (template, message) => {
  expect(await problemsOf(template)).toMatchObject([
    {
      severity: "error",
      code: "TEMPLATE_INVALID",
      path: "blocks[0].inputs.template",
      line: 4,
      message: expect.stringContaining(message),
    },
  ]);
});

test.each([
  "{{ x | ${inputs.v} }}",
  "{{ x | up${inputs.v} }}",
  "{{ x | ${inputs.v}per }}",
  "{{ x is ${inputs.v} }}{{ x is not ${inputs.v} }}",
  "{% ${inputs.v} x %}",
  "{{ dict${inputs.v}() }}",
  "${inputs.v}",
  "{{ '${inputs.v}' | upper }}",
])("%s is left until its references are known", async (template) => {
  expect(await problemsOf(template)).toEqual([]);
});
