import { causeOf, errorData, givenError, WorkflowError } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import { MAX_SECRET_LENGTH } from "../model/limits.ts";
import type { BlockResult } from "../ports/block.ts";
import type { SecretsProvider } from "../ports/grants.ts";
import type { PlatformSignal } from "../ports/host.ts";
import { codeOf, COMPLETED, outputsOf, recordOf, type Unit, unitKey, unitState } from "../machine/machine.ts";
import type { Services } from "../run/run.ts";
import { isMarker, mapSecrets, type Session } from "../journal/journal.ts";
import { findMarker, pathTo, valueAt, type SecretOrigin } from "./find-marker.ts";
import type { RunSecrets } from "./run-secrets.ts";
import { readSecrets } from "./sealed-secrets.ts";
import { findCalled, actingBlocks, grantedType, isOnce, resolveInputs, StepContext, withTimeLimit } from "../runner/runner.ts";

/** What it takes to get a secret again. */
export interface Regaining {
  readonly services: Services;
  readonly provider: SecretsProvider | undefined;
  readonly session: Session;
  readonly secrets: RunSecrets;
  readonly signal: PlatformSignal;
}

/**
 * Gets what stood under a secret key, in a process that does not have it: from the notes of a store that seals them, from the provider by its name,
 * or from the block that gave it, which runs once more where it may; what that gives besides is not looked at. Throws `SECRET_MISSING`.
 */
export async function regainSecret(regaining: Regaining, marker: string): Promise<void> {
  const { secrets, session } = regaining;
  const sealed = await readSealed(regaining, marker);
  if (sealed !== undefined) return secrets.keep(marker, sealed);
  const origin = findMarker(session, marker) ?? { name: "", key: "" };
  const provided = await ask(regaining, origin.name);
  if (provided.value !== undefined) return secrets.keep(marker, provided.value);
  const obstacle = await askBlock(regaining, marker, origin);
  if (!secrets.kept.has(marker)) throw missing(session, origin, { ...provided, ...obstacle });
}

/** From the run itself, and from the one whose past it shares. */
async function readSealed({ services, session }: Regaining, marker: string): Promise<unknown> {
  const { state, origin } = session;
  for (const run of origin.fork ? [state.id, origin.fork.run] : [state.id]) {
    const value = (await readSecrets(services.store, run, marker)).get(marker);
    if (value !== undefined) return value;
  }
  return undefined;
}

async function ask({ provider }: Regaining, name: string): Promise<{ readonly value?: string; readonly cause?: unknown }> {
  try {
    const value: unknown = name === "" ? undefined : await provider?.(name);
    return typeof value === "string" && value !== "" && value.length <= MAX_SECRET_LENGTH ? { value } : {};
  } catch (cause) {
    return { cause };
  }
}

/** Why there is no secret. */
interface Obstacle {
  readonly why: string;
  readonly cause?: unknown;
}

/** Has the block run again that gave a secret. Gives why it was not, or what came of it. */
async function askBlock(regaining: Regaining, marker: string, { given, asked, channel }: SecretOrigin): Promise<Obstacle> {
  const { services, session } = regaining;
  const { state } = session;
  if (asked) return { why: `It was part of an answer: give it again by revising the answer to ${pauseId(state.id, asked.pause)}.` };
  if (channel !== undefined) return { why: `A block wrote it to channel "${channel}" and gave it nowhere else.` };
  if (!given) return { why: "It was given with the inputs: start the run again, or fork it with its inputs." };
  const { unit } = given;
  const name = `Block "${session.compiled.plan.ids[unit.block]!}"`;
  if (unitState(state, unit).caller)
    return (await askCalledRun(regaining, marker, given)) ?? { why: `${name} had it from a workflow that it called.` };
  if (isOnce(services, session, unit.block)) return { why: `${name} must not run twice, so it was not run for it again.` };
  const asks = state.pauses.some((pause) => unitKey(pause) === unitKey(unit));
  if (asks || unitState(state, unit).progress.loop || codeOf(state, unit) !== COMPLETED) {
    return { why: `${name} did not give it in one go, so it cannot run for it again.` };
  }
  try {
    await regaining.secrets.repeating.do(unitKey(unit), () => repeat(regaining, unit));
    return { why: `${name} ran again and did not give it.` };
  } catch (cause) {
    return { why: `${name} ran again for it and failed: ${errorData(cause, "BLOCK_FAILED").message}`, cause };
  }
}

