import { type BlockKind, type CompiledWorkflow, compileWorkflow, definePart, type Part } from "../definition/definition.ts";
import { loadRichCodec } from "../journal/journal.ts";
import { addedPart, channelPart } from "../machine/machine.ts";
import { isRecord } from "../model/value.ts";
import type { Block, Workflow } from "../model/workflow.ts";
import type { ChannelReducers } from "../ports/reducer.ts";
import type * as ActingBlocks from "./acting-blocks.ts";

/** What executes blocks that do more than ask and compute. */
export const actingBlocks: Part<typeof ActingBlocks> = definePart({
  isNeededBy: (workflow, kindOf) =>
    blocksOf(workflow).some(
      ({ type, effect, outputs, cache }) =>
        effect !== undefined || outputs !== undefined || cache !== undefined || kindOf(type) === "acting",
    ),
  load: () => import("./acting-blocks.ts"),
});

/** The parts of the engine that only some workflows need. */
const PARTS: readonly Pick<Part, "isNeededBy" | "load">[] = [
  channelPart,
  actingBlocks,
  addedPart,
  { isNeededBy: (workflow, kindOf) => blocksOf(workflow).some(({ type }) => kindOf(type) !== "question"), load: loadRichCodec },
];

/** Loads the parts of the engine that any of these workflows needs. `kindOf`: see {@link Part.isNeededBy}. */
export async function loadParts(workflows: readonly Workflow[], kindOf: (type: string) => BlockKind): Promise<void> {
  const needed = PARTS.filter(({ isNeededBy }) => workflows.some((workflow) => isNeededBy(workflow, kindOf)));
  await Promise.all(needed.map(({ load }) => load()));
}

/** Compiles a workflow; all that folding a run of it takes is loaded by then. Rejects with what {@link compileWorkflow} throws. */
export async function readyWorkflow(workflow: Workflow, reducers: ChannelReducers): Promise<CompiledWorkflow> {
  // No block is executed.
  await loadParts([workflow], () => "question");
  return compileWorkflow(workflow, reducers);
}

/** The blocks of a workflow, as far as they are any: called workflows are checked when they are called. */
export function blocksOf({ blocks }: Workflow): readonly Block[] {
  return Array.isArray(blocks) ? blocks.filter((block): boolean => isRecord(block)) : [];
}
