import type { RunProgress } from "../model/run.ts";
import { CALLING_TYPES } from "../model/calling-types.ts";
import { WorkflowError } from "../model/errors.ts";
import type { BlockType } from "../ports/block.ts";
import { COMPLETED, FAILED, OPENED, PENDING, SKIPPED_BLOCK, STOPPED, WAITING } from "./block-code.ts";
import type { CompiledWorkflow } from "./compile.ts";
import type { RunState } from "./state.ts";

/** Whether a block runs. What is not known yet may go either way. */
const RUNS = 0;
const MAY_RUN = 1;
const NEVER_RUNS = 2;

/** What of a definition matters for counting its questions. */
interface Ground {
  readonly compiled: CompiledWorkflow;
  /** Blocks that ask, and those that may be skipped with one that asks behind them, in the order of the waves. */
  readonly blocks: readonly number[];
  /** What is known of how often they ask. */
  readonly asks: ReadonlyMap<number, "once" | "freely">;
  /** Those that a person, the clock or an empty list may skip. */
  readonly skippable: ReadonlySet<number>;
  /** Whether each block runs, looked at anew each time. */
  readonly outlook: Uint8Array;
}

const NONE: RunProgress["remaining"] = { min: 0, max: 0 };

/**
 * Counts the questions of a run: how many were dealt with, and how many are left at least and at most. Only blocks that ask, or decide about one that
 * asks, are looked at, so that a long run with few questions costs little.
 */
export class QuestionCounter {
  readonly #types: ReadonlyMap<string, BlockType>;
  #ground: Ground | undefined;
  /** Conditions whose outcome is known although their wave has not come, by block. */
  readonly #known = new Map<number, boolean>();
  #last: RunProgress | undefined;

  constructor(types: ReadonlyMap<string, BlockType>) {
    this.#types = types;
  }

  /** Another reading of the run follows, or what had been settled is open again. */
  forget(): void {
    this.#ground = undefined;
    this.#known.clear();
  }

  /** The same object as before where the figures are the same. */
  count(state: RunState): RunProgress {
    const progress = { answered: countAnswered(state), remaining: state.finished ? NONE : this.#countRemaining(state) };
    if (!this.#last || !isSame(this.#last, progress)) this.#last = progress;
    return this.#last;
  }

  #countRemaining(state: RunState): RunProgress["remaining"] {
    if (this.#ground?.compiled !== state.compiled) this.#ground = survey(state.compiled, this.#types);
    const { blocks, asks, skippable, outlook } = this.#ground;
    let min = state.open.size;
    let max = state.open.size;
    for (const block of blocks) {
      const runs = this.#foresee(state, block, outlook);
      outlook[block] = runs === RUNS && skippable.has(block) && !hasRun(state, block) ? MAY_RUN : runs;
      const left = runs === NEVER_RUNS ? 0 : questionsLeft(state, block, asks.get(block));
      max += left;
      if (runs === RUNS && left !== Infinity && state.blocks[block] !== WAITING) min += left;
    }
    return max === Infinity ? { min } : { min, max };
  }

  #foresee(state: RunState, block: number, outlook: Uint8Array): number {
    const code = state.blocks[block]!;
    if (code !== PENDING) return code === SKIPPED_BLOCK ? NEVER_RUNS : RUNS;
    const { dependencyStart, dependencies, required } = state.compiled.plan;
    let runs = RUNS;
    for (let i = dependencyStart[block]!; i < dependencyStart[block + 1]!; i++) {
      if (required[i] === 1) runs = Math.max(runs, outlook[dependencies[i]!]!);
    }
    if (runs === NEVER_RUNS) return NEVER_RUNS;
    const holds = this.#holds(state, block);
    if (holds === undefined) return MAY_RUN;
    return holds ? runs : NEVER_RUNS;
  }

  /** What a condition comes to, where all that decides it has come to its end; nothing where that is not so yet. */
  #holds(state: RunState, block: number): boolean | undefined {
    if (state.compiled.workflow.blocks[block]!.condition === undefined) return true;
    let holds = this.#known.get(block);
    if (holds !== undefined) return holds;
    try {
      holds = state.compiled.block(block).holds({ lookup: (path) => lookUpSettled(state, path) });
      this.#known.set(block, holds);
    } catch {
      // It needs what is not there yet, or never will be.
    }
    return holds;
  }
}

