import { encodePlain, type Encoded } from "../model/encoding.ts";
import { isConflict, WorkflowError } from "../model/errors.ts";
import { runId } from "../model/ids.ts";
import { JOURNAL_VERSION, type RevisesEntry, type StartedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { RunFork, RunParent } from "../model/run.ts";
import type { Values } from "../model/value.ts";
import type { Workflow } from "../model/workflow.ts";
import type { Services } from "./services.ts";
import { Session } from "./session.ts";
import { initialState } from "./state.ts";
import { transition } from "./transition.ts";
import type { RichOptions } from "./values/encode-rich.ts";

/** A run that is to be made. */
export interface StartRequest {
  readonly workflow: Workflow;
  readonly inputs: Values | undefined;
  /** Chosen by whoever starts it, without `run_`. */
  readonly id?: string | undefined;
  /** For a called run: its id, the caller, and the names of the workflows whose calls lead to it. */
  readonly child?: { readonly id: string; readonly parent: RunParent; readonly callers: readonly string[] };
  /** What the run takes over from another one, and where in that it begins. */
  readonly revises?: Omit<RevisesEntry, "type" | "at"> | undefined;
  readonly fork?: RunFork;
}

/** Checks the inputs and stores the first entry. Throws `INPUT_INVALID` or a `STORE_…` code; then nothing was stored. */
export async function startSession(services: Services, request: StartRequest, definition: string): Promise<Session> {
  const { workflow, child, revises, fork } = request;
  const compiled = await services.definition(definition);
  const id = child?.id ?? runId(request.id === undefined ? services.host.newId() : chosenId(request.id));
  const inputs = services.guard ? await services.guard.admit(id, compiled, request) : compiled.inputs(request.inputs);
  const blobs = new Set<string>();
  const what = `The input of workflow "${workflow.name}"`;
  const { encoded, value } = encodePlain(inputs) ?? (await encodeRich(inputs, { what, services, run: id, blobs }));
  const started: StartedEntry = {
    type: "started",
    version: JOURNAL_VERSION,
    workflow: workflow.name,
    definition,
    inputs: value as Values,
    at: services.host.now(),
    ...(child ? { parent: child.parent, callers: child.callers } : {}),
  };
  const text = JSON.stringify({ ...started, inputs: encoded });
  if (text.length > MAX_VALUE_LENGTH) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `The inputs of workflow "${workflow.name}" take ${text.length} characters; ${MAX_VALUE_LENGTH} are allowed. Give large data by reference.`,
    );
  }
  const state = initialState(id, compiled, started);
  state.size = text.length;
  const origin = { ...(child ? { parent: child.parent } : {}), ...(fork ? { fork } : {}) };
  const session = new Session(services, state, undefined, { origin, blobs });
  try {
    await session.create([text, ...(revises ? [foldRevision(session, revises)] : [])]);
  } catch (error) {
    throw request.id !== undefined && isConflict(error) ? alreadyThere(id) : error;
  }
  return session;
}

/** Folds what the run takes over from another one; gives the entry as JSON. */
function foldRevision(session: Session, revises: NonNullable<StartRequest["revises"]>): string {
  const entry: RevisesEntry = { type: "revises", ...revises, at: 0 };
  transition(session.state, entry);
  return session.textOf(entry);
}

async function encodeRich(inputs: Values, options: RichOptions): Promise<Encoded> {
  return (await import("./values/encode-rich.ts")).encodeRich(inputs, options);
}

const CHOSEN_ID = /^[A-Za-z0-9-]{1,100}$/;

function chosenId(id: string): string {
  if (CHOSEN_ID.test(id)) return id;
  throw new WorkflowError(
    "STORE_KEY_INVALID",
    `The id ${JSON.stringify(id).slice(0, 140)} cannot name a run. Use 1 to 100 letters, digits and hyphens.`,
  );
}

function alreadyThere(id: string): WorkflowError {
  return new WorkflowError("RUN_EXISTS", `There is a run ${id} already. Open it with executor.open, or choose another id.`, {
    details: { run: id },
  });
}
