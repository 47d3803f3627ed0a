import type { BlockValues, RunContext } from "../../model/checkpoint.ts";
import { isWorkflowError } from "../../model/errors.ts";
import type { Values } from "../../model/value.ts";
import { MASK } from "../../journal/journal.ts";
import { channelValues, type FoldedRun, OPENED, PENDING, SKIPPED_BLOCK, withoutChannels } from "../../machine/machine.ts";
import type { Scope } from "../../expression/scope.ts";

/** What the expressions of a run see. Pass a run that was just read from the store: a run that executes here may have secrets in place of markers. */
export function contextOf(run: FoldedRun): RunContext {
  const { compiled, state } = run;
  const { ids } = compiled.plan;
  const scope: Scope = { lookup: (path) => (path[0] === "secrets" ? MASK : run.scope.lookup(path)) };
  const begun = ids.flatMap((id, block): (readonly [string, BlockValues])[] => {
    const code = state.blocks[block];
    if (code === PENDING || code === OPENED) return [];
    const inputs = code === SKIPPED_BLOCK ? undefined : resolveInputs(run, block, scope);
    const outputs = state.records.get(block)?.outputs;
    return [
      [
        id,
        {
          ...(inputs ? { inputs } : {}),
          ...(outputs === undefined ? {} : { outputs }),
          metadata: scope.lookup(["blocks", id, "metadata"]) as Values,
        },
      ],
    ];
  });
  const channels = channelValues(run);
  return {
    inputs: state.started.inputs,
    metadata: scope.lookup(["metadata"]) as Values,
    ...(channels && { channels }),
    blocks: Object.fromEntries(begun),
  };
}

/** Nothing where they do not resolve: the block failed because of that, reads a channel that may hold something else by now, or has `for_each` and other inputs for each item. */
function resolveInputs({ compiled }: FoldedRun, block: number, scope: Scope): Values | undefined {
  try {
    return compiled.block(block).inputs(withoutChannels(scope)) as Values;
  } catch (error) {
    if (isWorkflowError(error)) return undefined;
    throw error;
  }
}