/** The blocks of a definition that ask, and those that may be skipped and skip one that asks. */
function survey(compiled: CompiledWorkflow, types: ReadonlyMap<string, BlockType>): Ground {
  const { plan, workflow } = compiled;
  const asks = new Map<number, "once" | "freely">();
  const skippable = new Set<number>();
  const order = plan.waves.flat();
  /** 1 for what may be skipped, by itself or with something before it; 2 where that matters for a question. */
  const marks = new Uint8Array(order.length);
  for (const block of order) {
    const { type: name, condition, forEach, onTimeout, skippable: isOptional } = workflow.blocks[block]!;
    const type = types.get(name);
    if (type?.resume) asks.set(block, type.asks ?? "freely");
    // Only a block that asks itself can be skipped by what becomes of its question.
    const mayBeLeftOut = type?.resume && !CALLING_TYPES.has(name) && (isOptional || onTimeout === "skip" || type.asks === undefined);
    if (forEach !== undefined || mayBeLeftOut) skippable.add(block);
    if (condition !== undefined || skippable.has(block) || anyRequired(compiled, block, (dependency) => marks[dependency]! > 0)) {
      marks[block] = 1;
    }
  }
  for (const block of order.toReversed()) {
    if (!asks.has(block) && marks[block] !== 2) continue;
    anyRequired(compiled, block, (dependency) => {
      if (marks[dependency] === 1) marks[dependency] = 2;
      return false;
    });
  }
  const blocks = order.filter((block) => marks[block] === 2 || asks.has(block));
  return { compiled, blocks, asks, skippable, outlook: new Uint8Array(order.length) };
}

function anyRequired({ plan }: CompiledWorkflow, block: number, test: (dependency: number) => boolean): boolean {
  const { dependencyStart, dependencies, required } = plan;
  for (let i = dependencyStart[block]!; i < dependencyStart[block + 1]!; i++) {
    if (required[i] === 1 && test(dependencies[i]!)) return true;
  }
  return false;
}

/** Questions that a block which runs has yet to ask, the open ones left out. */
function questionsLeft(state: RunState, block: number, asks: "once" | "freely" | undefined): number {
  const code = state.blocks[block]!;
  if (asks === undefined || code === COMPLETED || code === FAILED || code === STOPPED) return 0;
  if (asks === "freely") return Infinity;
  if (code === PENDING) return countItems(state.compiled.workflow.blocks[block]!.forEach);
  if (code === WAITING) return 1;
  return code === OPENED ? state.items.get(block)!.codes.filter((item) => item === PENDING || item === WAITING).length : 0;
}

/** How often a block runs that has not begun, where the definition says so. */
function countItems(forEach: unknown): number {
  if (forEach === undefined) return 1;
  return Array.isArray(forEach) ? forEach.length : Infinity;
}

function hasRun({ blocks }: RunState, block: number): boolean {
  return blocks[block] === COMPLETED || blocks[block] === FAILED;
}

/** Questions that wait for nothing any more: answered, declined or left out, by a person or by the clock. */
function countAnswered({ pauses, blocks }: RunState): number {
  let count = 0;
  for (const { answer, closed, block } of pauses) if (answer || (closed && blocks[block] === SKIPPED_BLOCK)) count++;
  return count;
}

/** What expressions see of what cannot change any more. Throws for everything else. */
function lookUpSettled(state: RunState, path: readonly (string | number)[]): unknown {
  const [root, id] = path;
  const block = root === "blocks" && typeof id === "string" ? state.compiled.plan.index.get(id) : undefined;
  const isSettled = block !== undefined && (hasRun(state, block) || state.blocks[block] === SKIPPED_BLOCK);
  if (root === "inputs" || isSettled) return state.compiled.lookUp(state, path);
  throw new WorkflowError("REFERENCE_UNKNOWN", "Not known yet.");
}

function isSame({ answered, remaining: { min, max } }: RunProgress, other: RunProgress): boolean {
  return answered === other.answered && min === other.remaining.min && max === other.remaining.max;
}
