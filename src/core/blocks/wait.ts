import { WorkflowError } from "../model/errors.ts";
import { checkJsonSchema } from "../model/check-json-schema.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { MAX_EVENT_LENGTH, MAX_EVENTS } from "../model/limits.ts";
import { isRecord } from "../model/value.ts";
import { type BlockType, success, waitFor, waitUntil } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { problemsOf, wrongInput } from "./input-problems.ts";

/** Longest wait, in milliseconds: a hundred years. */
const MAX_WAIT_MS = 3_155_760_000_000;

/**
 * Waits for an instant, a time from when it begins, or an event: whichever comes first. The instant is recorded: it holds across restarts, and a run
 * that is opened after it continues at once.
 */
export const waitBlock: BlockType = defineBlock({
  type: "Wait",
  description: "Waits for an instant, for a time or for an event, across restarts too: whichever comes first.",
  channels: {},
  cacheVersion: false,
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        until: {
          type: ["string", "number", "null"],
          description: "The instant: ISO 8601 with a time zone, or milliseconds since the epoch.",
        },
        duration_ms: {
          type: ["number", "null"],
          minimum: 0,
          maximum: MAX_WAIT_MS,
          description: "Milliseconds from when the block begins.",
        },
        event: {
          type: ["string", "array", "null"],
          minLength: 1,
          maxLength: MAX_EVENT_LENGTH,
          minItems: 1,
          maxItems: MAX_EVENTS,
          items: { type: "string", minLength: 1, maxLength: MAX_EVENT_LENGTH },
          description: "The name of the event, or a list of names. Events come by `run.signal`, also before the block waits.",
        },
        schema: {
          type: ["object", "null"],
          description: "What the value of the event must look like: a JSON Schema. Default: anything.",
        },
      },
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        ended_by: { type: "string", enum: ["time", "event"], description: "What came first." },
        event: { type: ["string", "null"], description: "The name of the event that came; `null` where the time was up." },
        value: { description: "The value of that event; `null` where it had none." },
        until: {
          type: ["string", "null"],
          description: "The instant at which the time was up, ISO 8601 in UTC; `null` where an event came first.",
        },
      },
      required: ["ended_by", "event", "value", "until"],
    },
  },
  checkInputs(inputs, written) {
    if (!KEYS.some((name) => Object.hasOwn(written, name))) return [wrongInput("until", NOTHING)];
    if (Object.hasOwn(written, "schema") && !Object.hasOwn(written, "event")) return [wrongInput("schema", NO_EVENT)];
    const { until, schema } = inputs;
    const problems = typeof until === "string" ? problemsOf("until", () => toInstant(until)) : [];
    const found = isRecord(schema) ? checkJsonSchema(schema) : [];
    return [...problems, ...found.map((problem) => wrongInput("schema", problem))];
  },
  execute({ inputs: { until = null, duration_ms: duration = null, event: awaited = null, schema = null }, host, wokenAt, event }) {
    if (event) return success({ ended_by: "event" as const, event: event.name, value: event.value, until: null });
    if (wokenAt !== undefined) {
      return success({ ended_by: "time" as const, event: null, value: null, until: new Date(wokenAt).toISOString() });
    }
    const instants = [...(until === null ? [] : [toInstant(until)]), ...(duration === null ? [] : [host.now() + duration])];
    const first = instants.length > 0 ? { until: Math.min(...instants) } : {};
    if (awaited !== null) return waitFor(awaited, { ...first, ...(schema === null ? {} : { schema: schema as JsonSchema }) });
    if (first.until === undefined) throw new WorkflowError("BLOCK_INPUT_INVALID", NOTHING);
    return waitUntil(first.until);
  },
});

const KEYS = ["until", "duration_ms", "event"];
const NOTHING = "Wait takes an instant (until), a time (duration_ms), the name of an event (event), or several of them. Give at least one.";
const NO_EVENT = "A schema is about the value of an event. Give the name of the event too.";

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
