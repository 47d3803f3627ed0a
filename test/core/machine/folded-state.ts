import { uneval } from "devalue";
import type { Store, Workflow } from "wavepoint";
import { STATUS_NAMES } from "../../../src/core/machine/block-status.ts";
import type { FoldedRun } from "../../../src/core/machine/folded-run.ts";
import type { JournalParts } from "../../../src/core/journal/journal-parts.ts";
import { readyWorkflow } from "../../../src/core/runner/parts.ts";
import { foldRun } from "../../../src/core/journal/read-run.ts";
import { statusOf } from "../../../src/core/machine/run-status.ts";
import { keyOf, openPauses, outputsOf, recordOf, type RunState } from "../../../src/core/machine/state.ts";
import type { StepRecord } from "../../../src/core/machine/step-records.ts";
import { callersOf, type UnitState } from "../../../src/core/machine/unit-state.ts";
import { unitKey, unitOfKey, type UnitKey } from "../../../src/core/machine/unit.ts";
import { fakeHost } from "wavepoint/testing";
import { describeNext } from "./machine.ts";

/** What the machine makes of the journal of a stored run, as the oracle compares it: the only file of the oracle that names internals. */

/** The state after so many entries of a run, as one text that names blocks by their ids and does not show how the machine keeps it. */
export async function foldedState(store: Store, run: string, entries: number): Promise<string> {
  const definition = async (hash: string) => readyWorkflow(JSON.parse((await store.getBlob(hash)) as string) as Workflow, new Map());
  const values = { onUnserializable: "error", serializers: [] };
  const parts = { store, host: fakeHost(), values, definition } as unknown as JournalParts;
  return describe(await foldRun(parts, run, entries));
}

function describe(run: FoldedRun): string {
  const { compiled, state } = run;
  const { ids, waves, waveOf } = compiled.plan;
  const nameOf = (key: UnitKey): string => {
    const { block, item } = unitOfKey(key);
    return item === undefined ? ids[block]! : `${ids[block]!}[${item}]`;
  };
  const listed = <T>(keys: Iterable<UnitKey>, pick: (key: UnitKey) => T | undefined, tell: (value: T) => unknown): unknown =>
    [...keys]
      .map((key) => [nameOf(key), pick(key)] as const)
      .flatMap(([name, value]) => (value === undefined ? [] : [[name, tell(value)] as const]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const byUnit = <T>(pick: (unit: UnitState) => T | undefined, tell: (value: T) => unknown): unknown =>
    listed(state.units.keys(), (key) => pick(state.units.get(key)!), tell);
  const isClosed = (number: number): boolean => !state.open.has(number) && !state.answered.has(number);
  return uneval({
    status: statusOf(state),
    definition: state.definition,
    entries: state.entries,
    at: state.lastAt,
    wave: [state.wave, waves.length],
    blocks: ids.map((id, block) => [
      id,
      waveOf[block],
      STATUS_NAMES[state.blocks[block]!],
      tellRecord(recordOf(state, { block })),
      ...tellItems(state, block),
    ]),
    pauses: state.pauses.map(({ block, item, entry, answer, leftAt, forgotten, isOver, refusal, end }, number) => [
      nameOf(unitKey({ block, item })),
      [entry.prompt, entry.path, isClosed(number), forgotten, isOver, end, leftAt, refusal?.code],
      answer && [answer.response, answer.action, answer.by, answer.at, answer.place],
    ]),
    open: openPauses(state),
    waiting: byUnit(
      ({ progress }) => progress.sleeper,
      ({ until, retries, woken, pause }) => [until, retries, woken, pause],
    ),
    counts: [state.supersteps, state.ownership, state.transferredTo],
    iterations: byUnit(
      ({ progress }) => progress.loop,
      ({ past, carried }) => [past.map(tellRecord), carried],
    ),
    retries: byUnit(({ progress }) => progress.retries, String),
    recoveries: byUnit(({ progress }) => progress.recoveries, String),
    begun: byUnit(
      ({ begun }) => begun,
      ({ pause, woken, isCleared }) => [pause, woken, isCleared],
    ),
    callers: callersOf(state)
      .map((unit) => nameOf(unitKey(unit)))
      .toSorted(),
    checkpoints: [state.ends, [...state.forgottenEnds]],
    revisions: [state.revisions, state.cause, state.entered, byUnit(({ turn }) => turn || undefined, String)],
    candidates: byUnit(
      ({ candidate }) => candidate,
      ({ code, record, given, progress, live }) => [
        STATUS_NAMES[code],
        tellRecord(record),
        given,
        progress.asked,
        live.filter((number) => !state.pauses[number]!.answer),
      ],
    ),
    // Of units of which nothing else is known, their records tell.
    keys: listed(
      new Set([...state.units.keys(), ...unitsOf(state)]),
      (key) => keyOf(state, unitOfKey(key)),
      ({ given, k }) => [given, k],
    ),
    effects: byUnit(
      ({ effect }) => effect,
      ({ given, outputs }) => [given, outputs],
    ),
    askings: state.pauses.map(({ withdrawn, rank, supersedes }) => [withdrawn, rank, supersedes]),
    asked: [byUnit(({ progress: { asked } }) => (asked.length > 0 ? asked : undefined), String), byUnit(({ former }) => former, String)],
    end: [state.finished?.status, state.finished?.error, outputsOf(state)],
    next: [state.lastAt, Number.MAX_SAFE_INTEGER].map((now) => describeNext(run, now)),
  });
}

function unitsOf({ blocks, items }: RunState): readonly UnitKey[] {
  return Array.from(blocks, (_, block) => [
    unitKey({ block }),
    ...(items.get(block)?.keys.map((__, item) => unitKey({ block, item })) ?? []),
  ]).flat();
}

function tellItems(state: RunState, block: number): unknown[] {
  const items = state.items.get(block);
  if (!items) return [];
  return [items.keys.map((key, item) => [key, STATUS_NAMES[items.codes[item]!], tellRecord(items.records[item])])];
}

function tellRecord(record: StepRecord | undefined): unknown {
  if (!record) return undefined;
  const { at, ms, begunAt, attempts, until, outputs, error, skipped } = record;
  return [at, ms, begunAt ?? at - ms, attempts, until, outputs, error, skipped];
}
