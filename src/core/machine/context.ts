import { SKIPPED, type Scope } from "../expression/scope.ts";
import { WorkflowError } from "../model/errors.ts";
import type { StartedEntry, Writes } from "../model/journal.ts";
import { isRecord, type Value, type Values } from "../model/value.ts";
import { channelScope, lookUpChannel } from "./channel-scope.ts";
import { COMPLETED, FAILED, PAUSED, PENDING, SKIPPED_BLOCK, STATUS_NAMES } from "./block-status.ts";
import type { Plan } from "../definition/definition.ts";
import { filesOfBlock } from "./files.ts";
import { type RunReading, type RunState, begunAt, codeOf, itemOf } from "./state.ts";
import type { StepRecord } from "./step-records.ts";
import { walkPath } from "../expression/walk-path.ts";
import type { Unit } from "./unit.ts";
import { type Items, iterationOf, unitState } from "./unit-state.ts";

type Path = readonly (string | number)[];

/** A run whose expressions can be evaluated. */
export interface ScopedRun extends RunReading {
  readonly scope: Scope;
}

/** The scope that shows all of a run that expressions can see. */
export function runScope(run: ScopedRun): Scope {
  return { lookup: (path) => lookUp(run, path) };
}

/**
 * What expressions of a run can see: `inputs`, `metadata`, `channels` and `blocks`, nothing else. Everything in it follows from the journal, so that a
 * block resolved again after a crash gets the same inputs. The paths are canonical; see `normalizeReference`.
 */
export function lookUp(run: ScopedRun, path: Path): unknown {
  if (path[0] === "inputs") return walkPath(run.state.started.inputs, path, 1);
  if (path[0] === "metadata") return walkPath(runMetadata(run), path, 1);
  if (path[0] === "failure") return lookUpFailure(run, path);
  if (path[0] === "channels") return lookUpChannel(run, path);
  if (path[0] === "previous") return lookUpPrevious(run.state.started, path);
  return lookUpBlock(run, path);
}

/** In the first run of a conversation everything of the one before is null. */
function lookUpPrevious({ previous, previousOutputs }: StartedEntry, path: Path): unknown {
  if (!previous) return null;
  return path[1] === "run" && path.length === 2 ? previous.run : walkPath({ outputs: previousOutputs }, path, 1);
}

function lookUpBlock(run: ScopedRun, path: Path): unknown {
  const { index, ids } = run.compiled.plan;
  const id = path[1];
  const block = typeof id === "string" ? index.get(id) : undefined;
  if (block === undefined) {
    throw new WorkflowError("REFERENCE_UNKNOWN", `There is no block ${JSON.stringify(id)}. Blocks: ${ids.slice(0, 10).join(", ")}.`);
  }
  switch (path[2]) {
    case "metadata":
      return walkPath(blockMetadata(run, block), path, 3);
    case "inputs":
      return lookUpInput(run, block, path);
    case "files":
      return lookUpFile(run, block, path);
    case "status":
    case "outcome":
      return lookUpStatus(run, block, path[2]);
    default:
      return lookUpOutput(run, block, path);
  }
}

/** A file that the block wrote. If the block has an output `files`, `${blocks.b.files}` is that. */
function lookUpFile(run: RunReading, block: number, path: Path): unknown {
  const { state } = run;
  const outputs = state.records.get(block)?.outputs;
  if (outputs && Object.hasOwn(outputs, "files")) return walkPath(outputs, path, 2);
  if (state.blocks[block] === SKIPPED_BLOCK) return SKIPPED;
  return walkPath(filesOfBlock(run, block), path, 3);
}

/** The value of `${failure.message}`: that of the first block that failed, of those that the path names. */
function lookUpFailure({ compiled, state }: RunReading, [, field, ...ids]: Path): string | null {
  const numbers = ids.map((id) => compiled.plan.index.get(id as string)!);
  const failed = numbers.find((block) => state.blocks[block] === FAILED);
  return failed === undefined ? null : state.records.get(failed)!.error![field as "message" | "code"];
}

/** `${blocks.b.status}`: an output of that name if the block has one, else its metadata. */
function lookUpStatus(run: RunReading, block: number, name: "status" | "outcome"): unknown {
  const outputs = run.state.records.get(block)?.outputs;
  return outputs && Object.hasOwn(outputs, name) ? outputs[name] : blockMetadata(run, block)[name];
}

