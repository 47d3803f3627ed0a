import type { Wake } from "../ports/store.ts";
import { callersOf, codeOf, isSettled } from "../machine/machine.ts";
import { findCalled, findCaller, informCaller } from "../runner/runner.ts";
import type { OpenRun, Services } from "../run/run.ts";

/**
 * Goes on with a run that was ordered, and with those that called it, until they rest. Gives when the runs of this family go on by themselves. Throws what keeps the run
 * from going on here.
 */
export async function workOnOrder(services: Services, id: string): Promise<readonly Wake[]> {
  const run = await services.find(id);
  // It was deleted.
  if (!run) return [];
  const options = { revive: false, ordered: true } as const;
  await run.goOn(options);
  // The process that ended it may have died before its caller took note of that.
  if (run.session.state.finished) await informCaller(services, run, options);
  return wakesOf(services, await outermost(services, run));
}

async function outermost(services: Services, run: OpenRun): Promise<OpenRun> {
  const caller = await findCaller<OpenRun>(services, run.session);
  return caller ? outermost(services, caller) : run;
}

/** When a run goes on by itself, and each that it called and that has not ended. */
async function wakesOf(services: Services, run: OpenRun): Promise<readonly Wake[]> {
  await run.update();
  const { state, head } = run.session;
  const next = run.next(-Infinity);
  const wakes: Wake[] = next.do === "sleep" ? [{ run: run.id, revision: head!.revision, at: state.started.at + next.until }] : [];
  for (const unit of callersOf(state)) {
    const called = isSettled(codeOf(state, unit)) ? undefined : await findCalled<OpenRun>(services, run.session, unit);
    if (called) wakes.push(...(await wakesOf(services, called)));
  }
  return wakes;
}
