import type { PlatformSignal } from "../ports/host.ts";
import { isDue, type Unit } from "../machine/machine.ts";
import { executeDecision } from "./execute-decision.ts";
import type { HeldRun } from "./held-run.ts";
import type { RunnerServices } from "./services.ts";
import { dropSnapshot, keepLastCheckpoint, keepShort, loadStates, type Session } from "../journal/journal.ts";
import type { BlockSurroundings } from "./step.ts";
import { mayAsk } from "./may-ask.ts";
import type { KeptEntry } from "../model/journal.ts";
import { recoverRun } from "./recover-run.ts";
import { callWorkflow } from "./call-workflow.ts";
import { finishRun } from "./finish-run.ts";
import { StepsUnderWay } from "./steps-under-way.ts";
import { expirePauses } from "./expire.ts";
import { unitFields } from "./record-step.ts";

/** Longest time without giving other work on the same thread a turn. */
const BREATH_MS = 12;
/** Entries that may wait for the store before the run waits for it. */
const MAX_BACKLOG = 1_000;

/** What the work on a run needs from its live object. */
export interface Workplace {
  readonly signal: PlatformSignal;
  /** Whether the executor was closed, or another one took the run: nothing new is begun. */
  isClosed(): boolean;
  /** Gives what lets the work go on without waiting for the blocks that still execute. */
  readonly onStop: (stop: () => void) => void;
  /** Told when a block turns out to take time, and when it is done. */
  running(unit: Unit, startedAt: number | undefined): void;
}

/** Does what there is to do for a run that this executor has taken, until nothing is left or only answers and instants can move it on. */
export async function work(services: RunnerServices, run: HeldRun, place: Workplace): Promise<void> {
  const { session } = run;
  // Others may have handed it over since.
  if (session.barred) return;
  const { host, policy, store } = services;
  // What the run may need after it has begun is loaded before its first block.
  if (policy.retention !== "full") await loadStates();
  await services.guard?.secure(session);
  if (session.foundAt !== undefined) await recoverRun(session);
  const around = surroundings(services, run, place);
  session.onRevised = () => around.underWay.abortStale();
  let breathedAt = host.now();
  for (;;) {
    if (place.isClosed() || session.broken) return session.flushed();
    const decision = run.next();
    switch (decision.do) {
      case "execute": {
        const { revisions } = session.state;
        // A block must not see an answer that a crash could still undo: a person might give another one then.
        if (decision.pauses.length + decision.items.pauses.length > 0) await session.flushed();
        // Another tab may have changed an answer meanwhile.
        if (session.state.revisions !== revisions) break;
        const slow = executeDecision(around, decision, place.onStop);
        if (slow) await slow;
        break;
      }
      case "skip":
        for (const { reason, ...unit } of decision.skips) session.record({ type: "skipped", ...unitFields(session, unit), reason });
        break;
      case "fail":
        for (const { error, ...unit } of decision.refusals) session.record({ type: "failed", ...unitFields(session, unit), error });
        break;
      case "keep":
        session.record({ type: "kept", units: decision.units.map((unit) => nameUnit(session, unit)), at: session.now() });
        break;
      case "expire":
        await expirePauses(services, session, decision.pauses);
        continue;
      case "finish":
        if (policy.retention === "latest") await keepLastCheckpoint(session);
        await finishRun(services, session, { decision, signal: place.signal });
        continue;
      default:
        await save(services, session, true);
        if (session.state.finished) await dropSnapshot(services, session);
        if (!isDue(run.next())) return;
        continue;
    }
    if (policy.durability === "sync" || (policy.durability === "async" && session.backlog > MAX_BACKLOG)) {
      await session.flushed();
      // Waiting for a disk or a database gave other work its turn already.
      if (store.durable) breathedAt = host.now();
    }
    if (host.now() - breathedAt >= BREATH_MS) {
      await host.sleep(0);
      breathedAt = host.now();
    }
    if (session.isLong || leavesMuch(services, session)) await save(services, session, false);
  }
}

/** Stores what was recorded, and no more of the past than the policy wants kept or than reading it again would cost. */
async function save(services: RunnerServices, session: Session, atRest: boolean): Promise<void> {
  const isSpared = session.isLong || (atRest ? session.waitsLong : leavesMuch(services, session));
  if (services.policy.retention !== "full" || isSpared) {
    await keepShort(services, session, { atRest });
  } else await session.flushed();
}

/** Whether much would have to be read again if this process died now. What a store in memory holds dies with it. */
function leavesMuch({ policy, store }: RunnerServices, session: Session): boolean {
  return policy.retention === "full" && store.durable && session.isFarAhead;
}

function nameUnit({ compiled }: Session, { block, item }: Unit): KeptEntry["units"][number] {
  return { block: compiled.plan.ids[block]!, ...(item === undefined ? {} : { item }) };
}

function surroundings(services: RunnerServices, run: HeldRun, place: Workplace): BlockSurroundings {
  const { types, host, grants, maxParallel } = services;
  return {
    session: run.session,
    isRevisable: mayAsk(services, run.session),
    types,
    host,
    grants,
    signal: place.signal,
    underWay: new StepsUnderWay(place.signal),
    slots: { free: maxParallel },
    call: async (step, workflow, inputs) => callWorkflow(services, run, step, { workflow, inputs }),
    regain: async (step) => (await services.loadGuard()).regain(step.around.session, step.takeMissing(), place.signal),
    output: ({ block, item }, stream, text) =>
      services.onEvent?.({ type: "output", run: run.id, block, ...(item ? { item: item.index } : {}), stream, text }),
    running: (unit, startedAt) => place.running(unit, startedAt),
  };
}
