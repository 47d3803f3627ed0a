import { isConflict, WorkflowError } from "../model/errors.ts";
import { fullRunId, runId } from "../model/ids.ts";
import { JOURNAL_VERSION, type StartedEntry } from "../model/journal.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import { mergePolicies, type RunPolicy } from "../model/policy.ts";
import type { Values } from "../model/value.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import { adviseName } from "../model/suggestions.ts";
import { encodeValue, holdsSecrets, Session } from "../journal/journal.ts";
import type { Services } from "./services.ts";
import { admitInputs, type StartRequest, touchesOf } from "../runner/runner.ts";
import { beginFolding, outputsOf } from "../machine/machine.ts";

/** Checks the inputs and stores the first entry. Throws `INPUT_INVALID` or a `STORE_…` code; then nothing was stored. */
export async function startSession(services: Services, request: StartRequest, definition: string): Promise<Session> {
  const { workflow, child } = request;
  const compiled = await services.definition(definition);
  const id = child?.id ?? (request.id === undefined ? runId(services.host.newId()) : fullRunId(chosenId(request.id)));
  const inputs = await admitInputs(services, id, compiled, request);
  const blobs = new Set<string>();
  const what = `The input of workflow "${workflow.name}"`;
  const { encoded, value } = await encodeValue(inputs, { what, services, run: id, blobs });
  const channels = request.channels && admitChannels(services, id, compiled, request.channels);
  const touches = touchesOf(services.types, compiled.workflow);
  const held =
    channels &&
    (await encodeValue(channels, { what: `What the channels of workflow "${workflow.name}" begin with`, services, run: id, blobs }));
  const { previous } = request;
  const policy = child ? child.policy : policyToBegin(compiled.workflow.policy, request.policy);
  const earlier =
    previous && (await encodeValue(previous.outputs, { what: `The outputs of run ${previous.run}`, services, run: id, blobs }));
  const started: StartedEntry = {
    type: "started",
    version: JOURNAL_VERSION,
    workflow: workflow.name,
    definition,
    inputs: value as Values,
    at: services.host.now(),
    ...(held ? { channels: held.value as Values } : {}),
    ...(touches ? { touches } : {}),
    ...(policy ? { policy } : {}),
    ...(previous ? { previous: { run: previous.run, conversation: previous.conversation } } : {}),
    ...(earlier ? { previousOutputs: earlier.value as Values } : {}),
    ...(child ? { parent: child.parent, callers: child.callers, ...(child.entered > 0 ? { entered: child.entered } : {}) } : {}),
  };
  const text = JSON.stringify({
    ...started,
    inputs: encoded,
    ...(held && { channels: held.encoded }),
    ...(earlier && { previousOutputs: earlier.encoded }),
  });
  if (text.length > MAX_VALUE_LENGTH) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `What workflow "${workflow.name}" starts with takes ${text.length} characters; ${MAX_VALUE_LENGTH} are allowed. Give large data by reference.`,
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

/**
 * What a run passes on to the next run of a conversation. Throws `RUN_ACTIVE` where it has not ended, `RUN_ENDED` where it ended without outputs, and
 * `SECRET_MISPLACED` for outputs that are kept in memory only.
 */
export function previousOf({ values }: Services, { state }: Session): NonNullable<StartRequest["previous"]> {
  const { id, started, finished } = state;
  const outputs = outputsOf(state);
  const details = { run: id };
  if (!finished) throw new WorkflowError("RUN_ACTIVE", `Run ${id} has not completed, so nothing can go on from it yet.`, { details });
  if (finished.status !== "completed") {
    throw new WorkflowError(
      "RUN_ENDED",
      `Run ${id} ended without outputs: nothing can go on from it. Resume it, or start without "after".`,
      {
        details,
      },
    );
  }
  if (outputs && holdsSecrets(outputs, values.isSecretKey)) {
    const message = `Something in the outputs of run ${id} stands under a secret key, which is kept in memory only. Give it as an input.`;
    throw new WorkflowError("SECRET_MISPLACED", message, { details });
  }
  return { run: id, conversation: started.previous?.conversation ?? id, outputs: outputs ?? {} };
}

/** The policy of a run that no other one called: its start overrides its workflow. */
function policyToBegin(workflow: RunPolicy | undefined, start: RunPolicy | undefined): RunPolicy | undefined {
  return workflow || start ? mergePolicies(workflow ?? {}, start ?? {}) : undefined;
}

/** Checks what channels hold at the start. Throws `CHANNEL_UNKNOWN`, `CHANNEL_INVALID` and `SECRET_MISPLACED`. */
function admitChannels(services: Services, run: string, { workflow, channels }: CompiledWorkflow, given: Values): Values {
  for (const [name, value] of Object.entries(given)) {
    const channel = channels.get(name);
    if (!channel) {
      const { sentence, details } = adviseName(name, channels.keys());
      throw new WorkflowError("CHANNEL_UNKNOWN", `Workflow "${workflow.name}" has no channel "${name}".${sentence}`, { details });
    }
    const reason = channel.refuseWhole(value);
    if (reason !== undefined) {
      throw new WorkflowError("CHANNEL_INVALID", `Workflow "${workflow.name}" cannot start: channel "${name}" ${reason}`);
    }
  }
  if (holdsSecrets(given, services.values.isSecretKey)) {
    const message = "Something in these channels stands under a secret key. Give it as an input, which is kept secret.";
    throw new WorkflowError("SECRET_MISPLACED", message);
  }
  return services.guard?.mask(run, given) ?? given;
}

const CHOSEN_ID = /^[A-Za-z0-9_-]{1,100}$/;

function chosenId(id: string): string {
  if (CHOSEN_ID.test(id)) return id;
  throw new WorkflowError(
    "STORE_KEY_INVALID",
    `The id ${JSON.stringify(id).slice(0, 140)} cannot name a run. Use 1 to 100 letters, digits, "_" and "-".`,
  );
}

function alreadyThere(id: string): WorkflowError {
  return new WorkflowError("RUN_EXISTS", `There is a run ${id} already. Open it with executor.open, or choose another id.`, {
    details: { run: id },
  });
}
