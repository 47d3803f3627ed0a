import { describe, expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { createRegistry, describeWorkflow } from "wavepoint/registry";
import { memoryStore } from "wavepoint/store/memory";

const echo = (name: string, more = "") => `name: ${name}\n${more}blocks:\n  - { id: a, type: EchoBlock, inputs: { message: hi } }\n`;
const caller = (name: string, called: string, more = "") =>
  `name: ${name}\nblocks:\n  - { id: go, type: ExecuteWorkflow, ${more}inputs: { workflow: ${called} } }\n`;

const SURVEY = `name: survey
description: Asks for a meal.
version: "2"
author: Ada
tags: [food, form]
inputs:
  guest: { type: string, description: Who eats }
  size: { type: integer, default: 2 }
  course: { type: string, enum: [soup, pie], required: false }
blocks:
  - { id: meal, type: GetInput, description: The wish, inputs: { prompt: "What for \${inputs.guest}?" } }
  - id: each
    type: EchoBlock
    for_each: [1, 2]
    depends_on: [{ block: meal, required: false }]
    condition: \${inputs.size} > 1
    inputs: { message: hi }
outputs:
  meal: \${blocks.meal.input_value}
  size: { value: "\${inputs.size}", type: integer, description: How much }
`;

describe("adding", () => {
  test("keeps what is valid and reports what is not, each with its source", () => {
    const registry = createRegistry({ blocks: builtinBlocks });
    const report = registry.addTexts({
      "good.yaml": echo("good"),
      "broken.yaml": echo("broken").replace("EchoBlock", "EchoBlok"),
      "torn.yaml": "name: [",
    });
    expect(report).toMatchObject({ loaded: [{ name: "good", source: "good.yaml", warnings: [] }], skipped: [], overwritten: [] });
    expect(report.failed).toMatchObject([
      { source: "broken.yaml", problems: [{ code: "BLOCK_TYPE_UNKNOWN", suggestion: "EchoBlock", line: 3, source: "broken.yaml" }] },
      { source: "torn.yaml", problems: [{ code: "YAML_SYNTAX", source: "torn.yaml" }] },
    ]);
    expect(registry.workflows().map(({ name }) => name)).toEqual(["good"]);
  });

  test("hands on the warnings of what was loaded", () => {
    const text = echo("old", "inputs: { x: { type: string } }\n").replace("hi", '"${x}"');
    expect(createRegistry().addText(text).loaded).toMatchObject([{ warnings: [{ code: "REFERENCE_DEPRECATED" }] }]);
  });

  test("checks definitions that were written in TypeScript", () => {
    const registry = createRegistry({ blocks: builtinBlocks });
    const workflow: Workflow = { name: "typed", blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "hi" } }] };
    expect(registry.add(workflow, { source: "typed.ts" }).loaded).toMatchObject([{ name: "typed" }]);
    expect(registry.get("typed")).toBe(workflow);
    const cyclic: Workflow = { name: "cyclic", blocks: [{ id: "a", type: "EchoBlock", dependsOn: ["a"], inputs: { message: "hi" } }] };
    expect(registry.add(cyclic, { source: "c.ts" }).failed).toMatchObject([
      { source: "c.ts", problems: [{ code: "DEPENDENCY_CYCLE", source: "c.ts", path: "blocks[0].dependsOn[0]" }] },
    ]);
  });

  test("leaves the look-up of names to what was added", () => {
    const registry = createRegistry();
    expect([registry.has("constructor"), registry.get("__proto__"), registry.has("toString")]).toEqual([false, undefined, false]);
  });
});

describe("a second workflow of a name", () => {
  const texts = { "first.yaml": echo("tea", "version: first\n"), "second.yaml": echo("tea", "version: second\n") };

  test("is left out by default: the first one wins", () => {
    const registry = createRegistry();
    const report = registry.addTexts(texts);
    expect(report.skipped).toMatchObject([{ name: "tea", source: "second.yaml", other: "first.yaml" }]);
    expect(registry.list()).toMatchObject([{ version: "first", source: "first.yaml" }]);
  });

  test("takes the place of the first one where that is asked for", () => {
    const registry = createRegistry();
    const report = registry.addTexts(texts, { onDuplicate: "overwrite" });
    expect(report.overwritten).toMatchObject([{ name: "tea", source: "second.yaml", other: "first.yaml" }]);
    expect(registry.list()).toMatchObject([{ version: "second", source: "second.yaml" }]);
  });

  test("is a failure where that is asked for, and the first one stays", () => {
    const registry = createRegistry();
    const { failed } = registry.addTexts(texts, { onDuplicate: "error" });
    expect(failed).toMatchObject([{ source: "second.yaml", problems: [{ code: "WORKFLOW_DUPLICATE", line: 1, column: 7 }] }]);
    expect(failed[0]!.problems[0]!.message).toContain("first.yaml");
    expect(registry.list()).toMatchObject([{ version: "first" }]);
  });
});

