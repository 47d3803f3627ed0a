import { type Reopening, turnOf, unitState } from "../machine/machine.ts";
import { sameValue } from "../model/fingerprint.ts";
import type { Values } from "../model/value.ts";
import { admitInputs } from "./with-secrets.ts";
import { afterConflicts } from "./after-conflicts.ts";
import { revisedEntry } from "./called-run.ts";
import type { HeldRun } from "./held-run.ts";
import type { RunnerServices } from "./services.ts";
import type { StepContext } from "./step-context.ts";

/**
 * Passes on to a called run what revisions changed in its caller: answers to its questions, and its inputs. Each entry names the revision of the caller,
 * so that nothing is passed on twice, even after a crash.
 */
export async function passOn(
  services: RunnerServices,
  caller: HeldRun,
  child: HeldRun,
  { step, inputs }: { readonly step: StepContext; readonly inputs: Values },
): Promise<void> {
  const { state } = caller.session;
  // What began before a revision has inputs from before it.
  if (state.revisions === 0 || step.isStale) return;
  const { reopened = [] } = unitState(state, step.unit);
  await afterConflicts(
    services.host,
    async () => {
      // The question belongs to another workflow that the unit called before.
      const workflow = unitState(state, step.unit).caller?.workflow;
      const own = reopened.filter((one) => one.workflow === workflow);
      for (const one of own) if (one.cause > child.session.state.cause) await reviseIn(services, child, one);
      if (turnOf(state, step.unit) > child.session.state.entered) await enterAgain(services, child, inputs, step.turn);
      await child.session.flushed();
    },
    () => child.catchUp(),
  );
}

/** Gives inputs to a called run that was made without any. Resolves once they are stored. */
export function enterFirst(services: RunnerServices, child: HeldRun, inputs: Values, turn: number): Promise<void> {
  return afterConflicts(
    services.host,
    async () => {
      await enterAgain(services, child, inputs, turn);
      await child.session.flushed();
    },
    () => child.catchUp(),
  );
}

async function reviseIn(
  services: RunnerServices,
  child: HeldRun,
  { cause, calls, inner, workflow: _workflow, ...reply }: Reopening,
): Promise<void> {
  const entry = revisedEntry(child.session, calls, inner);
  if (!entry) return;
  await services.guard?.secure(child.session);
  child.session.record({ ...entry, ...reply, cause, at: child.session.now() });
}

/** Begins the called run again where its inputs have changed. */
async function enterAgain(services: RunnerServices, child: HeldRun, given: Values, cause: number): Promise<void> {
  const { session } = child;
  const { id, started, finished } = session.state;
  if (finished?.status === "cancelled") return;
  const { parent, callers = [] } = started;
  const request = { inputs: given, ...(parent ? { child: { id, parent, callers, entered: cause } } : {}) };
  const admitted = await admitInputs(services, id, session.compiled, request);
  await services.guard?.secure(session);
  const { encoded, value } = await session.encode(admitted, `The input of workflow "${started.workflow}"`);
  const entry = { type: "reentered", cause, at: session.now() } as const;
  if (sameValue(started.inputs, value)) return;
  session.record({ ...entry, inputs: encoded as Values }, { ...entry, inputs: value as Values });
}