/** Takes all that a block gave under secret keys from what it gives now. */
async function repeat(regaining: Regaining, unit: Unit): Promise<void> {
  const { services, session, secrets } = regaining;
  const before = recordOf(session.state, unit)?.outputs;
  const now = await executeAgain(regaining, unit);
  mapSecrets(before, services.values.isSecretKey, (leaf) => {
    const value = isMarker(leaf) && !secrets.kept.has(leaf) ? valueAt(now, pathTo(before, leaf)!) : undefined;
    if (value !== undefined && value !== null && typeof value !== "boolean") secrets.keep(String(leaf), value);
    return leaf;
  });
}

class RepeatedContext extends StepContext {
  override get mayHaveRun(): boolean {
    return true;
  }

  /** Its output was already reported when it ran. */
  override get output(): StepContext["output"] {
    return () => {};
  }
}

/**
 * Executes a block once more for what it gave, with the inputs that it had. Nothing of it is recorded: the step stands as it is. Throws what the block
 * throws, and what getting the secrets in its inputs throws.
 */
async function executeAgain({ services, session, signal }: Regaining, unit: Unit): Promise<unknown> {
  const step = new RepeatedContext(
    {
      services,
      session,
      signal,
      isRevisable: true,
      looked: new Map(),
      underWay: new Set(),
      stop: () => {},
      endWave: () => {},
      files: (step) => actingBlocks.code().accessFiles(step),
      // What it leaves in its run is there already.
      addBlocks: () => {},
      admitAdded: () => Promise.resolve(),
      display: { setRunning: () => {}, setChild: () => {} },
      call: () => Promise.reject(new WorkflowError("CAPABILITY_MISSING", "A block that runs for a secret alone calls no workflow.")),
      connect: () => Promise.reject(new WorkflowError("CAPABILITY_MISSING", "A block that runs for a secret alone has no resources.")),
      closeResources: () => Promise.resolve(),
      memoize: (again, key, make) => actingBlocks.code().memoize(again, key, make),
    },
    unit,
  );
  const { definition } = step;
  try {
    const type = grantedType(step);
    const inputs = await session.openFiles(await resolveInputs(step));
    step.inputs = type.validateInputs ? await type.validateInputs(inputs, definition) : inputs;
    const execute = async (): Promise<BlockResult> => type.execute(step as never);
    const result = await (definition.timeoutMs === undefined ? execute() : withTimeLimit(step, definition.timeoutMs, execute));
    if (result?.status === "success") return type.validateOutputs ? await type.validateOutputs(result.outputs, definition) : result.outputs;
    const given = result?.status === "failure" ? result.error : { message: "It gave no outputs." };
    const { code, message } = givenError(given, "BLOCK_FAILED");
    throw new WorkflowError(code, message);
  } finally {
    await step.end();
  }
}

/** The called run is still there with its outputs, and its blocks may be asked. */
async function askCalledRun(
  { services, session, secrets, signal }: Regaining,
  marker: string,
  { unit, path }: NonNullable<SecretOrigin["given"]>,
): Promise<Obstacle | undefined> {
  const child = await findCalled(services, session, unit);
  const there = valueAt(child && outputsOf(child.session.state), path);
  if (!child || !isMarker(there)) return undefined;
  try {
    await (await services.loadGuard()).regain(child.session, [there], signal);
    secrets.keep(marker, child.session.kept?.get(there));
    return undefined;
  } catch (cause) {
    return { why: errorData(cause, "SECRET_MISSING").message, cause };
  }
}

function missing({ state, compiled }: Session, { name, key, given, asked }: SecretOrigin, { why, cause }: Obstacle): WorkflowError {
  const block = asked?.block ?? (given && compiled.plan.ids[given.unit.block]);
  const from = block === undefined ? "" : ` of block "${block}"`;
  return new WorkflowError(
    "SECRET_MISSING",
    `Run ${state.id} needs "${key}"${from}, which is kept in memory only and is not in this process. ${why} Or give createExecutor \`secrets\` that knows "${name}"; then resume the run. It stays where it is.`,
    {
      details: {
        secrets: [name],
        key,
        ...(block === undefined ? {} : { block }),
        ...(asked ? { pause: pauseId(state.id, asked.pause) } : {}),
      },
      cause: causeOf(cause) ?? cause,
    },
  );
}
