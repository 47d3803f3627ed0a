import type { AbortSignalLike } from "../ports/host.ts";
import { decide } from "./decide.ts";
import { isDue, waitsForCalls } from "./due.ts";
import { executeDecision } from "./execute-decision.ts";
import type { LiveRun } from "./live-run.ts";
import type { Services } from "./services.ts";
import type { Session } from "./session.ts";
import type { BlockSurroundings } from "./step.ts";
import type { Donors } from "./time/donors.ts";
import type { Unit } from "./unit.ts";

/** Longest time without giving other work on the same thread a turn. */
const BREATH_MS = 12;
/** Entries that may wait for the store before the run waits for it. */
const MAX_BACKLOG = 1_000;

/** What whoever works on a run has from its live object. */
export interface Workplace {
  readonly signal: AbortSignalLike;
  /** Whether the executor was closed, or another one took the run: nothing new is begun. */
  isClosed(): boolean;
  /** Gives what lets the work go on without waiting for the blocks that still execute. */
  onStop(stop: () => void): void;
  /** Told when a block turns out to take time, and when it is done. */
  running(unit: Unit, startedAt: number | undefined): void;
}

/** Does what there is to do for a run that this executor has taken, until nothing is left or only answers and instants can move it on. */
export async function work(services: Services, run: LiveRun, place: Workplace): Promise<void> {
  const { session } = run;
  // Others may have handed it over since.
  if (session.barred) return;
  const { host, policy, store } = services;
  await services.guard?.secure(session);
  if (session.foundAt !== undefined) await (await import("./effects/recover-run.ts")).recoverRun(session);
  if (waitsForCalls(session.state)) await (await import("./call-workflow.ts")).reconcileCalls(services, run);
  const donors = await findDonors(services, session);
  const around = surroundings(services, run, { place, donors });
  let breathedAt = host.now();
  for (;;) {
    if (place.isClosed() || session.broken) return session.flushed();
    const decision = decide(session.state, session.now());
    if (decision.do === "execute") {
      // No block hears an answer that a crash could take back: somebody might give another one then.
      if (decision.pauses.length > 0) await session.flushed();
      const slow = executeDecision(around, decision);
      if (slow) await untilDoneOrStopped(place, slow);
      if (policy.durability === "sync" || (policy.durability === "async" && session.backlog > MAX_BACKLOG)) {
        await session.flushed();
        // Waiting for a disk or a database gave other work its turn already.
        if (store.durable) breathedAt = host.now();
      }
      if (host.now() - breathedAt >= BREATH_MS) {
        await host.sleep(0);
        breathedAt = host.now();
      }
      if (session.isLong) await keepShort(services, session, false);
    } else if (decision.do === "finish") await (await import("./finish-run.ts")).finishRun(session, decision);
    else if (decision.do === "expire") await (await import("./pauses/expire.ts")).expirePauses(services, session, decision.pauses);
    else {
      if (await donors?.takeAnswers(session)) continue;
      await keepShort(services, session, true);
      if (!isDue(session.state, session.now())) return;
    }
  }
}

/** Stores what was recorded, and no more of the past than the policy wants kept or than reading it again would cost. */
async function keepShort(services: Services, session: Session, atRest: boolean): Promise<void> {
  const isSpared = session.isLong || (atRest && session.waitsLong);
  if (services.policy.retention !== "full" || isSpared) {
    await (await import("./keep-short.ts")).keepShort(services, session, { atRest });
  } else await session.flushed();
  if (atRest && session.isMistold) await (await import("./keep-short.ts")).storeStatus(services, session);
}

/** A block that does not heed its signal keeps nobody waiting: a stopped run goes on to its end. */
function untilDoneOrStopped(place: Workplace, slow: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    place.onStop(() => resolve(undefined));
    slow.then(resolve, reject);
  });
}

/** What the run takes over from the one it revises; most runs revise none. */
async function findDonors(services: Services, { state }: Session): Promise<Donors | undefined> {
  if (!state.revises) return undefined;
  const { Donors } = await import("./time/donors.ts");
  return new Donors(services, state, state.revises);
}

interface With {
  readonly place: Workplace;
  readonly donors: Donors | undefined;
}

function surroundings(services: Services, run: LiveRun, { place, donors }: With): BlockSurroundings {
  const { types, host, grants, maxParallel } = services;
  return {
    session: run.session,
    donors,
    types,
    host,
    grants,
    signal: place.signal,
    slots: { free: maxParallel },
    call: async ({ unit, signal }, workflow, inputs) => {
      const { callWorkflow } = await import("./call-workflow.ts");
      return callWorkflow(services, run, { unit, workflow, inputs, signal, donors });
    },
    output: ({ block, item }, stream, text) =>
      services.onEvent?.({ type: "output", run: run.id, block, ...(item ? { item: item.index } : {}), stream, text }),
    running: (unit, startedAt) => place.running(unit, startedAt),
  };
}
