import type { CheckpointRow } from "../model/checkpoint.ts";
import { WorkflowError } from "../model/errors.ts";
import { pauseId, runId } from "../model/ids.ts";
import type { AnsweredEntry, Entry, PausedEntry, RevisesEntry } from "../model/journal.ts";
import type { EarlierAnswer, RunFork, RunParent } from "../model/run.ts";
import type { Value } from "../model/value.ts";
import type { CheckpointPlace } from "./checkpoints.ts";
import { entriesAt, pruned } from "./checkpoints.ts";
import { foldRun } from "./read-run.ts";
import { checkpointRows } from "./checkpoint-rows.ts";
import type { Services } from "./services.ts";
import { Session } from "./session.ts";
import { writeBase } from "./snapshots.ts";
import type { RunState } from "./state.ts";
import { getCalled } from "./time/called-run.ts";
import { transition } from "./transition.ts";
import { unitName } from "./unit.ts";
import { readTexts } from "./values/read-texts.ts";

/** Where in the journals of a run, and of those it called, a new run begins. */
export interface ForkPlace {
  readonly run: string;
  readonly checkpoint: string;
  /** How many entries of its journal are shared. */
  readonly entries: number;
  /** The pause at which it begins, where it does at one. */
  readonly pause?: number | undefined;
  /** Answers that are given to pauses which are open there, by their number. */
  readonly answers?: ReadonlyMap<number, Value>;
  /** The called run in which that question is, where it is not asked by a block of this run itself. */
  readonly below?: { readonly unit: string; readonly place: ForkPlace } | undefined;
}

/** What a fork is to do otherwise. */
export interface ForkChange {
  /** Whether finished steps are taken over from the run it comes from. */
  readonly revises?: boolean;
  /** Whether blocks with `effect: once` may run again. */
  readonly confirmed?: boolean | undefined;
}

/**
 * Makes a new run with the past of another up to a checkpoint, and new runs for what its blocks had called and were waiting for. The old
 * runs stay as they are. Gives the id of the new run.
 */
export function forkRun(services: Services, source: RunState, place: CheckpointPlace): Promise<string> {
  return forkAt(services, { run: source.id, checkpoint: place.id, entries: entriesAt(source, place) }, {});
}

/** The same at a place of one's own choice. Throws `CHECKPOINT_PRUNED`. */
export async function forkAt(services: Services, place: ForkPlace, change: ForkChange): Promise<string> {
  const id = runId(services.host.newId());
  await copyRun(services, { place, to: id, change });
  return id;
}

interface Copy {
  readonly place: ForkPlace;
  readonly to: string;
  readonly change: ForkChange;
  readonly parent?: RunParent;
}

async function copyRun(services: Services, copy: Copy): Promise<void> {
  const { place, to, change, parent } = copy;
  const fork: RunFork = { run: place.run, checkpoint: place.checkpoint, ...(change.revises ? { revises: true } : {}) };
  const source = await services.find(place.run);
  await source?.session.flushed();
  const head = await services.store.head(place.run);
  if (!source || !head) throw new WorkflowError("RUN_NOT_FOUND", `Run ${place.run} was deleted, so it cannot be forked.`);
  source.assertHere();
  if (place.entries < (head.base ?? 0)) throw pruned(source.session.state, "What was before that");
  const past = await foldRun(services, place.run, place.entries);
  // Called runs first: a crash in between leaves copies nobody refers to, never a run that misses what it called.
  await copyCalledRuns(services, past, copy);
  const texts = await readTexts(services, place.run, { to: place.entries });
  // Somebody may have dropped its past, or deleted it, since it was folded.
  if (!head.base && texts.length < place.entries) {
    if (await services.store.head(place.run)) throw pruned(source.session.state, "What was before that");
    throw new WorkflowError("RUN_NOT_FOUND", `Run ${place.run} was deleted, so it cannot be forked.`);
  }
  const state: RunState = { ...past, id: to, started: parent ? { ...past.started, parent } : past.started, base: head.base ?? 0 };
  state.fresh = await copyRows(services, place, to);
  const session = new Session(services, state, undefined, {
    origin: {
      createdAt: services.host.now(),
      fork,
      ...(parent ? { parent } : {}),
      ...(head.blobs ? { blobs: head.blobs } : {}),
    },
  });
  const own = entriesOf({ source: source.session.state, past: state, place, change, at: session.now() });
  if (head.base) return createFromBase(services, session, own);
  const first = parent ? JSON.stringify({ ...(JSON.parse(texts[0]!) as object), parent }) : texts[0]!;
  for (const entry of own) transition(state, entry);
  await session.create([first, ...texts.slice(1), ...own.map((entry) => session.textOf(entry))]);
  await session.flushed();
}

/** The checkpoints of the past that are still listed. */
async function copyRows(services: Services, { run, entries }: ForkPlace, to: string): Promise<CheckpointRow[]> {
  const rows: CheckpointRow[] = [];
  for await (const row of checkpointRows(services, { run })) if (row.entries <= entries) rows.push({ ...row, run: to });
  return rows;
}

