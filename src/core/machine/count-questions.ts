import type { RunProgress } from "../model/run.ts";
import { CALLING_TYPES } from "../model/workflow.ts";
import type { BlockType } from "../ports/block.ts";
import { COMPLETED, FAILED, OPENED, PENDING, SKIPPED_BLOCK, STOPPED, WAITING } from "./block-status.ts";
import { AFTER, ALWAYS, type CompiledWorkflow } from "../definition/definition.ts";
import { lookUp, type ScopedRun } from "./context.ts";
import { closedBy } from "./dependencies.ts";
import type { RunReading, RunState } from "./state.ts";

/** Whether a block runs. What is not known yet may go either way. */
const RUNS = 0;
const MAY_RUN = 1;
const NEVER_RUNS = 2;

/** How often a block asks: never, once each time it runs, or unknown. */
const ASKS_ONCE = 1;
const ASKS_FREELY = 2;

/** Blocks that matter for questions up to which conditions are looked at before their wave has come. */
const MAX_FORESEEN = 2_000;

/** What of a definition matters for counting its questions. */
interface Survey {
  readonly types: ReadonlyMap<string, BlockType>;
  /** Blocks that ask, and those that may be skipped with one that asks behind them, in the order of the waves. */
  readonly blocks: readonly number[];
  /** How often each block asks. */
  readonly asks: Uint8Array;
  /** 1 for those that a person, the clock or an empty list may skip. */
  readonly skippable: Uint8Array;
}

/** How that stands in a run. */
interface Ground extends Survey {
  readonly compiled: CompiledWorkflow;
  /** Whether each block runs, looked at anew each time. */
  readonly outlook: Uint8Array;
  /** How many of the blocks belong to waves that have ended: they do not change any more. */
  past: number;
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
  /** For what other block a condition waits, by block: it is not looked at again before that one has come to its end. */
  readonly #awaited = new Map<number, number>();
  #last: RunProgress | undefined;
  /** How many of the first questions were dealt with, and how many of those count: nothing changes that but what makes the counter forget. */
  #past = 0;
  #answered = 0;

  constructor(types: ReadonlyMap<string, BlockType>) {
    this.#types = types;
  }

  /** Another reading of the run follows, or what had been settled is open again. */
  forget(): void {
    this.#ground = undefined;
    this.#answered = this.#past = 0;
    this.#known.clear();
    this.#awaited.clear();
  }

