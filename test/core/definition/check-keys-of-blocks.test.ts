import { describe, expect, test } from "vitest";
import type { InputDeclaration, RetryPolicy } from "wavepoint";
import { checkWorkflow } from "wavepoint/yaml";
import { checkDefinition } from "../../../src/core/definition/check/check-definition.ts";

describe("retry", () => {
  const check = (retry: RetryPolicy) => checkDefinition({ name: "w", blocks: [{ id: "a", type: "Echo", retry }] });

  test.each<[string, RetryPolicy]>([
    ["one attempt", { maxAttempts: 1 }],
    ["a hundred attempts without delay", { maxAttempts: 100, delayMs: 0, backoff: 1, jitter: 0 }],
    ["delays that do not grow", { maxAttempts: 3, delayMs: 500, maxDelayMs: 500, jitter: 1 }],
    ["a delay as long as the longest one there is unless it is given", { maxAttempts: 2, delayMs: 60_000 }],
  ])("%s is fine", (_, retry) => {
    expect(check(retry)).toEqual([]);
  });

  test.each<[string, RetryPolicy, string]>([
    ["no attempt", { maxAttempts: 0 }, "SCHEMA_INVALID blocks[0].retry.maxAttempts"],
    ["a billion attempts", { maxAttempts: 1e9 }, "LIMIT_EXCEEDED blocks[0].retry.maxAttempts"],
    ["a delay that no timer holds", { maxAttempts: 2, delayMs: 2 ** 31, maxDelayMs: 5 }, "LIMIT_EXCEEDED blocks[0].retry.delayMs"],
    ["half an attempt", { maxAttempts: 1.5 }, "SCHEMA_INVALID blocks[0].retry.maxAttempts"],
    ["a negative delay", { maxAttempts: 2, delayMs: -1 }, "SCHEMA_INVALID blocks[0].retry.delayMs"],
    ["delays that shrink", { maxAttempts: 2, backoff: 0.5 }, "SCHEMA_INVALID blocks[0].retry.backoff"],
    ["delays that explode", { maxAttempts: 2, backoff: 11 }, "SCHEMA_INVALID blocks[0].retry.backoff"],
    ["more chance than there is", { maxAttempts: 2, jitter: 1.1 }, "SCHEMA_INVALID blocks[0].retry.jitter"],
    ["a first delay over the longest one", { maxAttempts: 2, delayMs: 2_000, maxDelayMs: 1_000 }, "SCHEMA_INVALID blocks[0].retry.delayMs"],
    ["a first delay over the longest one that is not given", { maxAttempts: 2, delayMs: 60_001 }, "SCHEMA_INVALID blocks[0].retry.delayMs"],
  ])("%s is refused, and the message names the block", (_, retry, expected) => {
    const problems = check(retry);
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([expected]);
    expect(problems[0]!.message).toMatch(/block "a"/i);
  });

  test("is refused with the line and the column of a text", async () => {
    const text = "name: w\nblocks:\n  - id: a\n    type: EchoBlock\n    inputs: { message: hi }\n    retry: { max_attempts: 0 }\n";
    const { problems } = await checkWorkflow(text);
    const message = 'blocks[0].retry.max_attempts (block "a") must lie between 1 and 100, and is 0.';
    expect(problems).toMatchObject([{ code: "SCHEMA_INVALID", path: "blocks[0].retry.max_attempts", line: 6, column: 28, message }]);
  });
});

test("a time limit is at least a millisecond, and no longer than timers can hold", () => {
  expect(checkDefinition({ name: "w", blocks: [{ id: "a", type: "Echo", timeoutMs: 1 }] })).toEqual([]);
  expect(checkDefinition({ name: "w", blocks: [{ id: "a", type: "Echo", timeoutMs: 0 }] })).toMatchObject([
    { code: "SCHEMA_INVALID", path: "blocks[0].timeoutMs" },
  ]);
  expect(checkDefinition({ name: "w", blocks: [{ id: "a", type: "Echo", timeoutMs: 2 ** 31 }] })).toMatchObject([
    { code: "LIMIT_EXCEEDED", path: "blocks[0].timeoutMs" },
  ]);
});

describe("secret inputs", () => {
  function found(input: InputDeclaration): readonly string[] {
    return checkDefinition({ name: "w", inputs: { token: input }, blocks: [] }).map(({ code, path }) => `${code} ${path}`);
  }

  test("are declared without values: a definition is stored and shown", () => {
    expect(found({ type: "string", secret: true })).toEqual([]);
    expect(found({ type: "string", secret: true, default: "s3cr3t" })).toEqual(["SECRET_MISPLACED inputs.token.default"]);
    expect(found({ type: "string", secret: true, enum: ["s3cr3t"] })).toEqual(["SECRET_MISPLACED inputs.token.enum"]);
  });

  test("are no secret where the declaration says false", () => {
    expect(found({ type: "string", secret: false, default: "open", enum: ["open"] })).toEqual([]);
  });

  test("do not give their value away in what is said about them", () => {
    const problems = checkDefinition({
      name: "w",
      inputs: { token: { type: "string", secret: true, default: "canary-1", enum: ["canary-2"] } },
      blocks: [],
    });
    expect(JSON.stringify(problems)).not.toContain("canary");
  });
});

describe("metadata in references", () => {
  function found(text: string): readonly string[] {
    const blocks = [
      { id: "one", type: "Echo" },
      { id: "many", type: "Echo", forEach: [1] },
    ];
    return checkDefinition({ name: "w", inputs: { field: { type: "string" } }, blocks, outputs: { o: text } }).map(
      ({ code, suggestion }) => (suggestion === undefined ? code : `${code} ${suggestion}`),
    );
  }

  test.each([
    "${metadata.workflow_name} ${metadata.execution_id} ${metadata.start_time}",
    "${metadata.execution_time_seconds} ${metadata.total_blocks} ${metadata.execution_waves}",
    "${blocks.one.metadata.status} ${blocks.one.metadata.outcome} ${blocks.one.metadata.attempts}",
    "${blocks.one.metadata.succeeded} ${blocks.one.metadata.failed} ${blocks.one.metadata.skipped} ${blocks.one.metadata.paused}",
    "${blocks.one.metadata.wave} ${blocks.one.metadata.execution_order} ${blocks.one.metadata.execution_time_ms}",
    "${blocks.one.metadata.started_at} ${blocks.one.metadata.completed_at}",
    "${blocks.many.metadata.count} ${blocks.many.metadata.succeeded_count} ${blocks.many.metadata.failed_count}",
    "${metadata[inputs.field]} ${blocks.one.metadata[inputs.field]}",
  ])("%s is known", (text) => {
    expect(found(text)).toEqual([]);
  });

  test.each([
    ["${metadata.workflow}", "REFERENCE_UNKNOWN workflow_name"],
    ["${metadata.colour}", "REFERENCE_UNKNOWN"],
    ["${metadata[0]}", "REFERENCE_UNKNOWN"],
    ["${metadata.toString}", "REFERENCE_UNKNOWN"],
    ["${blocks.one.metadata.stats}", "REFERENCE_UNKNOWN status"],
    ["${blocks.one.metadata.valueOf}", "REFERENCE_UNKNOWN"],
    ["${blocks.one.metadata.count}", "REFERENCE_UNKNOWN"],
    ["${metadata}", "REFERENCE_FORBIDDEN"],
    ["${blocks.one.metadata}", "REFERENCE_FORBIDDEN"],
  ])("%s is refused at load", (text, expected) => {
    expect(found(text)).toEqual([expected]);
  });
});