/** The booleans of `metadata` answer under `outputs` too, where the block has no output of that name: `${blocks.b.succeeded}`. */
function lookUpOutput(run: RunReading, block: number, path: Path): unknown {
  const { state } = run;
  const undoing = state.compensation?.left.at(-1);
  const isUndone = undoing?.of === block;
  const code = isUndone ? COMPLETED : state.blocks[block]!;
  const outputs = isUndone ? undoing.outputs : state.records.get(block)?.outputs;
  const field = path[3];
  if (typeof field === "string" && Object.hasOwn(STATUS_OF, field) && !(outputs && Object.hasOwn(outputs, field))) {
    return walkPath(blockMetadata(run, block), path, 3);
  }
  if (code === SKIPPED_BLOCK) return SKIPPED;
  if (code === FAILED && !outputs) return path.length > 3 ? null : outputs;
  if (!outputs) {
    throw new WorkflowError("REFERENCE_UNKNOWN", `Block "${String(path[1])}" has no outputs yet: it has not run. Add it to depends_on.`);
  }
  return walkPath(outputs, path, 3);
}

const resolvedInputs = new WeakMap<RunState, Map<number, Value>>();

/**
 * Inputs are not stored: they follow from the definition and the stored outputs. Inputs that others refer to are resolved once: a chain of blocks that each
 * refer twice to inputs of the one before would double the work with each block.
 */
function lookUpInput({ compiled, state, scope }: ScopedRun, block: number, path: Path): unknown {
  if (state.blocks[block] === SKIPPED_BLOCK) return SKIPPED;
  let known = resolvedInputs.get(state);
  if (!known) resolvedInputs.set(state, (known = new Map()));
  let inputs = known.get(block);
  if (inputs === undefined) known.set(block, (inputs = compiled.block(block).inputs(withoutChannels(scope))));
  return walkPath(inputs, path, 3);
}

/** By now a channel may hold something else than when the inputs were resolved. */
export function withoutChannels(scope: Scope): Scope {
  return {
    lookup(path) {
      if (path[0] !== "channels") return scope.lookup(path);
      const message = `The inputs of this block are made from channel "${String(path[1])}", which may hold something else by now. Refer to an output of the block.`;
      throw new WorkflowError("REFERENCE_UNKNOWN", message);
    },
  };
}

/** Forgets resolved inputs: they may differ from now on. */
export function forgetInputs(state: RunState): void {
  resolvedInputs.delete(state);
}

const STATUS_OF = { succeeded: COMPLETED, failed: FAILED, skipped: SKIPPED_BLOCK, paused: PAUSED } as const;
const NO_ITEMS = new Uint8Array(0);

/** How many blocks a run has, without blocks that were added and taken away again. */
export function countBlocks({ compiled, state }: RunReading): number {
  return compiled.plan.ids.length - (state.added?.filter(({ isGone }) => isGone).length ?? 0);
}

function runMetadata(run: RunReading): Values {
  const { compiled, state } = run;
  const { started } = state;
  return {
    workflow_name: started.workflow,
    execution_id: state.id,
    start_time: started.at / 1000,
    started_at: instant(state, 0),
    execution_time_seconds: state.lastAt / 1000,
    total_blocks: countBlocks(run),
    execution_waves: compiled.plan.waves.length,
  };
}

function blockMetadata({ compiled, state }: RunReading, block: number): Values {
  const code = state.blocks[block]!;
  const record: StepRecord | undefined = state.records.get(block);
  const { plan } = compiled;
  const times =
    record === undefined || code === PENDING
      ? {}
      : {
          execution_time_ms: record.ms,
          started_at: instant(state, begunAt(record)),
          completed_at: instant(state, record.at),
        };
  return {
    wave: plan.waveOf[block]!,
    execution_order: orderOf(plan)[block]!,
    status: STATUS_NAMES[code]!,
    outcome: code === COMPLETED ? "success" : code === FAILED ? "failure" : "n/a",
    ...times,
    iterations: iterationsOf(state, block),
    attempts: record?.attempts ?? (code === PENDING || code === SKIPPED_BLOCK ? 0 : 1),
    ...(compiled.workflow.blocks[block]!.forEach === undefined ? {} : itemMetadata(state, block)),
    succeeded: code === STATUS_OF.succeeded,
    failed: code === STATUS_OF.failed,
    skipped: code === STATUS_OF.skipped,
    paused: code === STATUS_OF.paused,
  };
}

