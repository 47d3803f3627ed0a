import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, WorkflowError, type ErrorData, type RunEvent } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** Fits the grammar of codes, so that nothing but masking keeps it from being stored. */
const SECRET = "CANARY_7391_XQ";

/** Every member that an error of this package has or tells, found by looking at one. */
function membersOfErrors(): readonly string[] {
  const error = new WorkflowError("BLOCK_FAILED", "x", {
    place: { path: "a", line: 1, column: 1, source: "s" },
    details: { a: 1 },
    cause: new Error("y"),
  });
  const found = new Set([...Object.getOwnPropertyNames(error), ...Object.keys(error.toJSON()), "cause", "name", "stack"]);
  return [...found].filter((name) => name !== "~wavepoint");
}

/** All that can be read of a value, hidden members too, as text. */
function allOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== "object" || value === null) return `${String(value)}\n`;
  if (seen.has(value)) return "";
  seen.add(value);
  return Object.getOwnPropertyNames(value)
    .map((name) => `${name}\n${allOf((value as { readonly [name: string]: unknown })[name], seen)}`)
    .join("");
}

/** An error with the secret in one member. */
function errorWith(member: string): WorkflowError {
  const error = new WorkflowError("BLOCK_FAILED", "It failed.");
  const value = member === "details" || member === "place" ? { path: SECRET, [SECRET]: [SECRET] } : SECRET;
  return Object.defineProperty(error, member, { value: member === "cause" ? new Error(SECRET) : value, configurable: true });
}

const WAYS: { readonly [way: string]: (error: WorkflowError) => unknown } = {
  thrown: (error) => {
    throw error;
  },
  returned: (error) => failure({ ...error.toJSON(), cause: error } as ErrorData),
};

describe("S10: a secret in any member of an error", () => {
  test("the members are found", () => {
    expect(membersOfErrors()).toEqual(
      expect.arrayContaining(["code", "message", "details", "path", "source", "cause", "name", "stack", "place"]),
    );
  });

  test.each(membersOfErrors().flatMap((member) => Object.keys(WAYS).map((way) => [member, way] as const)))(
    "%s, %s",
    async (member, way) => {
      const events: RunEvent[] = [];
      const store = memoryStore();
      let seen = "";
      const block = defineBlock({
        type: "Tells",
        secretInputs: ["key"],
        execute: ({ inputs }) => {
          seen = String(inputs["key"]);
          return WAYS[way]!(member === "toJSON" ? new WorkflowError("BLOCK_FAILED", "x") : errorWith(member)) as never;
        },
      });
      const executor = createExecutor({
        store,
        blocks: [block],
        secrets: () => SECRET,
        host: fakeHost({ autoAdvance: true }),
        onEvent: (event) => void events.push(event),
      });
      const blocks = [{ id: "a", type: "Tells", inputs: { key: "${secrets.KEY}" }, retry: { maxAttempts: 2, delayMs: 1 } }];
      const run = await executor.start({ name: "tells", blocks });
      const result = await run.settled();
      expect(result.status).toBe("failure");
      expect(seen).toBe(SECRET);
      const outside = [events, result, run.getSnapshot(), await run.steps(), await store.read(run.id), await store.head(run.id)];
      expect(allOf(outside)).toContain("failed");
      expect(allOf(outside)).not.toContain(SECRET);
    },
  );
});