describe("lists", () => {
  test("are by name, and by tags hold what has all of them", () => {
    const registry = createRegistry();
    registry.addTexts({
      "b.yaml": echo("b", "tags: [python, test]\n"),
      "a.yaml": echo("a", "tags: [test, python, ci]\n"),
      "c.yaml": echo("c", "tags: [python]\n"),
      "d.yaml": echo("d"),
    });
    const names = (tags?: readonly string[]) => registry.list(tags ? { tags } : {}).map(({ name }) => name);
    expect(names()).toEqual(["a", "b", "c", "d"]);
    expect(names(["python", "test"])).toEqual(["a", "b"]);
    expect(names(["python", "test", "ci"])).toEqual(["a"]);
    expect(names(["pyth"])).toEqual([]);
    expect(names([])).toEqual(["a", "b", "c", "d"]);
  });

  test("hold what tells workflows apart, and not more", () => {
    const registry = createRegistry();
    registry.addText(SURVEY, { source: "survey.yaml" });
    expect(registry.list()).toEqual([
      {
        name: "survey",
        description: "Asks for a meal.",
        version: "2",
        author: "Ada",
        tags: ["food", "form"],
        source: "survey.yaml",
        totalBlocks: 2,
        totalWaves: 2,
      },
    ]);
  });
});

describe("full information", () => {
  test("tells inputs, blocks, waves and outputs", () => {
    const registry = createRegistry();
    registry.addText(SURVEY);
    expect(registry.info("survey")).toMatchObject({
      inputs: [
        { name: "guest", type: "string", description: "Who eats", required: true, secret: false },
        { name: "size", type: "integer", required: false, default: 2 },
        { name: "course", type: "string", required: false, enum: ["soup", "pie"] },
      ],
      blocks: [
        { id: "meal", type: "GetInput", description: "The wish", dependsOn: [], wave: 0 },
        { id: "each", dependsOn: [{ block: "meal", required: false }], condition: "${inputs.size} > 1", forEach: [1, 2], wave: 1 },
      ],
      waves: [["meal"], ["each"]],
      outputs: [
        { name: "meal", value: "${blocks.meal.input_value}" },
        { name: "size", value: "${inputs.size}", type: "integer", description: "How much" },
      ],
    });
  });

  test("of a workflow that is not there is an error that says which was meant", () => {
    const registry = createRegistry();
    registry.addText(SURVEY);
    expect(() => registry.info("survy")).toThrow(
      expect.objectContaining({ code: "WORKFLOW_NOT_FOUND", details: { workflow: "survy", suggestion: "survey" } }),
    );
  });
});

describe("the check of all workflows together", () => {
  async function problemsOf(...texts: readonly string[]) {
    const registry = createRegistry({ blocks: builtinBlocks });
    const { failed } = registry.addTexts(Object.fromEntries(texts.map((text, i) => [`${i}.yaml`, text])));
    expect(failed).toEqual([]);
    return registry.check();
  }

  test("finds nothing where calls lead somewhere and end", async () => {
    const texts = [
      caller("a", "c"),
      caller("b", "c"),
      caller("c", "d"),
      echo("d"),
      caller("e", '"${inputs.x}"').replace("blocks", "inputs: { x: { type: string } }\nblocks"),
    ];
    expect(await problemsOf(...texts)).toEqual([]);
  });

  test("names the workflow that was meant by a call", async () => {
    expect(await problemsOf(caller("a", "invoce"), echo("invoice"))).toMatchObject([
      { code: "WORKFLOW_NOT_FOUND", suggestion: "invoice", source: "0.yaml", line: 3, path: "blocks[0].inputs.workflow" },
    ]);
  });

  test("finds calls in a circle, once for each", async () => {
    const found = await problemsOf(caller("a", "b"), caller("b", "c"), caller("c", "a"), caller("self", "self"), caller("way", "a"));
    expect(found).toMatchObject([
      { code: "WORKFLOW_CIRCULAR", source: "2.yaml", details: { chain: ["a", "b", "c", "a"] } },
      { code: "WORKFLOW_CIRCULAR", source: "3.yaml", details: { chain: ["self", "self"] } },
    ]);
  });

  test("lets a recursion be that has a bound", async () => {
    expect(await problemsOf(caller("a", "b"), caller("b", "a", "max_depth: 3, "))).toEqual([]);
  });

  test("asks the block types about their inputs", async () => {
    const text = 'name: ask\nblocks:\n  - { id: a, type: GetInput, inputs: { prompt: p, validation_pattern: "(" } }\n';
    expect(await problemsOf(text)).toMatchObject([{ code: "PATTERN_INVALID", source: "0.yaml", line: 3 }]);
  });

  test("takes a chain of thousands of workflows", async () => {
    const count = 3_000;
    const registry = createRegistry();
    for (let i = 0; i < count; i++) {
      const inputs = { workflow: `w${(i + 1) % count}` };
      registry.add({ name: `w${i}`, blocks: [{ id: "go", type: "ExecuteWorkflow", inputs }] });
    }
    expect(await registry.check()).toMatchObject([{ code: "WORKFLOW_CIRCULAR" }]);
  });
});

