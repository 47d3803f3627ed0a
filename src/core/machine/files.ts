import { WorkflowError } from "../model/errors.ts";
import { fingerprint } from "../model/fingerprint.ts";
import type { FilesRead } from "../model/journal.ts";
import { FileBytes, type RunFile, type StoredFile } from "../model/run-file.ts";
import type { Folding } from "./folding.ts";
import type { RunReading, RunState } from "./state.ts";
import { changeUnit, type UnitFile, unitState, type UnitState } from "./unit-state.ts";
import { unitKey, type Unit } from "./unit.ts";

/** A file of a run, with the unit that wrote it last. */
export interface WrittenFile extends UnitFile, Unit {}

/** By name. */
export type RunFiles = ReadonlyMap<string, WrittenFile>;

/** The files that a wave began with, by the units of the run: what is before it changes only by a revision. */
const begun = new WeakMap<RunState["units"], { wave: number; readonly opened: string; readonly files: Map<string, WrittenFile> }>();

/** Notes the files that an execution wrote, before it is recorded as completed or as one that is repeated. */
export function noteFiles({ state }: Folding, unit: Unit, files: readonly StoredFile[], isRevisable: boolean): void {
  const { progress } = changeUnit(state, unit);
  const names = new Set(files.map(({ name }) => name));
  // Where no answer can be changed, nothing goes back to an earlier iteration.
  const before = progress.files?.filter(({ name }) => isRevisable || !names.has(name));
  progress.files = withFiles(before, files, progress.loop?.past.length ?? 0);
  state.hasFiles = true;
}

/** The files of a unit with those that one more execution of it wrote. */
export function withFiles(before: readonly UnitFile[] = [], files: readonly StoredFile[], iteration: number): readonly UnitFile[] {
  return [...before, ...files.map((file) => ({ ...file, iteration }))];
}

/** Notes what a unit found when it read files of the run. */
export function noteFilesRead(state: RunState, unit: Unit, read: FilesRead): void {
  const own = changeUnit(state, unit);
  own.read = { ...read, ...own.read };
}

/** The files that a unit sees: those of the waves before it, and its own. Within a wave the last block of the definition wins. */
export function filesFor(run: RunReading, unit: Unit): RunFiles {
  const wave = run.compiled.plan.waveOf[unit.block]!;
  const before = filesBefore(run, wave);
  const own = unitState(run.state, unit);
  if (wave >= 0 && !own.progress.files) return before;
  const files = new Map(before);
  // What undoes the run sees what was undone before it.
  if (wave < 0) join(files, unitsOf(run, [...run.compiled.plan.compensations.values()]));
  join(files, [own]);
  return files;
}

/** All files that a run has now, what the wave under way has written so far included. */
export function filesOf(run: RunReading): RunFiles {
  const { state, compiled } = run;
  if (!state.hasFiles) return new Map();
  const files = new Map(filesBefore(run, state.wave));
  join(files, unitsOf(run, compiled.plan.waves[state.wave] ?? []));
  if (state.compensation) join(files, unitsOf(run, [...compiled.plan.compensations.values()]));
  return files;
}

/** Files of a run as users see them. */
export function showFiles({ compiled }: RunReading, files: RunFiles): readonly RunFile[] {
  return [...files.values()].map(({ name, type, size, hash, block, item }) => {
    return { name, type, size, hash, block: compiled.plan.ids[block]!, ...(item !== undefined && { item }) };
  });
}

/** What `${blocks.x.files}` is: the files of one block by name, as files are given. */
export function filesOfBlock(run: RunReading, block: number): { readonly [name: string]: object } {
  const files = new Map<string, WrittenFile>();
  join(files, unitsOf(run, [block]));
  return Object.fromEntries(
    [...files.values()].map(({ name, type, size, hash, bytes }) => {
      const stored = { name, type, size, hash, ...(bytes !== undefined && { bytes }) };
      return [name, { name, type, size, hash, bytes: new FileBytes(stored) }];
    }),
  );
}

/**
 * What a unit would find otherwise than before if it read again what it has read: nothing where all is as it was. Throws `REFERENCE_UNKNOWN`
 * in a preview, where that is not known.
 */
export function changedReads(run: RunReading, unit: Unit): FilesRead | undefined {
  const { read } = unitState(run.state, unit);
  if (!read) return undefined;
  const files = filesFor(run, unit);
  const now = Object.keys(read).map((name) => [name, found(files, name)] as const);
  const changed = now.filter(([name, hash]) => read[name] !== hash);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

/** What is noted of a file that was read; of their list where the name is empty. */
export function found(files: RunFiles, name: string): string | null {
  if (name !== "") return files.get(name)?.hash ?? null;
  return fingerprint([...files.values()].map(({ name: one, hash, type }) => [one, hash, type]).toSorted(([a], [b]) => (a! < b! ? -1 : 1)));
}

/** The blocks of waves behind a block that read files of the run, which it may write. */
export function fileReaders({ compiled: { plan }, state }: RunReading): readonly { readonly block: number; readonly wave: number }[] {
  return [...state.units.values()].flatMap(({ block, read }) => (read ? [{ block, wave: plan.waveOf[block]! }] : []));
}

/** The files of all waves before one; of what undoes the run, of all waves. */
function filesBefore(run: RunReading, wave: number): RunFiles {
  const { state, compiled } = run;
  const { waves } = compiled.plan;
  const last = wave < 0 ? waves.length : wave;
  const settled = state.wave < 0 ? waves.length : state.wave;
  const opened = `${state.revisedAt} ${state.formerly.length}`;
  let known = begun.get(state.units);
  if (!known || known.opened !== opened || known.wave > last) {
    known = { wave: 0, opened, files: new Map() };
    if (last >= settled) begun.set(state.units, known);
  }
  for (; known.wave < Math.min(last, settled); known.wave++) join(known.files, unitsOf(run, waves[known.wave]!));
  if (known.wave === last) return known.files;
  const files = new Map(known.files);
  for (const blocks of waves.slice(known.wave, last)) join(files, unitsOf(run, blocks));
  return files;
}

/** Adds what units wrote: by iteration, then by their places in the plan, so that it does not depend on speed. */
function join(files: Map<string, WrittenFile>, units: readonly Pick<UnitState, "block" | "item" | "progress">[]): void {
  if (units.some(({ progress }) => progress.isAssumed)) {
    throw new WorkflowError("REFERENCE_UNKNOWN", "It is not known yet which files the blocks before it write.");
  }
  const written = units.flatMap(({ block, item, progress }) =>
    (progress.files ?? []).map((file): WrittenFile => ({ ...file, block, item })),
  );
  if (units.length > 1) written.sort((a, b) => a.iteration - b.iteration || a.block - b.block || (a.item ?? -1) - (b.item ?? -1));
  for (const file of written) files.set(file.name, file);
}

/** What is known of blocks and their items. */
function unitsOf({ state }: RunReading, blocks: readonly number[]): readonly UnitState[] {
  return blocks.flatMap((block) => {
    const items = state.items.get(block)?.keys.map((_, item): Unit => ({ block, item })) ?? [];
    return [{ block }, ...items].flatMap((unit) => state.units.get(unitKey(unit)) ?? []);
  });
}
