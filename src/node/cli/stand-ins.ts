import { failure, neededBy, success, type BlockContext, type BlockType } from "../../core/ports/block.ts";
import { WorkflowError, type Values } from "../../index.ts";
import type { Case } from "./case-file.ts";

/** What the result of a block is made complete with, by the type of the block: a case says what counts. */
const USUAL_RESULTS: ReadonlyMap<string, Values> = new Map<string, Values>([
  ["HttpCall", { status: 200, headers: {}, body: null, json: null, success: true }],
  ["Wait", { ended_by: "time", event: null, value: null, until: null }],
]);

/**
 * The block types of a case: blocks for which it has a result or a failure are not executed, and no other touches anything outside of the run. What they
 * would need fails them, and not the workflow, since a case goes one way through it.
 */
export function blocksOfCase({ results, failures }: Case, blockTypes: readonly BlockType[]): readonly BlockType[] {
  return blockTypes.map((type): BlockType => {
    const { needs: _, ...harmless } = type;
    return {
      ...harmless,
      execute(context: BlockContext<never>) {
        const { block, inputs } = context as BlockContext<Values>;
        const reason = failures.get(block);
        if (reason !== undefined) return failure(reason);
        const result = results.get(block);
        if (result) return success({ ...USUAL_RESULTS.get(type.type), ...result });
        if (neededBy(type, inputs).length === 0) return type.execute(context);
        throw new WorkflowError(
          "CAPABILITY_MISSING",
          `A case touches nothing outside. Give it what ${block} gives: results: { ${block}: … }.`,
        );
      },
    };
  });
}
