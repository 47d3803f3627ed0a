import { failure, success, waitUntil } from "../ports/block.ts";
import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";

/** Longest wait, in milliseconds: a hundred years. */
const MAX_WAIT_MS = 3_155_760_000_000;

/**
 * Waits for an instant, or a time from when it begins. The instant is recorded: it holds across restarts, and a run that is opened after
 * it continues at once.
 */
export const waitBlock: BlockType = defineBlock({
  type: "Wait",
  description: "Waits for an instant or for a time, across restarts too.",
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        until: {
          type: ["string", "number", "null"],
          description: "The instant: ISO 8601 with a time zone, or milliseconds since the epoch. Either this or `duration_ms`.",
        },
        duration_ms: {
          type: ["number", "null"],
          minimum: 0,
          maximum: MAX_WAIT_MS,
          description: "Milliseconds from when the block begins. Either this or `until`.",
        },
      },
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: { until: { type: "string", description: "The instant it waited for, ISO 8601 in UTC." } },
      required: ["until"],
    },
  },
  checkInputs(inputs, written) {
    const given = ["until", "duration_ms"].filter((name) => Object.hasOwn(written, name));
    if (given.length !== 1) return [{ input: given[1] ?? "until", code: "BLOCK_INPUT_INVALID", message: EITHER }];
    const problem = typeof inputs["until"] === "string" && toInstant(inputs["until"]) === undefined;
    return problem ? [{ input: "until", code: "BLOCK_INPUT_INVALID", message: NO_INSTANT }] : [];
  },
  execute({ inputs, host, wokenAt }) {
    const { until, duration_ms: duration } = inputs;
    if (wokenAt !== undefined) return success({ until: new Date(wokenAt).toISOString() });
    const isTimed = typeof duration === "number";
    if (isTimed === (typeof until === "number" || typeof until === "string"))
      return failure({ code: "BLOCK_INPUT_INVALID", message: EITHER });
    const instant = isTimed ? host.now() + duration : toInstant(until!);
    if (instant === undefined) return failure({ code: "BLOCK_INPUT_INVALID", message: NO_INSTANT });
    return waitUntil(instant);
  },
});

const EITHER = "Wait takes either an instant (until) or a time (duration_ms). Give one of them.";
const NO_INSTANT = "The instant must be ISO 8601 with a time zone, like 2026-12-24T18:00:00Z, or milliseconds since the epoch.";

/** Texts without a time zone would mean another instant on another machine. */
const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

function toInstant(until: string | number): number | undefined {
  const instant = typeof until === "number" ? until : ISO_INSTANT.test(until) ? Date.parse(until) : Number.NaN;
  return Math.abs(instant) <= 8_640_000_000_000_000 ? instant : undefined;
}