/** Of a run whose beginning is no longer kept, the whole past is one text. */
async function createFromBase(services: Services, session: Session, own: readonly Entry[]): Promise<void> {
  const { state } = session;
  await session.rebase(async () => {
    const base = await writeBase(state);
    const open = state.fresh.filter(({ kind, number }) => kind === "pause" && state.open.has(number));
    for (const entry of own) transition(state, entry);
    // The head names the blobs of the answers, which are known once those are written.
    const entries = own.map((entry) => session.textOf(entry));
    const head = { ...session.describe(undefined, base.at + own.length), base: base.at };
    await services.store.commit({
      run: state.id,
      expected: undefined,
      head,
      base,
      entries,
      checkpoints: open,
      durability: "strict",
    });
    return head;
  });
}

interface Beginning {
  readonly source: RunState;
  readonly past: RunState;
  readonly place: ForkPlace;
  readonly change: ForkChange;
  readonly at: number;
}

/** What the new run begins with. */
function entriesOf({ source, past, place, change, at }: Beginning): readonly Entry[] {
  const { pause, below, run, answers = new Map<number, Value>() } = place;
  const own = [...answers].filter(([number]) => past.pauses[number]?.entry.child === undefined);
  const answered = own.map(([number, response]): AnsweredEntry => ({ type: "answered", pause: number, response, at }));
  if (!change.revises) return answered;
  const revises: RevisesEntry = {
    type: "revises",
    run,
    awaits: pause !== undefined ? { pause } : below ? { call: below.unit } : "caller",
    earlier: Object.fromEntries([...past.open].flatMap((number) => earlierOf(source, number))),
    ...(change.confirmed ? { confirmed: true } : {}),
    at,
  };
  return [revises, ...answered];
}

/** The answer that a question got later in the run it was copied from. */
function earlierOf({ pauses }: RunState, number: number): readonly (readonly [number, EarlierAnswer])[] {
  const answer = pauses[number]?.answer;
  if (!answer || answer.action || answer.by === "timeout") return [];
  return [[number, { response: answer.response as Value, state: "ok" }]];
}

async function copyCalledRuns(services: Services, past: RunState, { place, to, change }: Copy): Promise<void> {
  for (const [block, called] of await calledPlaces(services, past, place)) {
    await copyRun(services, { place: called, to: await services.childId(to, block), parent: { run: to, block }, change });
  }
}

/** Where the called runs begin that a new run needs, by the unit that called. Throws `RUN_NOT_FOUND`. */
export async function calledPlaces(
  services: Services,
  past: RunState,
  { below, answers }: ForkPlace,
): Promise<ReadonlyMap<string, ForkPlace>> {
  const places = new Map<string, ForkPlace>();
  for (const [unit, pauses] of waitingCalls(past)) {
    const called = await getCalled(services, past.id, unit);
    places.set(unit, {
      run: called.id,
      checkpoint: pauseId(called.id, pauses[0]!.child!),
      entries: Math.min(...pauses.map(({ child }) => waitedUntil(called.session.state, child!))),
      answers: new Map(pauses.flatMap(({ pause, child }) => answerOf(past, pause, answers).map((answer) => [child!, answer]))),
    });
  }
  if (below) places.set(below.unit, below.place);
  return places;
}

/** What a called run is answered: by the fork, or by its caller, which has noted the answer and not yet looked what came of it. */
function answerOf({ pauses }: RunState, pause: number, answers: ForkPlace["answers"]): readonly Value[] {
  if (answers?.has(pause)) return [answers.get(pause)!];
  const noted = pauses[pause]!.answer;
  return noted && !noted.action ? [noted.response as Value] : [];
}

/** The questions of called runs that are open in a run, or answered and not yet looked after, by the unit that called. */
function waitingCalls({ open, recheck, pauses }: RunState): ReadonlyMap<string, readonly PausedEntry[]> {
  const waiting = new Map<string, PausedEntry[]>();
  for (const number of [...open, ...recheck.values()]) {
    const { entry } = pauses[number]!;
    const unit = unitName(entry.block, entry.item);
    if (entry.child !== undefined) waiting.set(unit, [...(waiting.get(unit) ?? []), entry]);
  }
  return waiting;
}

/** The same of a question that may still be open: what was answered beside it is known to the caller, and belongs to the past of both. */
function waitedUntil(state: RunState, number: number): number {
  const until = openUntil(state, number);
  if (!state.open.has(number)) return until;
  if (!state.finished) return state.entries;
  // It was cancelled with its caller; nothing can follow its end.
  return Math.max(until, ...state.ends, ...state.pauses.map(({ answer }) => (answer ? answer.place + 1 : 0)));
}

/** How many entries a journal had while a question was open, at most. */
export function openUntil({ pauses, entries }: RunState, number: number): number {
  const pause = pauses[number];
  return pause?.answer?.place ?? (pause?.end || entries);
}
