import { WorkflowError } from "../model/errors.ts";
import { adviseName } from "../model/suggestions.ts";
import type { Block, Dependency } from "../model/workflow.ts";
import { type Compensations, findCompensations } from "./compensations.ts";
import { type AddedBlock, orderAdded } from "./added-blocks.ts";
import { type IdIndex, indexIds } from "./id-index.ts";
import { AFTER, ALWAYS, collectWays, outOfPlan, type Report, waysOf } from "./ways.ts";

/**
 * The order of a workflow. Blocks go by their number, which is their place in the definition; lists of numbers are packed: the
 * dependencies of block `i` stand in `dependencies` from `dependencyStart[i]` up to, not including, `dependencyStart[i + 1]`.
 */
export interface Plan {
  readonly ids: readonly string[];
  /** From id to number. */
  readonly index: IdIndex;
  /** Blocks that may run together, in the order of the definition. */
  readonly waves: readonly (readonly number[])[];
  /** The wave of each block, counted from 0; -1 for what is no part of the plan. */
  readonly waveOf: Int32Array;
  readonly dependencyStart: Int32Array;
  readonly dependencies: Int32Array;
  /** 1 where the dependency at the same place is required, else 0. */
  readonly required: Uint8Array;
  /** When the dependency at the same place leads on to the block: {@link ALWAYS}, {@link IF_FAILED}, {@link AFTER}, or where its `next` takes that way. */
  readonly leads: Uint8Array;
  /** 1 for a block of which more than a skipped dependency decides whether it runs: a condition, `join: any`, or a block that chooses what is next. */
  readonly judged: Uint8Array;
  /** By the number of a block: the one that undoes it. Such a block stands in no wave: its wave is -1. */
  readonly compensations: Compensations;
  /** Who waits for a block, packed like the dependencies. */
  readonly dependentStart: Int32Array;
  readonly dependents: Int32Array;
  /** By number: the place in the order of the definition, where blocks were added to it. Absent where that is the number itself. */
  readonly ranks?: Int32Array;
}

/** Longest cycle that a message prints whole. */
const SHOWN_CYCLE = 20;

/** What each block waits for, packed. */
type Edges = Pick<Plan, "dependencyStart" | "dependencies" | "required" | "leads">;

/**
 * Puts blocks into waves: each block stands in the first wave after all of its dependencies. Linear, without recursion. Reports `ID_DUPLICATE`,
 * `DEPENDENCY_UNKNOWN` and `DEPENDENCY_CYCLE`; default: throws them. Where `report` returns, the rest is planned: of blocks with one id the first is
 * meant by it, and dependencies that cannot be met are left out. The last blocks may be such that were `added`: each of those comes after the one that added it.
 */
export function planWaves(blocks: readonly Block[], report: Report = throwMistake, added: readonly AddedBlock[] = NONE_ADDED): Plan {
  const ids = new Array<string>(blocks.length);
  for (let i = 0; i < blocks.length; i++) ids[i] = blocks[i]!.id;
  const index = indexIds(ids);
  for (const i of index.duplicates) report(duplicateId(ids[i]!, i));
  const compensations = findCompensations(blocks, index, report);
  const first = blocks.length - added.length;
  const apart = new Set(compensations.values());
  for (let i = 0; i < added.length; i++) if (added[i]!.isGone) apart.add(first + i);
  const ranks = added.length === 0 ? undefined : orderAdded(added, first);
  let edges = packEdges(blocks, index, { apart, report, added });
  for (;;) {
    const turned = turnEdges(edges);
    const { waveOf, settled, waveCount } = assignWaves(edges.dependencyStart, turned, apart);
    if (settled === blocks.length - apart.size) {
      const judged = findJudged(blocks, edges);
      const plan = { ids, index, waves: listWaves(waveOf, waveCount, ranks), waveOf, ...edges, ...turned, judged, compensations };
      return ranks ? { ...plan, ranks } : plan;
    }
    const cycle = findCycle(edges, waveOf, apart);
    report(dependencyCycle(blocks, cycle));
    edges = withoutEdge(edges, cycle[0]!, cycle[1]!);
  }
}

const NONE_ADDED: readonly AddedBlock[] = [];

function throwMistake(mistake: WorkflowError): never {
  throw mistake;
}

interface Packing {
  /** The blocks that are no part of the plan. */
  readonly apart: ReadonlySet<number>;
  readonly report: Report;
  /** The last blocks, where others added them. */
  readonly added: readonly AddedBlock[];
}

