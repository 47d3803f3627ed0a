import { WorkflowError } from "../../model/errors.ts";
import { MAX_SECRET_LENGTH, MIN_SECRET_LENGTH } from "../../model/limits.ts";
import { isRecord, type Values } from "../../model/value.ts";
import type { RunParent } from "../../model/run.ts";
import type { CompiledWorkflow } from "../compile.ts";
import { assertSecretPlaces } from "../check/check-secrets.ts";
import type { Services } from "../services.ts";
import type { Session } from "../session.ts";
import { RunSecrets, type SecretValues } from "./run-secrets.ts";
import { secretNeeds } from "./secret-needs.ts";

/** A run that is about to be made. */
interface Admission {
  readonly id: string;
  readonly compiled: CompiledWorkflow;
  readonly inputs: Values | undefined;
  readonly parent: RunParent | undefined;
}

/**
 * Checks the inputs of a run that is about to start, keeps its secrets in memory, and gives what of the inputs may be recorded. Throws what
 * checking the inputs throws, `SECRET_MISSING` and `SECRET_TOO_SHORT`.
 */
export async function admitInputs(services: Services, { id, compiled, inputs, parent }: Admission): Promise<Values> {
  const { workflow } = compiled;
  const needs = secretNeeds(workflow);
  const secrets = new RunSecrets();
  const where = `Workflow "${workflow.name}"`;
  secrets.add({ named: await askFor(services, needs.named, where), inputs: new Map() });
  for (const name of needs.inputs)
    if (typeof inputs?.[name] === "string" && inputs[name].length >= MIN_SECRET_LENGTH) secrets.hide(inputs[name]);
  let checked: Values;
  try {
    checked = compiled.inputs(inputs);
  } catch (error) {
    throw secrets.maskError(error);
  }
  const given = new Map<string, string>();
  for (const name of needs.inputs) if (checked[name] !== null) given.set(name, assertSecret(checked[name], name));
  secrets.add({ named: new Map(), inputs: given });
  const open = Object.fromEntries(Object.entries(checked).filter(([name]) => !given.has(name)));
  if (needs.named.length > 0 || needs.inputs.length > 0) services.secrets.set(id, secrets);
  // A called workflow gets what is secret in its caller only where it says that it keeps it so.
  const caller = parent && services.secrets.get(parent.run);
  return secrets.maskValue(caller ? caller.maskValue(open) : open);
}

const underWay = new WeakMap<Session, Promise<void>>();

/**
 * Gets the secrets of a run before anything of it executes here: those that are in memory, else from the provider. Asks again for a run that
 * failed, for a secret that was the reason may have been replaced. Throws `SECRET_MISSING` and `SECRET_TOO_SHORT`; the run is left as it is.
 */
export async function secureRun(services: Services, session: Session): Promise<void> {
  let work = underWay.get(session);
  if (!work) {
    work = secure(services, session).finally(() => underWay.delete(session));
    underWay.set(session, work);
  }
  return work;
}

async function secure(services: Services, session: Session): Promise<void> {
  const { state, origin } = session;
  const { workflow } = state.compiled;
  const needs = secretNeeds(workflow);
  if (needs.named.length === 0 && needs.inputs.length === 0) return;
  const before = services.secrets.get(state.id);
  if (before && state.finished?.status !== "failed") return session.protect(before);
  assertSecretPlaces(workflow, services.types);
  const secrets = before ?? new RunSecrets();
  const inputs = new Map<string, string>();
  const inherited = origin.fork && services.secrets.get(origin.fork.run)?.inputs;
  const passed = await readFromCaller(services, origin.parent, needs.inputs);
  const missing: string[] = [];
  for (const name of needs.inputs) {
    if (Object.hasOwn(state.started.inputs, name)) continue;
    const value = before?.inputs.get(name) ?? inherited?.get(name) ?? passed.get(name);
    if (value === undefined) missing.push(name);
    else inputs.set(name, value);
  }
  const where = `Run ${state.id} of workflow "${workflow.name}"`;
  const asked = await askFor(services, [...new Set([...needs.named, ...missing])], where);
  for (const name of missing) inputs.set(name, asked.get(name)!);
  secrets.add({ named: new Map(needs.named.map((name) => [name, asked.get(name)!])), inputs });
  services.secrets.set(state.id, secrets);
  session.protect(secrets);
}

/** The secret inputs of a called run, from what its caller passes on: the caller can be read again, with its own secrets. */
async function readFromCaller(services: Services, parent: RunParent | undefined, names: readonly string[]): Promise<SecretValues> {
  const found = new Map<string, string>();
  const caller = parent && names.length > 0 ? await services.find(parent.run) : undefined;
  if (!caller || !parent) return found;
  try {
    await services.secure(caller.session);
    const { compiled, scope } = caller.session.state;
    const inputs = compiled.block(compiled.plan.index.get(parent.block)!).inputs(scope);
    const passed = isRecord(inputs) && isRecord(inputs["inputs"]) ? inputs["inputs"] : {};
    for (const name of names) if (typeof passed[name] === "string") found.set(name, passed[name]);
  } catch {
    // What the caller cannot give is asked for.
  }
  return found;
}

async function askFor(services: Services, names: readonly string[], where: string): Promise<SecretValues> {
  const missing: string[] = [];
  let cause: unknown;
  const asked = await Promise.all(
    names.map(async (name) => {
      try {
        const value = await services.provider?.(name);
        if (value === undefined || value === null) missing.push(name);
        return [name, value] as const;
      } catch (error) {
        cause ??= error;
        missing.push(name);
        return [name, undefined] as const;
      }
    }),
  );
  if (missing.length > 0) throw missingSecrets(missing, where, cause);
  return new Map(asked.map(([name, value]) => [name, assertSecret(value, name)]));
}

function missingSecrets(names: readonly string[], where: string, cause: unknown): WorkflowError {
  const list = names.toSorted().join(", ");
  const why = cause === undefined ? "and nobody gives" : "and could not get";
  return new WorkflowError(
    "SECRET_MISSING",
    `${where} needs ${names.length === 1 ? "a secret" : "secrets"} ${why} ${names.length === 1 ? "it" : "them"}: ${list}. Give createExecutor \`secrets\`, a function from a name to its value; nothing of the run was changed.`,
    { details: { secrets: names.toSorted() }, cause },
  );
}

function assertSecret(value: unknown, name: string): string {
  if (typeof value !== "string" || value.trim().length < MIN_SECRET_LENGTH) {
    throw new WorkflowError(
      "SECRET_TOO_SHORT",
      `The secret "${name}" is ${typeof value === "string" ? "too short to be masked" : "no text"}. Give a text of at least ${MIN_SECRET_LENGTH} characters, blanks around it left out.`,
      { details: { secret: name, limit: MIN_SECRET_LENGTH } },
    );
  }
  if (value.length <= MAX_SECRET_LENGTH) return value;
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `The secret "${name}" has ${value.length} characters; ${MAX_SECRET_LENGTH} are allowed. Give a key to the data instead of the data.`,
    { details: { secret: name, limit: MAX_SECRET_LENGTH } },
  );
}
