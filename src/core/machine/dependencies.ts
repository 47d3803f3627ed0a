import { WorkflowError } from "../model/errors.ts";
import { survivesFailure } from "../model/workflow.ts";
import type { SkipReason } from "../model/run.ts";
import { COMPLETED, FAILED, isSettled, PENDING, SETTLED, SKIPPED_BLOCK, UNDER_WAY, UNTOUCHED } from "./block-status.ts";
import { channelCode } from "./channel-scope.ts";
import type { RunReading, RunState } from "./state.ts";
import { fileReaders } from "./files.ts";
import { unitState } from "./unit-state.ts";
import { AFTER, ALWAYS, type CompiledWorkflow, IF_FAILED } from "../definition/definition.ts";
import type { ScopedRun } from "./context.ts";

/**
 * Whether a dependency that a block needs was skipped. A failure that the run does not survive ends it before the wave of any dependent, so failures need
 * no look here.
 */
export function lacksDependency({ compiled: { plan }, state }: RunReading, block: number): boolean {
  for (let i = plan.dependencyStart[block]!; i < plan.dependencyStart[block + 1]!; i++) {
    if (plan.required[i] === 1 && state.blocks[plan.dependencies[i]!] === SKIPPED_BLOCK) return true;
  }
  return false;
}

/** Why a block whose dependencies have settled does not run because of them. Throws what the conditions of a `next` throw. */
export function skippedBy(run: ScopedRun, block: number): SkipReason | undefined {
  const { plan, workflow } = run.compiled;
  const isOneEnough = workflow.blocks[block]!.join === "any";
  let first: SkipReason | undefined;
  for (let i = plan.dependencyStart[block]!; i < plan.dependencyStart[block + 1]!; i++) {
    if (plan.leads[i] === AFTER || (!isOneEnough && plan.required[i] === 0)) continue;
    const reason = closedBy(run, i, block);
    if (reason === undefined && isOneEnough) return undefined;
    if (reason !== undefined && !isOneEnough) return reason;
    first ??= reason;
  }
  return first;
}

/** Why a settled dependency, named by its place in the plan, does not lead to a block. */
export function closedBy(run: ScopedRun, place: number, block: number): SkipReason | undefined {
  const { compiled, state } = run;
  const { ids, dependencies, leads } = compiled.plan;
  const source = dependencies[place]!;
  const code = state.blocks[source]!;
  const id = ids[source]!;
  if (code === SKIPPED_BLOCK) return { kind: "dependency", block: id };
  if (leads[place] === ALWAYS) return undefined;
  if (leads[place] === IF_FAILED) return code === FAILED ? undefined : { kind: "no-failure", block: id };
  return isChosen(run, source, ids[block]!) ? undefined : { kind: "not-chosen", block: id };
}

/** Whether a settled block leads to another one. A failed block leads only to its `on_failure`, if it has one. */
function isChosen({ compiled, state, scope }: ScopedRun, block: number, target: string): boolean {
  if (state.blocks[block] === FAILED && compiled.workflow.blocks[block]!.onFailure !== undefined) return false;
  const { next, assumed } = state.records.get(block)!;
  // The block may have chosen by itself, and its outputs are not known.
  if (assumed) throw new WorkflowError("REFERENCE_UNKNOWN", `It is not known what follows block "${compiled.plan.ids[block]!}".`);
  return next ? next.includes(target) : compiled.block(block).next(scope) === target;
}

/** Whether a block depends on something, and all of that has settled. */
export function areSettled(
  { state, compiled }: { readonly state: RunState; readonly compiled: Pick<CompiledWorkflow, "plan"> },
  block: number,
): boolean {
  const { dependencyStart, dependencies } = compiled.plan;
  for (let i = dependencyStart[block]!; i < dependencyStart[block + 1]!; i++) {
    if (!isSettled(state.blocks[dependencies[i]!]!)) return false;
  }
  return dependencyStart[block] !== dependencyStart[block + 1];
}

/** Whether a test holds for something that a block depends on, directly or not. */
export function someAncestor({ plan }: Pick<CompiledWorkflow, "plan">, block: number, isSuch: (ancestor: number) => boolean): boolean {
  const seen = new Set([block]);
  for (const next of seen) {
    if (next !== block && isSuch(next)) return true;
    for (let i = plan.dependencyStart[next]!; i < plan.dependencyStart[next + 1]!; i++) seen.add(plan.dependencies[i]!);
  }
  return false;
}

/** A block, and all that it depends on, directly or not. */
export function ancestorsOf(run: Pick<CompiledWorkflow, "plan">, block: number): ReadonlySet<number> {
  const found = new Set([block]);
  someAncestor(run, block, (ancestor) => !found.add(ancestor));
  return found;
}

const readers = new WeakMap<CompiledWorkflow["block"], readonly (readonly number[])[]>();

/** The blocks whose outcome may change with that of a block: all others that depend on it or refer to it, directly or not. */
export function dependentsOf(run: RunReading, block: number): ReadonlySet<number> {
  const direct = readersOf(run.compiled);
  const throughChannels = channelCode(run)?.channelReach(run);
  const ofFiles = fileReaders(run);
  const found = new Set<number>([block]);
  for (const next of found) {
    for (const reader of direct[next]!) found.add(reader);
    for (const reader of throughChannels?.(next) ?? []) found.add(reader);
    // Any block may write any file.
    for (const { block: reader, wave } of ofFiles) if (wave > run.compiled.plan.waveOf[next]!) found.add(reader);
  }
  found.delete(block);
  return found;
}

/**
 * By block: the blocks that depend on it or refer to it. Blocks that undo others are left out, since they are not part of the plan. Computed once for each
 * definition.
 */
export function readersOf(compiled: CompiledWorkflow): readonly (readonly number[])[] {
  const known = readers.get(compiled.block);
  if (known) return known;
  const { plan } = compiled;
  const lists = plan.ids.map((): number[] => []);
  plan.ids.forEach((_, block) => {
    if (plan.waveOf[block]! < 0) return;
    const before = new Set<number>(plan.dependencies.subarray(plan.dependencyStart[block], plan.dependencyStart[block + 1]));
    const referred = compiled.block(block).refersTo();
    // A name that is only known at run time may be any.
    if (referred === "any") {
      plan.ids.forEach((__, other) => {
        if (plan.waveOf[other]! < plan.waveOf[block]!) before.add(other);
      });
    } else for (const other of referred) before.add(other);
    for (const other of before) lists[other]!.push(block);
  });
  readers.set(compiled.block, lists);
  return lists;
}

/** How far each block of a run is, by its number. */
export function stagesOf({ compiled, state }: RunReading): Uint8Array {
  const { blocks } = compiled.workflow;
  const called = new Set([...state.units.values()].filter(({ caller, begun }) => caller ?? begun).map(({ block }) => block));
  return Uint8Array.from(state.blocks, (code, block) => {
    if (code === COMPLETED || code === SKIPPED_BLOCK) return SETTLED;
    if (code === FAILED) return survivesFailure(blocks[block]!) ? SETTLED : UNDER_WAY;
    // A unit that a revision opened begins again, with the run that it called.
    const isCalled = called.has(block) && unitState(state, { block }).turn === 0;
    return code !== PENDING || state.records.get(block) !== undefined || isCalled ? UNDER_WAY : UNTOUCHED;
  });
}
