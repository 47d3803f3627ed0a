import { type Decision, owedBy, unitsInFlight } from "../machine/machine.ts";
import { dropSnapshot, isFarAhead, keepLastCheckpoint, keepShort, loadStates, type Session } from "../journal/journal.ts";
import { Wave } from "./wave.ts";
import { endPauses } from "./end-pauses.ts";
import { finishRun } from "./finish-run.ts";
import { suspended } from "./stop-run.ts";
import { unitFields } from "./record-step.ts";
import { nameUnit, type Workplace } from "./step-context.ts";

/** Longest time without giving other work on the same thread a turn. */
const YIELD_AFTER_MS = 12;
/** How many entries may wait for the store before the run waits too. */
const MAX_BACKLOG = 1_000;

/** Executes a run whose lock this executor holds, until nothing is left or only answers and instants can move it on. */
export async function work(place: Workplace): Promise<void> {
  const { services, session, signal } = place;
  // Others may have transferred it meanwhile.
  if (session.unavailable) return;
  await begin(place);
  const { state, policy } = session;
  const { host, store } = services;
  let yieldedAt = host.now();
  for (;;) {
    // The executor was closed, another one took the run, or it was stopped for now: nothing new is begun.
    if (session.broken || (signal.aborted && !state.finished)) return session.flushed();
    const decision = session.folded.decide(session.now(), place.looked);
    switch (decision.do) {
      case "execute": {
        const { entries } = state;
        // A block must not see an answer or a signal that a crash could still undo: the next one might differ.
        if (decision.pauses.length > 0 || decision.due.some(({ signal }) => signal !== undefined)) await session.flushed();
        // Another tab may have changed an answer meanwhile, or sent an older signal.
        if (state.entries !== entries) break;
        const wave = new Wave(place, decision);
        if (wave.launch()) await wave.settled();
        break;
      }
      case "skip":
      case "fail":
      case "keep":
        recordDecision(session, decision);
        break;
      case "expire":
        await endPauses(services, session, decision.ends);
        continue;
      case "finish":
        await finish(place, decision);
        continue;
      default: {
        const { entries } = state;
        await keepShort(services, session, { atRest: true });
        if (state.finished) await dropSnapshot(services, session);
        // An answer may have come meanwhile.
        if (state.entries === entries) return;
        continue;
      }
    }
    if (policy.durability === "sync" || (policy.durability === "async" && session.backlog > MAX_BACKLOG)) {
      await session.flushed();
      // Waiting for a disk or a database has let other work run already.
      if (store.durable) yieldedAt = host.now();
    }
    if (host.now() - yieldedAt >= YIELD_AFTER_MS) {
      await host.sleep(0);
      yieldedAt = host.now();
    }
    if (isFarAhead(services, session)) await keepShort(services, session, { atRest: false });
  }
}

/** What comes before the first block. */
async function begin(place: Workplace): Promise<void> {
  const { services, session } = place;
  // What the run may need after it has begun is loaded now.
  if (session.policy.retention !== "full") await loadStates();
  await services.guard?.secure(session);
  await recoverRun(session);
  session.onTurned = () => {
    if (session.state.suspension) place.stop(suspended(session.state.id));
    for (const step of place.underWay) step.abortStale();
  };
}

async function finish(place: Workplace, decision: Extract<Decision, { do: "finish" }>): Promise<void> {
  const { services, session, signal } = place;
  const { state, policy } = session;
  const { entries } = state;
  if (policy.retention === "latest") await keepLastCheckpoint(session);
  // Blocks that undo what the run did may use them.
  if (state.resources.size > 0 && (decision.status === "compensated" || owedBy(session).length === 0)) await place.closeResources();
  // An answer may have been changed meanwhile: then this is not the end.
  if (state.entries === entries) await finishRun(services, session, { decision, signal });
}

/** Records decisions about units that are not executed. */
function recordDecision(session: Session, decision: Extract<Decision, { do: "skip" | "fail" | "keep" }>): void {
  switch (decision.do) {
    case "skip":
      for (const { reason, ...unit } of decision.skips) session.record({ type: "skipped", ...unitFields(session, unit), reason });
      break;
    case "fail":
      for (const { error, ...unit } of decision.refusals) session.record({ type: "failed", ...unitFields(session, unit), error });
      break;
    case "keep":
      session.record({ type: "kept", units: decision.units.map((unit) => nameUnit(session, unit)), at: session.now() });
  }
}

/**
 * Records that blocks are executed again which may have been executing when the run was left: their attempts continue to count, after
 * another crash too. Resolves once that is stored, before any of them begins; a runner that lost the run to another one learns so here.
 */
export async function recoverRun(session: Session): Promise<void> {
  const { state, foundAt: at } = session;
  session.foundAt = undefined;
  if (at === undefined || state.finished || unitsInFlight(session, at).length === 0) return;
  session.record({ type: "recovered", at });
  await session.flushed();
}
