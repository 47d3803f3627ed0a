import { readySchema } from "../expression/ready-schema.ts";
import { WorkflowError } from "../model/errors.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { MAX_EVENT_LENGTH, MAX_EVENTS } from "../model/limits.ts";
import type { Waiting } from "../ports/block.ts";
import { lowerSchema } from "../definition/definition.ts";
import { findSignalProblem } from "./check-answer.ts";
import type { StepContext } from "./step-context.ts";

/** Throws `BLOCK_FAILED` for what cannot be names of events; `what` says what waits for them. */
export function assertEvents(events: readonly unknown[], what: string): void {
  const isName = (name: unknown): boolean => typeof name === "string" && name !== "" && name.length <= MAX_EVENT_LENGTH;
  if (events.length > 0 && events.length <= MAX_EVENTS && events.every(isName)) return;
  throw new WorkflowError(
    "BLOCK_FAILED",
    `${what} waits for events that are none. Give 1 to ${MAX_EVENTS} names of at most ${MAX_EVENT_LENGTH} characters.`,
  );
}

/** The events for which a block waits, as they are recorded, and what the value must look like. Throws `BLOCK_FAILED` and `SCHEMA_INVALID`. */
export async function awaitedEvents({ block }: StepContext, { events = [], schema }: Waiting): Promise<Awaited> {
  assertEvents(events, `Block "${block}"`);
  if (schema === undefined) return { events: [...events] };
  const lowered = JSON.parse(JSON.stringify(lowerSchema(schema, `The event of block "${block}"`))) as JsonSchema;
  // A pattern that cannot be read would refuse every signal.
  await readySchema(lowered);
  return { events: [...events], schema: lowered };
}

interface Awaited {
  readonly events: readonly string[];
  readonly schema?: JsonSchema;
}

/** Checks the value of the signal that a step continues with: it may have come before the block gave its schema. Throws `SIGNAL_INVALID`. */
export async function checkSignal({ session, state, block, signalId }: StepContext, schema: JsonSchema): Promise<void> {
  const { name, value, at } = state.signals!.get(signalId!)!;
  const problem = await findSignalProblem(schema, session.kept?.open(value, new Set()) ?? value, state.started.at + at);
  if (problem === undefined) return;
  throw new WorkflowError(
    "SIGNAL_INVALID",
    `The signal "${name}" that block "${block}" waited for does not fit. ${problem.message} Resume the run to wait for another one.`,
    { details: { ...problem.details, event: name } },
  );
}