function packEdges(blocks: readonly Block[], index: IdIndex, { apart, report, added }: Packing): Edges {
  const ways = collectWays(blocks, index, { apart, report });
  const first = blocks.length - added.length;
  let count = added.length;
  for (const { dependsOn } of blocks) if (dependsOn !== undefined) count += dependsOn.length;
  for (const into of ways.values()) count += into.size;
  const dependencyStart = new Int32Array(blocks.length + 1);
  const dependencies = new Int32Array(count);
  const required = new Uint8Array(count);
  const leads = new Uint8Array(count);
  let edge = 0;
  for (let i = 0; i < blocks.length; i++) {
    const { id, dependsOn = NONE } = blocks[i]!;
    const into = ways.get(i);
    for (let j = 0; j < dependsOn.length; j++) {
      const dependency = dependsOn[j]!;
      const wanted = dependencyId(dependency);
      const target = index.get(wanted);
      if (wanted === id) report(ownDependency(blocks, i, j));
      else if (target === undefined) report(unknownDependency(blocks, i, j, index));
      else if (apart.has(target)) report(outOfPlan(wanted, dependencyPath(blocks, i, j)));
      // A way that may not be taken says more than that the block comes later. Another check reports what is no part of the plan.
      else if (!into?.has(target) && !apart.has(i)) {
        dependencies[edge] = target;
        required[edge] = typeof dependency === "string" || dependency.required !== false ? 1 : 0;
        edge++;
      }
    }
    for (const [source, when] of into ?? []) {
      dependencies[edge] = source;
      required[edge] = 1;
      leads[edge] = when;
      edge++;
    }
    if (i >= first && !apart.has(i)) {
      dependencies[edge] = added[i - first]!.by;
      leads[edge] = AFTER;
      edge++;
    }
    dependencyStart[i + 1] = edge;
  }
  const packed = <List extends Int32Array | Uint8Array>(list: List): List => list.subarray(0, edge) as List;
  return { dependencyStart, dependencies: packed(dependencies), required: packed(required), leads: packed(leads) };
}

function findJudged(blocks: readonly Block[], { dependencyStart, leads }: Edges): Uint8Array {
  const judged = new Uint8Array(blocks.length);
  for (let i = 0; i < blocks.length; i++) {
    const { condition, join } = blocks[i]!;
    if (condition !== undefined || join === "any") judged[i] = 1;
    for (let e = dependencyStart[i]!; e < dependencyStart[i + 1]!; e++) if (leads[e] !== ALWAYS && leads[e] !== AFTER) judged[i] = 1;
  }
  return judged;
}

const NONE: NonNullable<Block["dependsOn"]> = [];

function turnEdges({ dependencyStart, dependencies }: Edges): Pick<Plan, "dependentStart" | "dependents"> {
  const count = dependencyStart.length - 1;
  const dependentStart = new Int32Array(count + 1);
  for (const dependency of dependencies) dependentStart[dependency + 1]!++;
  for (let i = 0; i < count; i++) dependentStart[i + 1]! += dependentStart[i]!;
  const dependents = new Int32Array(dependencies.length);
  const filled = dependentStart.slice(0, count);
  for (let i = 0; i < count; i++) {
    for (let e = dependencyStart[i]!; e < dependencyStart[i + 1]!; e++) dependents[filled[dependencies[e]!]!++] = i;
  }
  return { dependentStart, dependents };
}

/** The edges but those by which one block waits for another. */
function withoutEdge({ dependencyStart, dependencies, required, leads }: Edges, block: number, target: number): Edges {
  const [start, end] = dependencyStart.subarray(block, block + 2) as unknown as [number, number];
  const isKept = (_: number, edge: number): boolean => edge < start || edge >= end || dependencies[edge] !== target;
  const kept = dependencies.filter(isKept);
  const removed = dependencies.length - kept.length;
  return {
    dependencyStart: dependencyStart.map((first, i) => (i > block ? first - removed : first)),
    dependencies: kept,
    required: required.filter(isKept),
    leads: leads.filter(isKept),
  };
}

/** The id a dependency names. */
function dependencyId(dependency: string | Dependency): string {
  return typeof dependency === "string" ? dependency : dependency.block;
}

/** Kahn's algorithm. What stands in a cycle keeps the wave -1. */
function assignWaves(
  dependencyStart: Int32Array,
  { dependentStart, dependents }: Pick<Plan, "dependentStart" | "dependents">,
  apart: ReadonlySet<number>,
): { readonly waveOf: Int32Array; readonly settled: number; readonly waveCount: number } {
  const count = dependencyStart.length - 1;
  const waveOf = new Int32Array(count).fill(-1);
  const open = new Int32Array(count);
  const queue = new Int32Array(count);
  let end = 0;
  for (let i = 0; i < count; i++) {
    open[i] = dependencyStart[i + 1]! - dependencyStart[i]!;
    if (open[i] === 0 && !apart.has(i)) {
      waveOf[i] = 0;
      queue[end++] = i;
    }
  }
  let waveCount = end > 0 ? 1 : 0;
  for (let at = 0; at < end; at++) {
    const block = queue[at]!;
    const next = waveOf[block]! + 1;
    for (let e = dependentStart[block]!; e < dependentStart[block + 1]!; e++) {
      const dependent = dependents[e]!;
      if (--open[dependent]! > 0) continue;
      // The queue is ordered by wave, so the last dependency to settle is one of the latest wave.
      waveOf[dependent] = next;
      if (next === waveCount) waveCount++;
      queue[end++] = dependent;
    }
  }
  return { waveOf, settled: end, waveCount };
}

