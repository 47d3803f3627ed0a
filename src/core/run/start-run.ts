import { isConflict, WorkflowError } from "../model/errors.ts";
import { runId } from "../model/ids.ts";
import { JOURNAL_VERSION, type StartedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { Values } from "../model/value.ts";
import { encodeValue, Session } from "../journal/journal.ts";
import type { Services } from "./services.ts";
import { admitInputs, type StartRequest } from "../runner/runner.ts";
import { beginFolding } from "../machine/machine.ts";

/** Checks the inputs and stores the first entry. Throws `INPUT_INVALID` or a `STORE_…` code; then nothing was stored. */
export async function startSession(services: Services, request: StartRequest, definition: string): Promise<Session> {
  const { workflow, child } = request;
  const compiled = await services.definition(definition);
  const id = child?.id ?? runId(request.id === undefined ? services.host.newId() : chosenId(request.id));
  const inputs = await admitInputs(services, id, compiled, request);
  const blobs = new Set<string>();
  const what = `The input of workflow "${workflow.name}"`;
  const { encoded, value } = await encodeValue(inputs, { what, services, run: id, blobs });
  const started: StartedEntry = {
    type: "started",
    version: JOURNAL_VERSION,
    workflow: workflow.name,
    definition,
    inputs: value as Values,
    at: services.host.now(),
    ...(child ? { parent: child.parent, callers: child.callers, ...(child.entered > 0 ? { entered: child.entered } : {}) } : {}),
  };
  const text = JSON.stringify({ ...started, inputs: encoded });
  if (text.length > MAX_VALUE_LENGTH) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `The inputs of workflow "${workflow.name}" take ${text.length} characters; ${MAX_VALUE_LENGTH} are allowed. Give large data by reference.`,
    );
  }
  const folded = beginFolding(id, compiled, started);
  folded.size = text.length;
  const origin = child ? { parent: child.parent } : {};
  const session = new Session(services, folded, undefined, { origin, blobs });
  try {
    await session.create([text]);
  } catch (error) {
    throw request.id !== undefined && isConflict(error) ? alreadyThere(id) : error;
  }
  await services.guard?.save(session);
  return session;
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