/** How often a block ran, without retries; for items, how often the one ran that ran most. */
function iterationsOf(state: RunState, block: number): number {
  const items = state.items.get(block)?.keys.map((_, item): Unit => ({ block, item })) ?? [{ block }];
  const counts = items.map((unit) => {
    const code = codeOf(state, unit);
    return (unitState(state, unit).progress.loop?.past.length ?? 0) + (code === PENDING || code === SKIPPED_BLOCK ? 0 : 1);
  });
  return counts.reduce((most, count) => Math.max(most, count), 0);
}

const orders = new WeakMap<Plan, Int32Array>();

/** The place of each block in the order of execution: by wave, then by its place in the definition, so that it does not depend on speed. */
function orderOf(plan: Plan): Int32Array {
  let order = orders.get(plan);
  if (!order) {
    order = new Int32Array(plan.ids.length);
    for (const [place, block] of plan.waves.flat().entries()) order[block] = place;
    orders.set(plan, order);
  }
  return order;
}

function itemMetadata(state: RunState, block: number): Values {
  const codes = state.items.get(block)?.codes ?? NO_ITEMS;
  const countOf = (wanted: number): number => codes.reduce((count, code) => (code === wanted ? count + 1 : count), 0);
  return { count: codes.length, succeeded_count: countOf(COMPLETED), failed_count: countOf(FAILED) };
}

function instant(state: RunState, at: number): string {
  return new Date(state.started.at + at).toISOString();
}

const values = new WeakMap<Items, readonly Value[]>();

/** The outcome of an execution, before it is recorded. */
interface Outcome {
  readonly outputs: unknown;
  /** What it is about to write to channels. */
  readonly writes?: Writes | undefined;
}

/** The scope of expressions that are evaluated once a unit has completed: that of its inputs, with its own outcome. */
export function outcomeScope(run: RunReading, unit: Unit, base: Scope, { outputs, writes }: Outcome): Scope {
  const id = run.compiled.plan.ids[unit.block]!;
  const lookup = (path: Path): unknown => {
    const [root, name, part] = path;
    if (root === "channels") return lookUpChannel(run, path, unit, writes);
    if (root !== "blocks" || name !== id) return base.lookup(path);
    if (part === "inputs") return walkPath(run.compiled.block(unit.block).inputs(base), path, 3);
    const known = isRecord(outputs) ? outputs : {};
    if (part === "outputs" && (path.length === 3 || Object.hasOwn(known, path[3]!))) return walkPath(known, path, 3);
    if (part === "files" && Object.hasOwn(known, part)) return walkPath(known, path, 2);
    if (part !== undefined && Object.hasOwn(known, part) && path.length === 3) return known[part];
    if (part === "files") return walkPath({ files: filesOfBlock(run, unit.block) }, path, 2);
    const status = { status: "completed", outcome: "success", succeeded: true, failed: false, skipped: false, paused: false };
    const metadata = { ...blockMetadata(run, unit.block), ...status, iterations: iterationOf(run.state, unit) };
    if (part === "metadata") return walkPath(metadata, path, 3);
    if (part !== "outputs") return metadata[part as "status"];
    return walkPath(Object.hasOwn(STATUS_OF, path[3]!) ? metadata : known, path, 3);
  };
  return { lookup };
}

/** What items are made of, and those that were made of it before. */
interface ItemSource {
  readonly base: Scope;
  readonly known: WeakMap<Items, readonly Value[]>;
}

/**
 * The scope of the inputs of a unit: that of the run, or `base`, and for an item of a block with `for_each` also `each`.
 */
export function unitScope(
  run: ScopedRun,
  { block, item }: Unit,
  { base, known }: ItemSource = { base: channelScope(run, { block, item }, run.scope), known: values },
): Scope {
  const { compiled, state } = run;
  if (item === undefined) return base;
  const items = state.items.get(block)!;
  let all = known.get(items);
  // Not stored: like inputs, the items follow from the definition and the outputs that are.
  if (!all) known.set(items, (all = itemValues(compiled.block(block).each(base) ?? null)));
  const each = { value: all[item] ?? null, ...itemOf(state, block, item) };
  return { lookup: (path) => (path[0] === "each" ? walkPath(each, path, 1) : base.lookup(path)) };
}

/** The items of a list, or the values of an object's members. */
function itemValues(value: Value): readonly Value[] {
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}
