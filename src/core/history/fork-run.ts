import type { CheckpointRow } from "../model/checkpoint.ts";
import { WorkflowError } from "../model/errors.ts";
import { pauseId } from "../model/ids.ts";
import type { AnsweredEntry, EffectedEntry, Entry, PausedEntry } from "../model/journal.ts";
import type { RunFork, RunParent } from "../model/run.ts";
import type { Value } from "../model/value.ts";
import type { CompiledWorkflow } from "../definition/definition.ts";
import { checkpointRows, foldRun, hasCheckpoint, loadStates, openUntil, pruned, readPast, readTexts, Session } from "../journal/journal.ts";
import type { Services } from "../run/run.ts";
import { addressOf, callersOf, type FoldedRun, type RunState, unaskedCalls, unitName, unitState } from "../machine/machine.ts";

/** Where in the journal of a run a new run begins. */
export interface ForkPlace {
  readonly run: string;
  readonly checkpoint: string;
  /** How many entries of its journal are shared. */
  readonly entries: number;
  /** Answers that are given to pauses which are open there, by their number. */
  readonly answers?: ReadonlyMap<number, Value>;
}

/** What a new run does otherwise from its first commit on. */
export interface ForkChange {
  /** The entries that say so, each made for the run once those before it are folded. */
  entries(run: FoldedRun, at: number): Iterable<Entry>;
  /** The definition to which one of them moves the run. */
  readonly definition?: { readonly hash: string; readonly compiled: CompiledWorkflow } | undefined;
}

/** A run that is to have the past of another one. */
export interface Copy {
  readonly place: ForkPlace;
  /** The id of the new run. */
  readonly to: string;
  readonly change?: ForkChange | undefined;
  readonly parent?: RunParent;
}

/**
 * Makes a new run with the past of another up to a place, and new runs for all that its blocks had called by then. The old runs stay as they are, and
 * the new ones need none of them. Throws `CHECKPOINT_PRUNED`.
 */
export async function forkRun(services: Services, { place, to, change, parent }: Copy): Promise<void> {
  const fork: RunFork = { run: place.run, checkpoint: place.checkpoint };
  const source = await services.find(place.run);
  await source?.session.flushed();
  const head = await services.store.head(place.run);
  if (!source || !head) throw new WorkflowError("RUN_NOT_FOUND", `Run ${place.run} was deleted, so it cannot be forked.`);
  source.assertHere();
  if (place.entries < (head.base ?? 0)) throw pruned(source.session.folded, "What was before that");
  const past = await foldRun(services, place.run, place.entries);
  // Called runs first: a crash in between leaves unreferenced copies, never a run that misses what it called.
  for (const called of await calledPlaces(services, past, place.answers)) {
    const { unit, ...there } = called;
    await forkRun(services, { place: there, to: await services.childId(to, unit), parent: { run: to, block: unit } });
  }
  const texts = await readTexts(services, place.run, { to: place.entries });
  // Its past may have been dropped, or the run deleted, since it was folded.
  if (!head.base && texts.length < place.entries) {
    if (await services.store.head(place.run)) throw pruned(source.session.folded, "What was before that");
    throw new WorkflowError("RUN_NOT_FOUND", `Run ${place.run} was deleted, so it cannot be forked.`);
  }
  const rows = await copyRows(services, past, place, to);
  const own = past.fork(to, parent);
  own.base = head.base ?? 0;
  const session = new Session(services, own, undefined, {
    origin: { createdAt: services.host.now(), fork, ...(parent ? { parent } : {}), ...(head.blobs ? { blobs: head.blobs } : {}) },
  });
  if (change?.definition) own.know(change.definition.hash, change.definition.compiled);
  const begin = (): { readonly texts: string[]; readonly rows: CheckpointRow[] } => {
    const at = session.now();
    const made: CheckpointRow[] = [];
    const written: string[] = [];
    const add = (entries: Iterable<Entry>): void => {
      for (const entry of entries) {
        made.push(...own.apply(entry).checkpoints);
        written.push(session.textOf(entry));
      }
    };
    add(effectsSince(source.session.state, own, at));
    add(answersOf(own.state, place.answers, at));
    if (change) add(change.entries(own, at));
    return { texts: written, rows: made };
  };
  if (head.base) return createFromBase(services, session, { rows, begin });
  const first = parent ? JSON.stringify({ ...(JSON.parse(texts[0]!) as object), parent }) : texts[0]!;
  const beginning = begin();
  await session.create([first, ...texts.slice(1), ...beginning.texts], [...rows, ...beginning.rows]);
  await session.flushed();
}

/** The checkpoints of the past that are still listed. */
async function copyRows(services: Services, past: FoldedRun, { run, entries }: ForkPlace, to: string): Promise<CheckpointRow[]> {
  const rows: CheckpointRow[] = [];
  for await (const row of checkpointRows(services, { run })) {
    // What came after the place may have said that a superstep had ended there.
    if (row.entries <= entries && hasCheckpoint(past, row)) rows.push({ ...row, run: to });
  }
  return rows;
}

interface Copied {
  /** The checkpoints of the past. */
  readonly rows: readonly CheckpointRow[];
  /** Folds what the new run begins with. */
  readonly begin: () => { readonly texts: string[] };
}

