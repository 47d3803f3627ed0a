import { describe, expect, test } from "vitest";
import type { Block, Workflow } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { checkDefinition } from "../../../src/core/definition/check/check-definition.ts";
import { compileWorkflow } from "../../../src/core/definition/compile.ts";

type Before = (i: number) => readonly number[];

/** Blocks that wait for blocks before them, and read what those gave. */
function workflowOf(count: number, before: Before): Workflow {
  const blocks = Array.from({ length: count }, (_, i): Block => {
    const ids = i === 0 ? [] : [...new Set(before(i))].map((other) => `b${other}`);
    return {
      id: `b${i}`,
      type: "EchoBlock",
      dependsOn: ids,
      inputs: { message: `at ${ids.map((id) => `\${blocks.${id}.echoed}`).join(" ")}` },
      ...(ids[0] === undefined ? {} : { condition: `\${blocks.${ids[0]}.succeeded}` }),
    };
  });
  return { name: "w", blocks, outputs: { last: `\${blocks.b${count - 1}.echoed}` } };
}

/** How often something of a definition is read while `work` works on it. */
function countReads(workflow: Workflow, work: (workflow: Workflow) => void): number {
  let reads = 0;
  const watch = <T>(value: T): T => {
    if (typeof value !== "object" || value === null) return value;
    return new Proxy(value, {
      get(target, key) {
        reads++;
        return watch(Reflect.get(target, key) as unknown);
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target);
        reads += keys.length;
        return keys;
      },
    });
  };
  work(watch(workflow));
  return reads;
}

const shapes: readonly (readonly [string, Before])[] = [
  ["a chain", (i) => [i - 1]],
  ["a tree", (i) => [i >> 1]],
  ["a web", (i) => [i - 1, Math.max(0, i - 7), i >> 1]],
  ["one block that all wait for", () => [0]],
];

describe("twice the blocks are twice the work", () => {
  test.each(shapes)("to check %s", (_, before) => {
    const blockTypes = new Map(builtinBlocks.map((type) => [type.type, type]));
    const check = (workflow: Workflow): void => {
      expect(checkDefinition(workflow, { blockTypes }).filter(({ severity }) => severity === "error")).toEqual([]);
    };
    expectTwice(countReads(workflowOf(400, before), check), countReads(workflowOf(800, before), check));
  });

  test.each(shapes)("to plan and compile %s", (_, before) => {
    const compile = (workflow: Workflow): void => {
      const compiled = compileWorkflow(workflow);
      for (let i = 0; i < compiled.plan.ids.length; i++) compiled.block(i);
    };
    expectTwice(countReads(workflowOf(400, before), compile), countReads(workflowOf(800, before), compile));
  });
});

function expectTwice(few: number, many: number): void {
  expect(few).toBeGreaterThan(5_000);
  expect(many / few).toBeLessThan(2.02);
}
