import { WorkflowError } from "../model/errors.ts";
import { adviseName } from "../model/suggestions.ts";
import type { Block } from "../model/workflow.ts";
import type { IdIndex } from "./id-index.ts";

/** A dependency leads on once it was not skipped. */
export const ALWAYS = 0;
/** It names the block in its `next`, and leads on where it takes that way. */
const IF_CHOSEN = 1;
/** It names the block in its `on_failure`, and leads on where it failed. */
export const IF_FAILED = 2;
/** It added the block, which comes later however the adding block ends. */
export const AFTER = 3;

/** Takes what is wrong with the order of blocks, and may throw it. */
export type Report = (mistake: WorkflowError) => void;

interface Place {
  readonly path: string;
}

/** By the number of a block: the blocks that name it in `next` or `on_failure`, each with when it leads there. */
export type Ways = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** Reports `DEPENDENCY_UNKNOWN`, and `DEPENDENCY_CYCLE` for a block that names itself. */
export function collectWays(
  blocks: readonly Block[],
  index: IdIndex,
  { apart, report }: { readonly apart: ReadonlySet<number>; readonly report: Report },
): Ways {
  const ways = new Map<number, Map<number, number>>();
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!;
    if (block.next === undefined && block.onFailure === undefined) continue;
    for (const { to, path, when } of waysOf(block)) {
      const place = { path: `blocks[${i}].${path}` };
      const target = index.get(to);
      if (to === block.id) report(ownWay(block.id, place));
      else if (target === undefined) report(unknownWay(block.id, to, place, index));
      else if (apart.has(target)) report(outOfPlan(to, place.path));
      else if (apart.has(i)) continue;
      else if (ways.has(target)) ways.get(target)!.set(i, when);
      else ways.set(target, new Map([[i, when]]));
    }
  }
  return ways;
}

/** The blocks that one names as those which follow it, and where it does. */
export function waysOf({ next = [], onFailure }: Block): readonly { readonly to: string; readonly path: string; readonly when: number }[] {
  const chosen = next.map((entry, j) =>
    typeof entry === "string"
      ? { to: entry, path: `next[${j}]`, when: IF_CHOSEN }
      : { to: entry.to, path: `next[${j}].to`, when: IF_CHOSEN },
  );
  return onFailure === undefined ? chosen : [...chosen, { to: onFailure, path: "onFailure", when: IF_FAILED }];
}

/** What is no part of the plan is named as if it were: `SCHEMA_INVALID`. */
export function outOfPlan(id: string, path: string): WorkflowError {
  const message = `Block "${id}" undoes another one and is no part of the plan, so nothing can depend on it and nothing leads there. Name another block.`;
  return new WorkflowError("SCHEMA_INVALID", message, { place: { path } });
}

function ownWay(id: string, place: Place): WorkflowError {
  return new WorkflowError("DEPENDENCY_CYCLE", `Block "${id}" names itself as what follows it, a cycle. Name another block.`, {
    place,
    details: { cycle: [id, id] },
  });
}

function unknownWay(id: string, wanted: string, place: Place, index: IdIndex): WorkflowError {
  const { sentence, details } = adviseName(wanted, new Set(index.keys()));
  const message = `Block "${id}" leads to "${wanted}", which is no block of this workflow.${sentence}`;
  return new WorkflowError("DEPENDENCY_UNKNOWN", message, { place, details: { dependency: wanted, ...details } });
}

/** What a block chooses itself of the blocks in its `next`. Throws `DEPENDENCY_UNKNOWN` for another one. */
export function chooseWays({ id, next = [] }: Block, chosen: string | readonly string[]): readonly string[] {
  const known = new Set(next.map((entry) => (typeof entry === "string" ? entry : entry.to)));
  const ids = [...new Set(typeof chosen === "string" ? [chosen] : chosen)];
  const wrong = ids.find((one) => !known.has(one));
  if (wrong === undefined) return ids;
  const { sentence, details } = adviseName(String(wrong), known);
  const message = `Block "${id}" chose "${String(wrong)}", which is not in its next.${sentence}`;
  throw new WorkflowError("DEPENDENCY_UNKNOWN", message, { details: { dependency: String(wrong), ...details } });
}

interface Edges {
  readonly ids: readonly string[];
  readonly dependencyStart: Int32Array;
  readonly dependencies: Int32Array;
  readonly leads: Uint8Array;
}

/** The ids of the blocks whose failure a block follows; nothing where no block names it in its `on_failure`. */
export function failuresOf({ ids, dependencyStart, dependencies, leads }: Edges, block: number): readonly string[] | undefined {
  let found: string[] | undefined;
  for (let e = dependencyStart[block]!; e < dependencyStart[block + 1]!; e++) {
    if (leads[e] === IF_FAILED) (found ??= []).push(ids[dependencies[e]!]!);
  }
  return found;
}
