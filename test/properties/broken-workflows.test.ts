import fc from "fast-check";
import { expect, test } from "vitest";
import { builtinBlocks } from "wavepoint/blocks";
import { checkWorkflow } from "wavepoint/yaml";
import type { Workflow } from "wavepoint";
import { ADVICE } from "../../src/core/definition/check/advice.ts";
import { checkDefinition } from "../../src/core/definition/check/check-definition.ts";

const RUNS = { numRuns: "process" in globalThis && process.env["WAVEPOINT_LONG"] !== undefined ? 20_000 : 600 };

const KEYS = (
  "name|version|tags|inputs|inptus|blocks|block|outputs|id|type|tpye|depends_on|dependson|condition|retry|max_attempts|max|delay_ms|max_delay_ms|timeout_ms|" +
  "for_each|max_parallel|max_depth|continue_on_error|path|value|default|enum|secret|required|description|message|a|b|toString|__proto__|constructor|two words"
).split("|");
const TEXTS = (
  "a|b|EchoBlock|Ecko|string|integer|strng|${inputs.a}|${blocks.a.echoed}|${blocks.b.metadata.status}|${each.value}|${each}|${metadata.x}|${a}|${inputs.|" +
  "1 +|${blocks.a.x} == 1 and|__proto__|${inputs.__proto__}|\u202e|two words|"
).split("|");

/** Anything at all, made of the words of the language. */
const anything = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<unknown>(...TEXTS, null, true, 0, 1, -1, 1.5, 1e9, 1e300, [], {}),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie("value"), { maxKeys: 4 }),
  ),
})).value;

const block = fc
  .dictionary(fc.constantFrom(...KEYS), anything, { maxKeys: 5 })
  .chain((rest) =>
    fc
      .record({ id: fc.constantFrom("a", "b", "c"), type: fc.constantFrom("EchoBlock", "GetInput") })
      .map((start) => ({ ...start, ...rest })),
  );

/** A workflow in which some things are right. */
const workflows = fc.oneof(
  anything,
  fc.record({
    name: fc.constant("w"),
    blocks: fc.subarray([
      { id: "a", type: "EchoBlock", inputs: { message: "hello" } },
      { id: "b", type: "EchoBlock", inputs: { message: "${metadata.workflow_name}" } },
    ]),
  }),
  fc.record(
    {
      name: fc.oneof(fc.constant("w"), anything),
      inputs: fc.oneof(fc.dictionary(fc.constantFrom("a", "b", "each"), fc.oneof(fc.constant({ type: "string" }), anything)), anything),
      blocks: fc.oneof(fc.array(fc.oneof(block, anything), { maxLength: 4 }), anything),
      outputs: fc.oneof(fc.dictionary(fc.constantFrom("o", "p"), anything), anything),
      inptus: anything,
    },
    { requiredKeys: [] },
  ),
);

test("any text is checked to the end, and each problem has its place", async () => {
  let sound = 0;
  await fc.assert(
    fc.asyncProperty(workflows, async (written) => {
      const { problems, workflow } = await checkWorkflow(JSON.stringify(written), { blocks: builtinBlocks });
      for (const { code, message, line, column } of problems) {
        expect(code).toMatch(/^[A-Z]+(_[A-Z]+)+$/);
        expect(message).not.toMatch(/undefined|\[object/);
        expect(Math.min(line!, column!)).toBeGreaterThanOrEqual(1);
      }
      expect(workflow === undefined).toBe(problems.some(({ severity }) => severity === "error"));
      if (workflow !== undefined) sound++;
    }),
    RUNS,
  );
  expect(sound).toBeGreaterThan(0);
  expect({}).not.toHaveProperty("polluted");
});

test("any definition in TypeScript is checked to the end and left as it is", () => {
  fc.assert(
    fc.property(workflows, (written) => {
      const before = JSON.stringify(written);
      const blockTypes = new Map(builtinBlocks.map((type) => [type.type, type]));
      for (const { path } of checkDefinition(written as Workflow, { blockTypes, grants: {}, advice: ADVICE }))
        expect(path).toBeTypeOf("string");
      expect(JSON.stringify(written)).toBe(before);
    }),
    RUNS,
  );
});

test("no problem is said twice", async () => {
  await fc.assert(
    fc.asyncProperty(workflows, async (written) => {
      const lines = (await checkWorkflow(JSON.stringify(written))).problems.map(({ code, message, line, column }) =>
        [code, message, line, column].join(),
      );
      expect(lines.length).toBe(new Set(lines).size);
    }),
    RUNS,
  );
});