/** Arrays of the right size at once: a long chain has as many waves as blocks, and arrays that grow reserve many times what they hold. */
export function listWaves(waveOf: Int32Array, waveCount: number, ranks?: Int32Array): readonly (readonly number[])[] {
  const sizes = new Int32Array(waveCount);
  for (const wave of waveOf) if (wave >= 0) sizes[wave]!++;
  const waves = new Array<number[]>(waveCount);
  const filled = new Int32Array(waveCount);
  for (let i = 0; i < waveOf.length; i++) {
    const wave = waveOf[i]!;
    if (wave < 0) continue;
    if (filled[wave] === 0) waves[wave] = sizes[wave] === 1 ? [i] : new Array<number>(sizes[wave]!);
    waves[wave]![filled[wave]!++] = i;
  }
  if (ranks) for (const wave of waves) wave.sort((a, b) => ranks[a]! - ranks[b]!);
  return waves;
}

/** Blocks that wait for each other: each for the next, the last for the first. */
function findCycle({ dependencyStart, dependencies }: Edges, waveOf: Int32Array, apart: ReadonlySet<number>): readonly number[] {
  const walked = new Map<number, number>();
  // Each block without a wave waits for another one without a wave, so following them must lead to a cycle.
  let block = waveOf.findIndex((wave, i) => wave === -1 && !apart.has(i));
  while (!walked.has(block)) {
    walked.set(block, walked.size);
    let edge = dependencyStart[block]!;
    while (waveOf[dependencies[edge]!] !== -1) edge++;
    block = dependencies[edge]!;
  }
  return [...walked.keys()].slice(walked.get(block));
}

function duplicateId(id: string, at: number): WorkflowError {
  return new WorkflowError("ID_DUPLICATE", `There are two blocks with the id "${id}". Rename one of them.`, {
    place: { path: `blocks[${at}].id` },
    details: { id },
  });
}

function ownDependency(blocks: readonly Block[], block: number, at: number): WorkflowError {
  const { id } = blocks[block]!;
  return new WorkflowError("DEPENDENCY_CYCLE", `Block "${id}" depends on itself, a cycle. Remove that dependency.`, {
    place: { path: dependencyPath(blocks, block, at) },
    details: { cycle: [id, id] },
  });
}

function unknownDependency(blocks: readonly Block[], block: number, at: number, index: IdIndex): WorkflowError {
  const { id, dependsOn } = blocks[block]!;
  const dependency = dependencyId(dependsOn![at]!);
  const { sentence, details } = adviseName(dependency, new Set(index.keys()));
  const message = `Block "${id}" depends on "${dependency}", which is no block of this workflow.${sentence}`;
  return new WorkflowError("DEPENDENCY_UNKNOWN", message, {
    place: { path: dependencyPath(blocks, block, at) },
    details: { dependency, ...details },
  });
}

function dependencyCycle(blocks: readonly Block[], cycle: readonly number[]): WorkflowError {
  const [first, second] = cycle as [number, number];
  const ids = [...cycle, first].map((block) => blocks[block]!.id);
  const shown = ids.length > SHOWN_CYCLE ? [...ids.slice(0, SHOWN_CYCLE - 2), "…", ...ids.slice(-2)] : ids;
  const message = `Blocks wait for each other in a cycle: ${shown.join(" → ")}. Remove one of these dependencies.`;
  return new WorkflowError("DEPENDENCY_CYCLE", message, { place: { path: edgePath(blocks, first, second) }, details: { cycle: shown } });
}

/** Where it is written that a block waits for another one. */
function edgePath(blocks: readonly Block[], block: number, target: number): string {
  const { id } = blocks[block]!;
  const at = (blocks[block]!.dependsOn ?? NONE).findIndex((dependency) => dependencyId(dependency) === blocks[target]!.id);
  if (at >= 0) return dependencyPath(blocks, block, at);
  return `blocks[${target}].${waysOf(blocks[target]!).find(({ to }) => to === id)!.path}`;
}

function dependencyPath(blocks: readonly Block[], block: number, at: number): string {
  return `blocks[${block}].dependsOn[${at}]${typeof blocks[block]!.dependsOn![at] === "string" ? "" : ".block"}`;
}