  /** The same object as before where the figures are the same. */
  count(run: ScopedRun): RunProgress {
    const progress = { answered: this.#countAnswered(run.state), remaining: this.#countRemaining(run) };
    if (!this.#last || !isSame(this.#last, progress)) this.#last = progress;
    return this.#last;
  }

  /**
   * Questions that wait for nothing any more: answered, declined or left out, by a person or by the clock. What was taken back does not count. Those at the
   * front are looked at once: a loop of questions has thousands.
   */
  #countAnswered({ pauses, blocks, open }: RunState): number {
    let count = this.#answered;
    for (let number = this.#past; number < pauses.length; number++) {
      const { answer, block, withdrawn } = pauses[number]!;
      if (!withdrawn && block >= 0 && (answer || (blocks[block] === SKIPPED_BLOCK && !open.has(number)))) count++;
      if (number === this.#past && (answer || withdrawn)) {
        this.#past++;
        this.#answered = count;
      }
    }
    return count;
  }

  #countRemaining(run: ScopedRun): RunProgress["remaining"] {
    const { compiled, state } = run;
    if (state.finished) return NONE;
    // Of what undoes something it is not known what it asks.
    if (state.compensation) return { min: state.open.size };
    if (this.#ground?.compiled !== compiled) this.#ground = beginCount(compiled, this.#types);
    const { blocks, asks, skippable, outlook } = this.#ground;
    const { waveOf } = compiled.plan;
    let min = state.open.size;
    let max = state.open.size;
    for (let i = this.#ground.past; i < blocks.length; i++) {
      const block = blocks[i]!;
      const runs = this.#foresee(run, block, outlook);
      outlook[block] = runs === RUNS && skippable[block] === 1 && !hasRun(state, block) ? MAY_RUN : runs;
      if (i === this.#ground.past && waveOf[block]! < state.wave) this.#ground.past++;
      const left = runs === NEVER_RUNS || asks[block] === 0 ? 0 : questionsLeft(run, block, asks[block]!);
      max += left;
      if (runs === RUNS && left !== Infinity && state.blocks[block] !== WAITING) min += left;
    }
    return max === Infinity ? { min } : { min, max };
  }

  #foresee(run: ScopedRun, block: number, outlook: Uint8Array): number {
    const { compiled, state } = run;
    const code = state.blocks[block]!;
    if (code !== PENDING) return code === SKIPPED_BLOCK ? NEVER_RUNS : RUNS;
    const { dependencyStart, dependencies, required, leads } = compiled.plan;
    const isOneEnough = compiled.workflow.blocks[block]!.join === "any" && dependencyStart[block]! < dependencyStart[block + 1]!;
    let runs = isOneEnough ? NEVER_RUNS : RUNS;
    for (let i = dependencyStart[block]!; i < dependencyStart[block + 1]!; i++) {
      if (leads[i] === AFTER) continue;
      if (isOneEnough) runs = Math.min(runs, leadsOn(run, i, block, outlook[dependencies[i]!]!));
      else if (required[i] === 1) runs = Math.max(runs, leadsOn(run, i, block, outlook[dependencies[i]!]!));
    }
    if (runs === NEVER_RUNS) return NEVER_RUNS;
    const holds = this.#holds(run, block);
    if (holds === undefined) return MAY_RUN;
    return holds ? runs : NEVER_RUNS;
  }

  /** What a condition comes to, where all that decides it has come to its end; nothing where that is not so yet. */
  #holds(run: ScopedRun, block: number): boolean | undefined {
    const { compiled, state } = run;
    const { condition } = compiled.workflow.blocks[block]!;
    if (condition === undefined || typeof condition === "boolean") return condition ?? true;
    if (this.#ground!.blocks.length > MAX_FORESEEN) return undefined;
    const known = this.#known.get(block);
    if (known !== undefined) return known;
    const awaited = this.#awaited.get(block);
    if (awaited !== undefined && !isSettled(state, awaited)) return undefined;
    const lookup = (path: readonly (string | number)[]): unknown => {
      const [root, id] = path;
      if (root === "inputs") return lookUp(run, path);
      const looked = root === "blocks" && typeof id === "string" ? compiled.plan.index.get(id) : undefined;
      if (looked !== undefined && isSettled(state, looked)) return lookUp(run, path);
      if (looked !== undefined) this.#awaited.set(block, looked);
      throw UNKNOWN;
    };
    try {
      const holds = compiled.block(block).holds({ lookup });
      this.#known.set(block, holds);
      return holds;
    } catch {
      return undefined;
    }
  }
}

/** What a dependency, named by its place in the plan, whose own outlook is known makes of the one of a block. */
function leadsOn(run: ScopedRun, place: number, block: number, outlook: number): number {
  const { leads, dependencies } = run.compiled.plan;
  if (leads[place] === ALWAYS || outlook === NEVER_RUNS) return outlook;
  if (!isSettled(run.state, dependencies[place]!)) return MAY_RUN;
  try {
    return closedBy(run, place, block) ? NEVER_RUNS : RUNS;
  } catch {
    return MAY_RUN;
  }
}

/** Thrown for what is not there yet; always the same, since an error that is made costs more than the question. */
const UNKNOWN = new Error("Not known yet.");

const surveys = new WeakMap<CompiledWorkflow, Survey>();

/** Looks at a definition once for all runs of it. */
function beginCount(compiled: CompiledWorkflow, types: ReadonlyMap<string, BlockType>): Ground {
  let known = surveys.get(compiled);
  if (known?.types !== types) surveys.set(compiled, (known = survey(compiled, types)));
  return { ...known, compiled, outlook: new Uint8Array(compiled.plan.ids.length), past: 0 };
}

/** The blocks of a definition that ask, and those that may be skipped and skip one that asks. */
function survey({ plan, workflow }: CompiledWorkflow, types: ReadonlyMap<string, BlockType>): Survey {
  const count = plan.ids.length;
  const asks = new Uint8Array(count);
  const skippable = new Uint8Array(count);
  workflow.blocks.forEach((block, i) => {
    const type = types.get(block.type);
    if (type?.resume) asks[i] = type.asks === "once" ? ASKS_ONCE : ASKS_FREELY;
    // Only a block that asks itself can be skipped by what becomes of its question.
    const mayBeLeftOut =
      asks[i] !== 0 &&
      (block.skippable || block.onTimeout === "skip" || Object.values(block.onEvent ?? {}).includes("skip") || asks[i] === ASKS_FREELY);
    if (block.forEach !== undefined || (mayBeLeftOut && !CALLING_TYPES.has(block.type))) skippable[i] = 1;
  });
  if (asks.every((kind) => kind === 0)) return { types, asks, skippable, blocks: [] };
  const order: number[] = [];
  for (const wave of plan.waves) for (const block of wave) order.push(block);
  const { dependencyStart, dependencies, required } = plan;
  /** 1 for what may be skipped, by itself or with something before it; 2 where that matters for a question. */
  const marks = new Uint8Array(count);
  for (const block of order) {
    if (skippable[block] === 1 || plan.judged[block] === 1) marks[block] = 1;
    for (let i = dependencyStart[block]!; i < dependencyStart[block + 1]! && marks[block] === 0; i++) {
      if (required[i] === 1) marks[block] = marks[dependencies[i]!]!;
    }
  }
  for (let place = order.length - 1; place >= 0; place--) {
    const block = order[place]!;
    if (asks[block] === 0 && marks[block] !== 2) continue;
    for (let i = dependencyStart[block]!; i < dependencyStart[block + 1]!; i++) {
      if (required[i] === 1 && marks[dependencies[i]!] === 1) marks[dependencies[i]!] = 2;
    }
  }
  return { types, asks, skippable, blocks: order.filter((block) => marks[block] === 2 || asks[block] !== 0) };
}

/** Questions that a block which runs has yet to ask, the open ones left out. */
function questionsLeft({ compiled, state }: RunReading, block: number, asks: number): number {
  const code = state.blocks[block]!;
  if (code === COMPLETED || code === FAILED || code === STOPPED) return 0;
  if (asks === ASKS_FREELY) return Infinity;
  if (code === PENDING) return countItems(compiled.workflow.blocks[block]!.forEach);
  if (code === WAITING) return 1;
  return code === OPENED ? state.items.get(block)!.codes.filter((item) => item === PENDING || item === WAITING).length : 0;
}

/** How often a block runs that has not begun, where the definition says so. */
function countItems(forEach: unknown): number {
  if (forEach === undefined) return 1;
  return Array.isArray(forEach) ? forEach.length : typeof forEach === "number" ? forEach : Infinity;
}

function isSettled(state: RunState, block: number): boolean {
  return hasRun(state, block) || state.blocks[block] === SKIPPED_BLOCK;
}

function hasRun({ blocks }: RunState, block: number): boolean {
  return blocks[block] === COMPLETED || blocks[block] === FAILED;
}

function isSame({ answered, remaining: { min, max } }: RunProgress, other: RunProgress): boolean {
  return answered === other.answered && min === other.remaining.min && max === other.remaining.max;
}
