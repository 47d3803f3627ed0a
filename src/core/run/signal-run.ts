import { lengthBesideBytes } from "../journal/journal.ts";
import { type RunState, schemaOfEvent } from "../machine/machine.ts";
import { WorkflowError } from "../model/errors.ts";
import type { SignalledEntry } from "../model/journal.ts";
import { MAX_ANSWER_LENGTH, MAX_EVENT_LENGTH, MAX_SIGNALS } from "../model/limits.ts";
import type { Value } from "../model/value.ts";
import { findSignalProblem, informCaller, recordStored } from "../runner/runner.ts";
import { keepAnswer } from "./admit-answer.ts";
import type { SignalOptions } from "./api.ts";
import type { OpenRun, Services } from "./services.ts";

/**
 * Stores a signal, unless one with its id is stored, and continues the run; see `Run.signal`. Throws `SIGNAL_INVALID`, `RUN_ENDED`, `LIMIT_EXCEEDED`,
 * `CHECKPOINT_TOO_LARGE` and `STORE_…` codes; then nothing was recorded.
 */
export async function signalRun(services: Services, run: OpenRun, name: string, value: Value, { id }: SignalOptions): Promise<void> {
  assertText(name, "The name of an event");
  if (id !== undefined) assertText(id, "The id of a signal");
  // One that was tried again behind another writer is found again by it.
  const signal = id ?? services.host.newId();
  await recordStored(services.host, run, async () => {
    await services.guard?.secure(run.session);
    const { response, opened } = await keepAnswer(services, run, value);
    const { session } = run;
    const { state } = session;
    if (state.signals?.has(signal)) return undefined;
    assertTaken(state, name);
    await assertFits(services, state, { name, value: opened });
    const entry: SignalledEntry = { type: "signalled", id: signal, name, value: response, at: session.now() };
    session.assertRoom(session.textOf(entry).length);
    return entry;
  });
  run.drive();
  // What keeps the run, or its caller, from going on it says itself.
  void run
    .rest()
    .then(() => informCaller(services, run, { revive: false }))
    .catch(() => {});
}

function assertText(text: unknown, what: string): void {
  if (typeof text === "string" && text !== "" && text.length <= MAX_EVENT_LENGTH) return;
  throw new WorkflowError("SIGNAL_INVALID", `${what} is a text of 1 to ${MAX_EVENT_LENGTH} characters.`);
}

/** Throws where a run takes no signal: it has ended, or has too many. A failed run may continue, and gets the signal then. */
function assertTaken({ id: run, finished, compensation, signals }: RunState, name: string): void {
  const ended = finished?.status === "failed" ? undefined : finished?.status;
  if (compensation || ended) {
    const how = ended ? `is ${ended}` : "undoes what it did, or has";
    throw new WorkflowError("RUN_ENDED", `Run ${run} ${how}, so it takes no signal "${name}". Start another run, or fork a checkpoint.`, {
      details: { run },
    });
  }
  if (signals === undefined || signals.size < MAX_SIGNALS) return;
  throw new WorkflowError("LIMIT_EXCEEDED", `Run ${run} took ${MAX_SIGNALS} signals, the most there may be.`, {
    details: { run, limit: MAX_SIGNALS },
  });
}

/** Checks the value against the schema of what waits for the signal now. An early signal is checked once something waits for it. */
async function assertFits(
  services: Services,
  state: RunState,
  { name, value }: { readonly name: string; readonly value: Value },
): Promise<void> {
  const length = lengthBesideBytes(value);
  if (length > MAX_ANSWER_LENGTH) {
    throw new WorkflowError(
      "SIGNAL_INVALID",
      `The value of the signal "${name}" takes ${length} characters; ${MAX_ANSWER_LENGTH} are allowed.`,
      {
        details: { length, limit: MAX_ANSWER_LENGTH },
      },
    );
  }
  const schema = schemaOfEvent(state, name);
  const problem = schema && (await findSignalProblem(schema, value, services.host.now()));
  if (!problem) return;
  const { message, details } = services.guard?.mask(state.id, problem) ?? problem;
  throw new WorkflowError("SIGNAL_INVALID", `The signal "${name}" does not fit. ${message}`, { details: { ...details, event: name } });
}
