import { WorkflowError } from "../model/errors.ts";
import { type BlockType, success, waitUntil } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { problemsOf, wrongInput } from "./input-problems.ts";

/** Longest wait, in milliseconds: a hundred years. */
const MAX_WAIT_MS = 3_155_760_000_000;

/**
 * Waits for an instant, or a time from when it begins. The instant is recorded: it holds across restarts, and a run that is opened after
 * it continues at once.
 */
export const waitBlock: BlockType = defineBlock({
  type: "Wait",
  description: "Waits for an instant or for a time, across restarts too.",
  channels: {},
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
    if (given.length !== 1) return [wrongInput(given[1] ?? "until", EITHER)];
    return typeof inputs["until"] === "string" ? problemsOf("until", () => toInstant(inputs["until"] as string)) : [];
  },
  execute({ inputs: { until = null, duration_ms: duration = null }, host, wokenAt }) {
    if (wokenAt !== undefined) return success({ until: new Date(wokenAt).toISOString() });
    if ((duration === null) === (until === null)) throw new WorkflowError("BLOCK_INPUT_INVALID", EITHER);
    return waitUntil(duration === null ? toInstant(until!) : host.now() + duration);
  },
});

const EITHER = "Wait takes either an instant (until) or a time (duration_ms). Give one of them.";

/** Texts without a time zone would mean another instant on another machine. */
const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
/** What a `Date` can hold, in milliseconds before and after the epoch. */
const MAX_INSTANT = 8_640_000_000_000_000;

function toInstant(until: string | number): number {
  const instant = typeof until === "number" ? until : ISO_INSTANT.test(until) ? Date.parse(until) : Number.NaN;
  if (Math.abs(instant) <= MAX_INSTANT) return instant;
  throw new WorkflowError(
    "BLOCK_INPUT_INVALID",
    "The instant must be ISO 8601 with a time zone, like 2026-12-24T18:00:00Z, or milliseconds since the epoch.",
  );
}
