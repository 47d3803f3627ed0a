import { checkpointId } from "../../model/ids.ts";
import type { CalledEntry, EffectedEntry, Entry, StartedEntry } from "../../model/journal.ts";
import type { RunParent } from "../../model/run.ts";
import { Session } from "../../journal/journal.ts";
import {
  addressesOf,
  beginFolding,
  callersOf,
  codeOf,
  COMPLETED,
  type FoldedRun,
  type KnownEffect,
  readUnitName,
  unitName,
  unitState,
} from "../../machine/machine.ts";
import type { Services } from "../../run/run.ts";
import { storedRun } from "../past/load-checkpoint.ts";
import { isUndone } from "./undone-since.ts";

/** The entries by which a fork knows of blocks that must not run twice, and that its source executed after the place of the fork. */
export function effectsSince(source: FoldedRun, fork: FoldedRun, at: number): readonly EffectedEntry[] {
  const known = effectsOf(fork);
  return [...effectsOf(source)].flatMap(([name, { begun, effect }]): readonly EffectedEntry[] => {
    if (known.has(name)) return [];
    const { given } = effect ?? begun!;
    const of = { type: "effected", ...readUnitName(name), ...(given === undefined ? {} : { given }), at } as const;
    if (!effect) return [{ ...of, unknown: true }];
    return [{ ...of, outputs: effect.outputs, ...(effect.next ? { next: effect.next } : {}) }];
  });
}

/** Executions that must not be repeated, by the name of the unit: those that are done, and those with an unknown end. */
function effectsOf({ compiled, state }: FoldedRun): ReadonlyMap<string, KnownEffect> {
  const known = new Map<string, KnownEffect>(state.effectsAhead);
  for (const { block, item, begun, effect } of state.units.values()) {
    const id = compiled.plan.ids[block];
    if (id !== undefined && (effect || (begun && !begun.isCleared))) known.set(unitName(id, item), { begun, effect });
  }
  return known;
}

/** A call that a fork has yet to make, for its journal. */
type Call = Omit<CalledEntry, "at">;

/**
 * Prepares calls that the fork will make again: for each run that the source called after the place of the fork, and that executed something that must
 * not run twice, makes a new run that knows of it. The new runs have done nothing, and are suspended until the fork calls them. Gives what the fork has
 * to note of them.
 */
export async function copyEffectsOfCalled(
  services: Services,
  source: FoldedRun,
  { to, copied }: { readonly to: string; readonly copied: ReadonlySet<string> },
): Promise<readonly Call[]> {
  const calls: Call[] = [];
  for (const unit of callersOf(source.state)) {
    const { block: at, item } = unit;
    const block = source.compiled.plan.ids[at] ?? "";
    const name = unitName(block, item);
    // What it called is undone as well.
    if (isUndone(source, unit) && codeOf(source.state, unit) === COMPLETED) continue;
    // As in every run, only the first one that a unit calls is known by its name alone; one that repeats calls another one each time.
    let isFirst = !copied.has(name);
    for (const there of addressesOf(source, unit)) {
      const called = copied.has(there) ? undefined : await services.find(await services.childId(source.state.id, there));
      if (!called) continue;
      const stored = await storedRun(services, called);
      const { workflow } = stored.state.started;
      const mark = there.slice(name.length + 1);
      const isLater = mark.startsWith("#");
      const parent = { run: to, block: isLater ? there : isFirst ? name : `${name}~${workflow}` };
      if (!(await beginWithEffects(services, stored, parent))) continue;
      const other = isLater ? { workflow: mark } : isFirst ? {} : { workflow };
      calls.push({ type: "called", block, ...(item === undefined ? {} : { item }), ...other });
      isFirst &&= isLater;
    }
  }
  return calls;
}

/** The entries that name the prepared calls of a fork. A unit that waits for a called run keeps that one. */
export function callsSince(calls: readonly Call[], { compiled, state }: FoldedRun, at: number): readonly CalledEntry[] {
  return calls.flatMap(({ block: id, item, ...call }): readonly CalledEntry[] => {
    const block = compiled.plan.index.get(id);
    if (block === undefined) return [];
    const unit = item === undefined ? { block: id } : { block: id, item };
    const { caller } = unitState(state, { block, item });
    const { workflow } = caller ?? {};
    const again: CalledEntry = { type: "called", ...unit, ...(workflow === undefined ? {} : { workflow }), at };
    return [{ ...call, ...unit, at }, ...(caller ? [again] : [])];
  });
}

/** Prepares one called run. Gives whether there was anything to know. */
async function beginWithEffects(services: Services, source: FoldedRun, parent: RunParent): Promise<boolean> {
  const to = await services.childId(parent.run, parent.block);
  const { entered: _entered, ...begun } = source.state.started;
  // The caller passes the inputs when it calls.
  const started: StartedEntry = { ...begun, definition: source.state.definition, inputs: {}, parent };
  const own = beginFolding(to, await services.definition(started.definition), started);
  const calls = await copyEffectsOfCalled(services, source, { to, copied: new Set() });
  const head = await services.store.head(source.state.id);
  const fork = { run: source.state.id, checkpoint: checkpointId(source.state.id, "wave", 0) };
  const session = new Session(services, own, undefined, {
    origin: { createdAt: services.host.now(), fork, parent, ...(head?.blobs ? { blobs: head.blobs } : {}) },
  });
  const at = session.now();
  const known: readonly Entry[] = [...effectsSince(source, own, at), ...callsSince(calls, own, at)];
  if (known.length === 0) return false;
  const texts = [...known, { type: "suspended", withCaller: true, at } as const].map((entry) => {
    own.apply(entry);
    return session.textOf(entry);
  });
  await session.create([JSON.stringify(started), ...texts]);
  await session.flushed();
  return true;
}
