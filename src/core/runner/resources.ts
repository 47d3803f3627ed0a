import { causeOf, type ErrorData, errorData, WorkflowError } from "../model/errors.ts";
import type { OpenedEntry } from "../model/journal.ts";
import type { ResourceContext, ResourceType } from "../ports/resource.ts";
import type { ResourceEvent } from "../ports/observer.ts";
import { openedBefore, type OpenResource, resourceKey } from "../machine/machine.ts";
import type { Session } from "../journal/journal.ts";
import type { Connection, HeldRun } from "./held-run.ts";
import { entryText } from "./record-step.ts";
import { grantsOf } from "./ready-type.ts";
import type { RunnerServices } from "./services.ts";
import { assertUnderWay, type StepContext } from "./step-context.ts";
import { againstClock } from "./time-limit.ts";

/** How long a resource may take to close. */
const CLOSE_MS = 10_000;

/** The resource of a block's type, live: the one that this process has, else found again by its reference, else opened. */
export async function connect(
  services: RunnerServices,
  { connections }: Pick<HeldRun, "connections">,
  step: StepContext,
  name: string,
): Promise<unknown> {
  const { type: blockType } = step.definition;
  const resources = services.types.get(blockType)?.resources ?? {};
  const type = Object.hasOwn(resources, name) ? resources[name] : undefined;
  if (!type) throw failure(step, name, `Its type declares no such resource. Name one of: ${Object.keys(resources).join(", ") || "none"}.`);
  const key = resourceKey({ blockType, name });
  for (;;) {
    assertUnderWay(step);
    const known = connections.get(key);
    if (!known) {
      const opened = obtain(services, step, { type, name });
      connections.set(key, { type, opened });
      opened.catch(() => connections.delete(key));
      return (await opened).live;
    }
    const { live, count } = await known.opened;
    if (step.session.state.resources.get(key)?.count === count) return live;
    // Another process opened a new one since.
    if (connections.get(key) === known) {
      connections.delete(key);
      await disconnect(known);
    }
  }
}

/** A resource as its type declares it. */
interface Declared {
  readonly type: ResourceType;
  readonly name: string;
}

/** Reconnects to the resource that the run has, or opens one. */
async function obtain(services: RunnerServices, step: StepContext, { type, name }: Declared): ReturnType<typeof open> {
  const { session } = step;
  const stored = session.state.resources.get(resourceKey({ blockType: step.definition.type, name }));
  if (stored?.run !== session.state.id) return open(services, step, { type, name });
  let error: ErrorData | undefined;
  if (type.reconnect) {
    try {
      const reference = (await referenceOf(services, session, stored)) as never;
      return { live: await type.reconnect(reference, contextOf(services, session, stored)), count: stored.count };
    } catch (cause) {
      error = errorData(cause, "RESOURCE_FAILED");
    }
  }
  const opened = await open(services, step, { type, name });
  tell(services, stored, { type: "resource_recreated", error });
  return opened;
}

/** Opens a resource and stores its reference. What cannot be stored is closed again, since it could not be found later. */
async function open(services: RunnerServices, step: StepContext, { type, name }: Declared): Promise<Awaited<Connection["opened"]>> {
  const { session, definition, block } = step;
  const { state } = session;
  const own = { run: state.id, blockType: definition.type, name };
  const count = openedBefore(state, own);
  const { live, reference } = await opening();
  try {
    const what = `The reference of resource "${name}" of block "${block}"`;
    const { encoded, value } = await session.encode(reference, what);
    assertUnderWay(step);
    const entry: OpenedEntry = { type: "opened", ...own, reference: encoded, at: session.now() };
    const text = entryText(entry, what);
    session.assertRoom(text.length);
    session.record(entry, { ...entry, reference: value }, { text });
    await session.flushed();
    return { live, count };
  } catch (error) {
    await close(services, { ...own, count, held: undefined }, () => type.close?.(reference as never, live));
    throw error;
  }

  async function opening(): Promise<Awaited<ReturnType<ResourceType["open"]>>> {
    try {
      return await type.open(contextOf(services, session, { ...own, count }));
    } catch (cause) {
      throw failure(step, name, errorData(cause, "RESOURCE_FAILED").message, causeOf(cause) ?? cause);
    }
  }
}

/** Closes the resources of a run, the last one first. An event names those that cannot be closed. */
export async function closeResources(
  services: RunnerServices,
  { session, connections }: Pick<HeldRun, "session" | "connections">,
  resources: Iterable<OpenResource> = session.state.resources.values(),
): Promise<void> {
  for (const resource of [...resources].toReversed()) {
    // A fork knows the resources of its source, and does not close them.
    if (resource.run !== session.state.id) continue;
    const key = resourceKey(resource);
    const type = services.types.get(resource.blockType)?.resources?.[resource.name];
    const connection = connections.get(key);
    connections.delete(key);
    await close(services, resource, async () => {
      const known = await connection?.opened.catch(() => undefined);
      const reference = await referenceOf(services, session, resource);
      await type?.close?.(reference as never, known && known.count === resource.count ? known.live : undefined);
    });
  }
}

/** Gives up live forms of resources. `all`: also those that could not be reconnected. */
export async function disconnectAll({ connections }: Pick<HeldRun, "connections">, { all }: { readonly all: boolean }): Promise<void> {
  for (const [key, connection] of connections) {
    if (!all && !connection.type.reconnect) continue;
    connections.delete(key);
    await disconnect(connection);
  }
}

async function disconnect({ type, opened }: Connection): Promise<void> {
  try {
    await type.disconnect?.((await opened).live);
  } catch {
    // It is no longer used, and the resource can be reconnected by its reference.
  }
}

async function close(services: RunnerServices, resource: OpenResource, closing: () => Promise<void> | void | undefined): Promise<void> {
  try {
    await againstClock(services.host, async () => closing(), {
      async timeUp(sleep) {
        await sleep(CLOSE_MS);
        throw new WorkflowError("RESOURCE_FAILED", `It did not close within ${CLOSE_MS} ms.`);
      },
    });
  } catch (cause) {
    tell(services, resource, { type: "resource_left", error: errorData(cause, "RESOURCE_FAILED") });
  }
}

/** The reference, with its secrets in place. Rejects with `SECRET_MISSING`. */
async function referenceOf(services: RunnerServices, session: Session, { held }: OpenResource): Promise<unknown> {
  const missing = new Set<string>();
  const reference = session.kept?.open(held, missing) ?? held;
  if (missing.size === 0) return reference;
  await (await services.loadGuard()).regain(session, missing, services.host.newAbortController().signal);
  return session.kept!.open(held, new Set());
}

function contextOf(
  services: RunnerServices,
  { state }: Session,
  { blockType, name, count }: Pick<OpenResource, "blockType" | "name" | "count">,
): ResourceContext {
  return {
    run: state.id,
    idempotencyKey: `${state.id}/${blockType}.${name}${count > 0 ? `~${count}` : ""}`,
    host: services.host,
    grants: grantsOf(services, blockType),
  };
}

function tell(
  { guard, onEvent }: RunnerServices,
  { run, blockType, name }: OpenResource,
  { type, error }: { readonly type: ResourceEvent["type"]; readonly error: ErrorData | undefined },
): void {
  onEvent?.({ type, run, blockType, name, ...(error && { error: guard?.mask(run, error) ?? error }) });
}

function failure({ block }: StepContext, name: string, why: string, cause?: unknown): WorkflowError {
  return new WorkflowError("RESOURCE_FAILED", `Block "${block}" cannot use resource "${name}". ${why}`, {
    details: { block, resource: name },
    cause,
  });
}
