import { SKIPPED } from "../expression/scope.ts";
import { walkPath } from "../expression/walk-path.ts";
import { WorkflowError } from "../model/errors.ts";
import type { Value, Values } from "../model/value.ts";
import { COMPLETED, FAILED, PAUSED, PENDING, SKIPPED_BLOCK, STATUS_NAMES } from "./block-code.ts";
import { begunAt, type RunState, type StepRecord } from "./state.ts";

type Path = readonly (string | number)[];

/**
 * What expressions of a run can see: `inputs`, `metadata` and `blocks`, nothing else. Everything in it follows from the journal, so that a
 * block resolved again after a crash gets the same inputs. The paths are canonical; see `normalizeReference`. Seed 2, "Four-Namespace
 * Context Architecture".
 */
export function lookUp(state: RunState, path: Path): unknown {
  if (path[0] === "inputs") return walkPath(state.started.inputs, path, 1);
  if (path[0] === "metadata") return walkPath(runMetadata(state), path, 1);
  return lookUpBlock(state, path);
}

function lookUpBlock(state: RunState, path: Path): unknown {
  const { index, ids } = state.compiled.plan;
  const id = path[1];
  const block = typeof id === "string" ? index.get(id) : undefined;
  if (block === undefined) {
    throw new WorkflowError("REFERENCE_UNKNOWN", `There is no block ${JSON.stringify(id)}. Blocks: ${ids.slice(0, 10).join(", ")}.`);
  }
  switch (path[2]) {
    case "metadata":
      return walkPath(blockMetadata(state, block), path, 3);
    case "inputs":
      return lookUpInput(state, block, path);
    case "status":
    case "outcome":
      return lookUpStatus(state, block, path[2]);
    default:
      return lookUpOutput(state, block, path);
  }
}

/** `${blocks.b.status}` is an output of that name, where the block has one. */
function lookUpStatus(state: RunState, block: number, name: "status" | "outcome"): unknown {
  const outputs = state.records.get(block)?.outputs;
  return outputs && Object.hasOwn(outputs, name) ? outputs[name] : blockMetadata(state, block)[name];
}

/** The booleans of `metadata` answer under `outputs` too, where the block has no output of that name: `${blocks.b.succeeded}`. */
function lookUpOutput(state: RunState, block: number, path: Path): unknown {
  const code = state.blocks[block]!;
  const outputs = state.records.get(block)?.outputs;
  const field = path[3];
  if (typeof field === "string" && Object.hasOwn(STATUS_OF, field) && !(outputs && Object.hasOwn(outputs, field))) {
    return walkPath(blockMetadata(state, block), path, 3);
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
 * Inputs are not stored: they follow from the definition and the outputs that are. Those that are referred to are resolved once: blocks
 * that refer twice to inputs of the block before would double the work with each block.
 */
function lookUpInput(state: RunState, block: number, path: Path): unknown {
  if (state.blocks[block] === SKIPPED_BLOCK) return SKIPPED;
  let known = resolvedInputs.get(state);
  if (!known) resolvedInputs.set(state, (known = new Map()));
  let inputs = known.get(block);
  if (inputs === undefined) known.set(block, (inputs = state.compiled.block(block).inputs(state.scope)));
  return walkPath(inputs, path, 3);
}

const STATUS_OF = { succeeded: COMPLETED, failed: FAILED, skipped: SKIPPED_BLOCK, paused: PAUSED } as const;
const NO_ITEMS = new Uint8Array(0);

function runMetadata(state: RunState): Values {
  const { started, compiled } = state;
  return {
    workflow_name: started.workflow,
    execution_id: state.id,
    start_time: started.at / 1000,
    execution_time_seconds: state.lastAt / 1000,
    total_blocks: compiled.plan.ids.length,
    execution_waves: compiled.plan.waves.length,
  };
}

function blockMetadata(state: RunState, block: number): Values {
  const code = state.blocks[block]!;
  const record: StepRecord | undefined = state.records.get(block);
  const { compiled } = state;
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
    execution_order: block,
    status: STATUS_NAMES[code]!,
    outcome: code === COMPLETED ? "success" : code === FAILED ? "failure" : "n/a",
    ...times,
    attempts: record?.attempts ?? (code === PENDING || code === SKIPPED_BLOCK ? 0 : 1),
    ...(compiled.workflow.blocks[block]!.forEach === undefined ? {} : itemMetadata(state, block)),
    succeeded: code === STATUS_OF.succeeded,
    failed: code === STATUS_OF.failed,
    skipped: code === STATUS_OF.skipped,
    paused: code === STATUS_OF.paused,
  };
}

function itemMetadata(state: RunState, block: number): Values {
  const codes = state.items.get(block)?.codes ?? NO_ITEMS;
  const countOf = (wanted: number): number => codes.reduce((count, code) => (code === wanted ? count + 1 : count), 0);
  return { count: codes.length, succeeded_count: countOf(COMPLETED), failed_count: countOf(FAILED) };
}

function instant(state: RunState, at: number): string {
  return new Date(state.started.at + at).toISOString();
}