describe("a call of a workflow that is there and did not load", () => {
  const broken: Record<string, [string, string, RegExp]> = {
    "no YAML": ["flows/inner.yaml", "name: inner\nblocks: [\n", /flows\/inner\.yaml:3:1: This is not valid YAML\./],
    "a mistake in it": ["flows/other.yaml", echo("inner").replace("EchoBlock", "EchoBlok"), /flows\/other\.yaml:3:\d+: .*EchoBlok/],
    "a text that does not even tell its name": ["flows/inner.yml", "[", /flows\/inner\.yml:1:2: This is not valid YAML\./],
    "JSON that is cut off": ["flows/other.yaml", '{\n"name": "inner", "blocks": [', /flows\/other\.yaml:2:29: This is not valid YAML\./],
  };

  test.each(Object.entries(broken))("says so, and why: %s", async (_, [source, text, reason]) => {
    const registry = createRegistry({ blocks: builtinBlocks });
    const { failed } = registry.addTexts({ "a.yaml": caller("outer", "inner"), [source]: text, "b.yaml": echo("inmer") });
    expect(failed).toMatchObject([{ name: "inner", source }]);
    const [problem, ...others] = await registry.check();
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code: "WORKFLOW_NOT_FOUND", source: "a.yaml", line: 3, details: { failure: { source } } });
    expect(problem!.message).toMatch(reason);
    expect(problem!.message).toContain('calls the workflow "inner", which did not load.');
    expect(() => registry.info("inner")).toThrow(expect.objectContaining({ message: expect.stringMatching(reason) }));

    const executor = createExecutor({ store: memoryStore(), workflows: [...registry.workflows()] });
    const { error } = await (await executor.start("outer")).settled();
    expect(error).toMatchObject({ code: "WORKFLOW_NOT_FOUND", details: { workflow: "inner", failure: { source } } });
    expect(error!.message).toMatch(reason);
    await expect(executor.start("inner")).rejects.toMatchObject({ message: expect.stringMatching(reason) });
    await executor.close();
  });

  test("says so where it could not be read at all", async () => {
    const registry = createRegistry();
    registry.addText(caller("outer", "inner"));
    const error = { code: "FILE_ENCODING", message: "This is no text in UTF-8. Save it as UTF-8." } as const;
    expect(registry.addFailure("flows/inner.yaml", error)).toMatchObject({ failed: [{ name: "inner", problems: [error] }] });
    const [problem] = await registry.check();
    expect(problem!.message).toContain("which did not load. flows/inner.yaml: This is no text in UTF-8.");
  });

  test("is found again once its text was mended, or another one has its name", async () => {
    const registry = createRegistry({ blocks: builtinBlocks });
    registry.addTexts({ "a.yaml": caller("outer", "inner"), "inner.yaml": "name: [" });
    registry.addText(echo("elsewhere"), { source: "inner.yaml" });
    expect((await registry.check())[0]!.message).toContain("which is not there.");
    registry.addTexts({ "b.yaml": echo("inner"), "c.yaml": echo("inner").replace("EchoBlock", "EchoBlok") });
    expect(await registry.check()).toEqual([]);
  });
});

test("an executor takes the workflows of a registry", async () => {
  const registry = createRegistry();
  registry.addTexts({ "a.yaml": caller("outer", "inner"), "b.yaml": echo("inner", "outputs: { said: x }\n") });
  const executor = createExecutor({ store: memoryStore(), workflows: registry.workflows() });
  const run = await executor.start("outer");
  expect(await run.settled()).toMatchObject({ status: "success" });
  await executor.close();
});

test("a workflow is described without a registry, and one whose blocks have no order is refused", () => {
  const registry = createRegistry();
  registry.addText(SURVEY);
  expect(describeWorkflow({ workflow: registry.get("survey")! })).toEqual(registry.info("survey"));
  const circular = { name: "circular", blocks: [{ id: "a", type: "EchoBlock", dependsOn: ["a"] }] };
  expect(() => describeWorkflow({ workflow: circular })).toThrow(expect.objectContaining({ code: "DEPENDENCY_CYCLE" }));
});