/** Of a run whose beginning is no longer kept, the whole past is one text. */
async function createFromBase(services: Services, session: Session, { rows, begin }: Copied): Promise<void> {
  const { state } = session;
  await session.rebase(async () => {
    const { writeBase } = await loadStates();
    const base = await writeBase(session.folded);
    const open = rows.filter(({ kind, number }) => kind === "pause" && state.open.has(number));
    // The head names the blobs of the answers, which are known once those are written.
    const { texts: entries } = begin();
    const head = { ...session.describe(undefined, base.at + entries.length), base: base.at };
    await services.store.commit({ run: state.id, expected: undefined, head, base, entries, checkpoints: open, durability: "strict" });
    return head;
  });
}

function answersOf(past: RunState, answers: ForkPlace["answers"], at: number): readonly AnsweredEntry[] {
  const own = [...(answers ?? [])].filter(([number]) => past.pauses[number]?.entry.child === undefined);
  return own.map(([number, response]): AnsweredEntry => ({ type: "answered", pause: number, response, at }));
}

/** What must not run twice and was executed after the place where the new run begins. */
function effectsSince(source: RunState, { compiled, state }: FoldedRun, at: number): readonly EffectedEntry[] {
  return [...source.units.values()].flatMap(({ block, item, effect }): readonly EffectedEntry[] => {
    const id = compiled.plan.ids[block];
    if (!effect || unitState(state, { block, item }).effect || id === undefined) return [];
    const { given, outputs } = effect;
    return [
      { type: "effected", block: id, ...(item === undefined ? {} : { item }), ...(given === undefined ? {} : { given }), outputs, at },
    ];
  });
}

interface CalledPlace extends ForkPlace {
  readonly unit: string;
}

/** Where the called runs begin that a new run needs, with the unit that called. */
export async function calledPlaces(
  services: Services,
  { compiled, state }: FoldedRun,
  answers?: ForkPlace["answers"],
): Promise<readonly CalledPlace[]> {
  const waiting = waitingCalls(state);
  const places: CalledPlace[] = [];
  for (const caller of callersOf(state)) {
    const unit = addressOf({ compiled, state }, caller);
    const name = unitName(compiled.plan.ids[caller.block] ?? "", caller.item);
    const called = await services.find(await services.childId(state.id, unit));
    const pauses = waiting.get(name);
    const known = caller.childEntries;
    if (!called || (!pauses && known === undefined)) {
      // Where no question is open it may be called anew; else the answer would find no one.
      if (!pauses) continue;
      throw new WorkflowError(
        "RUN_NOT_FOUND",
        `The run that block "${unit}" of run ${state.id} called was deleted, so there is no way back to what it asked. Begin at another checkpoint.`,
        { details: { run: state.id, block: unit } },
      );
    }
    if (!called.active) await called.update();
    const there = called.session.state;
    const first = pauses?.[0]?.child;
    const entries = pauses
      ? Math.min(...pauses.map(({ child }) => openUntil(there, there.pauses[child!]!)))
      : Math.min(known!, there.entries);
    places.push({
      unit,
      run: called.id,
      checkpoint: pauseId(called.id, first ?? 0),
      entries: Math.min(entries, await revisedFrom(services, called.session, state.revisions)),
      answers: new Map((pauses ?? []).flatMap(({ pause, child }) => answerOf(state, pause, answers).map((answer) => [child!, answer]))),
    });
  }
  return places;
}

/** How many entries a called run had before it followed any revision of its caller after the first `revisions`. Throws `CHECKPOINT_PRUNED`. */
async function revisedFrom(services: Services, session: Session, revisions: number): Promise<number> {
  const { id, cause, entered, entries } = session.state;
  if (Math.max(cause, entered) <= revisions) return entries;
  await session.flushed();
  const kept = await readPast(services, id, 0, entries);
  const first = kept.findIndex((entry) => (entry.type === "revised" || entry.type === "reentered") && (entry.cause ?? 0) > revisions);
  if (first < 0) throw pruned(session.folded, "What was before that");
  return entries - kept.length + first;
}

/** What a called run is answered: by the fork, or by its caller, which has noted the answer and not yet looked what came of it. */
function answerOf({ pauses }: RunState, pause: number, answers: ForkPlace["answers"]): readonly Value[] {
  if (answers?.has(pause)) return [answers.get(pause)!];
  const noted = pauses[pause]!.answer;
  return noted && !noted.action ? [noted.response as Value] : [];
}

/** The questions of called runs that are open in a run, or the last answer where none is, by the unit that called. */
function waitingCalls(state: RunState): ReadonlyMap<string, readonly PausedEntry[]> {
  const waiting = new Map<string, PausedEntry[]>();
  for (const number of new Set([...state.open, ...unaskedCalls(state).map(({ pause }) => pause)])) {
    const { entry, withdrawn } = state.pauses[number]!;
    const unit = unitName(entry.block, entry.item);
    if (entry.child !== undefined && !withdrawn) waiting.set(unit, [...(waiting.get(unit) ?? []), entry]);
  }
  return waiting;
}
