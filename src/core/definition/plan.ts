import { WorkflowError } from "../model/errors.ts";
import { adviseName } from "../model/suggestions.ts";
import type { Block, Dependency } from "../model/workflow.ts";
import { type IdIndex, indexIds } from "./id-index.ts";

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
  /** The wave of each block, counted from 0. */
  readonly waveOf: Int32Array;
  readonly dependencyStart: Int32Array;
  readonly dependencies: Int32Array;
  /** 1 where the dependency at the same place is required, else 0. */
  readonly required: Uint8Array;
  /** Who waits for a block, packed like the dependencies. */
  readonly dependentStart: Int32Array;
  readonly dependents: Int32Array;
}

/** Longest cycle that a message prints whole. */
const SHOWN_CYCLE = 20;

/**
 * Puts blocks into waves: each block stands in the first wave after all of its dependencies. Linear, without recursion. Throws
 * `ID_DUPLICATE`, `DEPENDENCY_UNKNOWN` and `DEPENDENCY_CYCLE`.
 */
export function planWaves(blocks: readonly Block[]): Plan {
  const count = blocks.length;
  const ids: string[] = new Array<string>(count);
  let edges = 0;
  for (let i = 0; i < count; i++) {
    const block = blocks[i]!;
    ids[i] = block.id;
    if (block.dependsOn !== undefined) edges += block.dependsOn.length;
  }
  const index = indexIds(ids);
  if (index.duplicate !== -1) throw duplicateId(ids[index.duplicate]!, index.duplicate);

  const dependencyStart = new Int32Array(count + 1);
  const dependencies = new Int32Array(edges);
  const required = new Uint8Array(edges);
  const dependentStart = new Int32Array(count + 1);
  let edge = 0;
  for (let i = 0; i < count; i++) {
    const dependsOn = blocks[i]!.dependsOn;
    if (dependsOn !== undefined) {
      for (const dependency of dependsOn) {
        const target = index.get(dependencyId(dependency));
        if (target === undefined) throw unknownDependency(blocks, i, dependency, index);
        dependencies[edge] = target;
        required[edge] = typeof dependency === "string" || dependency.required !== false ? 1 : 0;
        edge++;
        dependentStart[target + 1]!++;
      }
    }
    dependencyStart[i + 1] = edge;
  }

  for (let i = 0; i < count; i++) dependentStart[i + 1]! += dependentStart[i]!;
  const dependents = new Int32Array(edges);
  const filled = dependentStart.slice(0, count);
  for (let i = 0; i < count; i++) {
    for (let e = dependencyStart[i]!; e < dependencyStart[i + 1]!; e++) dependents[filled[dependencies[e]!]!++] = i;
  }

  const { waveOf, settled, waveCount } = assignWaves(dependencyStart, dependentStart, dependents);
  if (settled < count) throw dependencyCycle(ids, dependencyStart, dependencies, waveOf);
  const waves = listWaves(waveOf, waveCount);
  return { ids, index, waves, waveOf, dependencyStart, dependencies, required, dependentStart, dependents };
}

/** The id a dependency names. */
export function dependencyId(dependency: string | Dependency): string {
  return typeof dependency === "string" ? dependency : dependency.block;
}

/** Kahn's algorithm. What stands in a cycle keeps the wave -1. */
function assignWaves(
  dependencyStart: Int32Array,
  dependentStart: Int32Array,
  dependents: Int32Array,
): { readonly waveOf: Int32Array; readonly settled: number; readonly waveCount: number } {
  const count = dependencyStart.length - 1;
  const waveOf = new Int32Array(count).fill(-1);
  const open = new Int32Array(count);
  const queue = new Int32Array(count);
  let end = 0;
  for (let i = 0; i < count; i++) {
    open[i] = dependencyStart[i + 1]! - dependencyStart[i]!;
    if (open[i] === 0) {
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
export function listWaves(waveOf: Int32Array, waveCount: number): readonly (readonly number[])[] {
  const sizes = new Int32Array(waveCount);
  for (const wave of waveOf) sizes[wave]!++;
  const waves = new Array<number[]>(waveCount);
  const filled = new Int32Array(waveCount);
  for (let i = 0; i < waveOf.length; i++) {
    const wave = waveOf[i]!;
    if (filled[wave] === 0) waves[wave] = sizes[wave] === 1 ? [i] : new Array<number>(sizes[wave]!);
    waves[wave]![filled[wave]!++] = i;
  }
  return waves;
}

function duplicateId(id: string, at: number): WorkflowError {
  return new WorkflowError("ID_DUPLICATE", `There are two blocks with the id "${id}". Rename one of them.`, {
    place: { path: `blocks[${at}].id` },
    details: { id },
  });
}

function unknownDependency(blocks: readonly Block[], block: number, dependency: string | Dependency, index: IdIndex): WorkflowError {
  const id = dependencyId(dependency);
  const advice = adviseName(id, index.keys());
  return new WorkflowError(
    "DEPENDENCY_UNKNOWN",
    `Block "${blocks[block]!.id}" depends on "${id}", which is no block of this workflow.${advice.sentence}`,
    {
      place: { path: `blocks[${block}].dependsOn[${blocks[block]!.dependsOn!.indexOf(dependency)}]` },
      details: { dependency: id, ...advice.details },
    },
  );
}

function dependencyCycle(ids: readonly string[], dependencyStart: Int32Array, dependencies: Int32Array, waveOf: Int32Array): WorkflowError {
  const walked: number[] = [];
  const stepOf = new Map<number, number>();
  // Each block without a wave waits for another one without a wave, so following them must lead to a cycle.
  let block = waveOf.indexOf(-1);
  while (!stepOf.has(block)) {
    stepOf.set(block, walked.length);
    walked.push(block);
    let edge = dependencyStart[block]!;
    while (waveOf[dependencies[edge]!] !== -1) edge++;
    block = dependencies[edge]!;
  }
  const cycle = [...walked.slice(stepOf.get(block)), block].map((member) => ids[member]!);
  const shown = cycle.length > SHOWN_CYCLE ? [...cycle.slice(0, SHOWN_CYCLE - 2), "…", ...cycle.slice(-2)] : cycle;
  const place = { path: `blocks[${block}].dependsOn` };
  const details = { cycle: shown };
  return cycle.length === 2
    ? new WorkflowError("DEPENDENCY_CYCLE", `Block "${cycle[0]}" depends on itself, a cycle. Remove that dependency.`, { place, details })
    : new WorkflowError(
        "DEPENDENCY_CYCLE",
        `Blocks wait for each other in a cycle: ${shown.join(" → ")}. Remove one of these dependencies.`,
        {
          place,
          details,
        },
      );
}
