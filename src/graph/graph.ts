import { ALWAYS, planWaves } from "../core/definition/definition.ts";
import { DEFAULT_ITERATIONS } from "../core/model/limits.ts";
import type { BlockView, RunView } from "../core/model/view.ts";
import type { Block, Workflow } from "../core/model/workflow.ts";
import { blockDetails } from "./label.ts";

/** What there is to draw: blocks by their numbers, wave by wave, and what leads from one to another. */
export interface Graph {
  readonly blocks: readonly GraphBlock[];
  readonly waves: readonly (readonly number[])[];
  /** The blocks that undo others; they stand behind the waves. */
  readonly undoing: readonly number[];
  readonly edges: readonly GraphEdge[];
}

/** What is drawn of a block. */
export interface GraphBlock {
  readonly id: string;
  readonly type: string;
  /** What there is to say about it, a line each. */
  readonly details: readonly string[];
  readonly hasCondition: boolean;
  readonly hasItems: boolean;
  /** How often it may run, where it asks to run again. */
  readonly iterations?: number;
  /** The channels that it writes to. */
  readonly writes: readonly string[];
}

export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  readonly kind: EdgeKind;
}

/** `required`: a dependency that must have run and always leads on; `undoing`: to what undoes a block. */
export type EdgeKind = "required" | "optional" | "undoing";

/** The graph of a workflow. Throws what `planWaves` throws. */
export function graphOf({ blocks }: Pick<Workflow, "blocks">): Graph {
  const { waves, dependencyStart, dependencies, required, leads, compensations } = planWaves(blocks);
  const edges: GraphEdge[] = [];
  for (let to = 0; to < blocks.length; to++) {
    for (let e = dependencyStart[to]!; e < dependencyStart[to + 1]!; e++) {
      edges.push({ from: dependencies[e]!, to, kind: required[e] === 1 && leads[e] === ALWAYS ? "required" : "optional" });
    }
  }
  for (const [from, to] of compensations) edges.push({ from, to, kind: "undoing" });
  return { blocks: blocks.map(describe), waves, undoing: [...new Set(compensations.values())], edges };
}

/**
 * The graph of a run as it stands: the waves of its view, with blocks that were added to it. What the definition says of them, lines included, is
 * missing where it is not given or has no such block.
 */
export function graphOfRun(
  { waves, compensations = [] }: Pick<RunView, "waves" | "compensations">,
  definition?: Pick<Workflow, "blocks">,
): Graph {
  const known = definition && graphOf(definition);
  const described = new Map(known?.blocks.map((block) => [block.id, block]));
  const blocks: GraphBlock[] = [];
  const waveOf: number[] = [];
  const numbers = new Map<string, number>();
  const add = (block: GraphBlock, wave: number): number => {
    numbers.set(block.id, blocks.length);
    waveOf.push(wave);
    return blocks.push(block) - 1;
  };
  const numbered = waves.map((wave, i) => wave.blocks.map((view) => add(described.get(view.id) ?? describeView(view), i)));
  const undone = [...(known?.undoing.map((block) => known.blocks[block]!) ?? []), ...compensations.map(describeView)];
  const undoing = undone.filter(({ id }, i) => undone.findIndex((other) => other.id === id) === i).map((block) => add(block, waves.length));
  const edges = (known?.edges ?? []).flatMap(({ from, to, kind }): GraphEdge[] => {
    const ends = [from, to].map((block) => numbers.get(known!.blocks[block]!.id));
    return ends[0] === undefined || ends[1] === undefined || waveOf[ends[0]]! >= waveOf[ends[1]]!
      ? []
      : [{ from: ends[0], to: ends[1], kind }];
  });
  return { blocks, waves: numbered, undoing, edges };
}

function describeView({ id, type, description, items }: BlockView): GraphBlock {
  const details = description === undefined ? [] : [description];
  return { id, type, details, hasCondition: false, hasItems: items !== undefined, writes: [] };
}

function describe(block: Block): GraphBlock {
  const { id, type, condition, forEach, writes = {}, repeatWhile, maxIterations } = block;
  const repeats = repeatWhile !== undefined || maxIterations !== undefined;
  return {
    id,
    type,
    details: blockDetails(block),
    hasCondition: condition !== undefined,
    hasItems: forEach !== undefined,
    ...(repeats && { iterations: maxIterations ?? DEFAULT_ITERATIONS }),
    writes: Object.keys(writes),
  };
}
