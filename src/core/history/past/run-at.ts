import type { RunContext } from "../../model/checkpoint.ts";
import { WorkflowError } from "../../model/errors.ts";
import type { Step } from "../../model/run.ts";
import type { Values } from "../../model/value.ts";
import type { Block, Workflow } from "../../model/workflow.ts";
import type { FileValue } from "../../model/file-value.ts";
import { showPath } from "../../model/file-path.ts";
import type { RunFile } from "../../model/run-file.ts";
import { foldRun, pruned, readFile } from "../../journal/journal.ts";
import { channelValues, filesOf, type FoldedRun, showFiles } from "../../machine/machine.ts";
import type { OpenRun, RunValues, Services, SuperstepOptions } from "../../run/run.ts";
import { storedRun } from "./load-checkpoint.ts";
import { contextOf } from "./run-context.ts";
import { runSteps } from "./steps.ts";

/** See `Run.steps`. */
export async function stepsOf(services: Services, run: OpenRun, options: SuperstepOptions): Promise<readonly Step[]> {
  return runSteps(services, await runAt(services, run, options));
}

/** See `Run.state`. */
export async function outputsAt(services: Services, run: OpenRun, options: SuperstepOptions): Promise<RunValues> {
  const past = await runAt(services, run, options);
  const { compiled, state } = past;
  const channels = channelValues(past);
  const values = compiled.plan.ids.flatMap((id, block): (readonly [string, Values | null])[] => {
    const outputs = state.records.get(block)?.outputs;
    return outputs === undefined ? [] : [[id, outputs]];
  });
  return { superstep: options.superstep ?? state.ends.length - 1, values: Object.fromEntries(values), ...(channels && { channels }) };
}

/** See `Run.context`. */
export async function contextAt(services: Services, run: OpenRun, options: SuperstepOptions): Promise<RunContext> {
  const found = await runAt(services, run, options);
  // The run that is held here may have secrets put over what is stored.
  return contextOf(options.superstep === undefined ? await foldRun(services, run.id, found.state.entries) : found);
}

/** See `Run.definition`. */
export async function definitionAt(services: Services, run: OpenRun, options: SuperstepOptions): Promise<Workflow> {
  const { compiled, state } = await runAt(services, run, options);
  const { workflow, plan } = compiled;
  const first = workflow.blocks.length - (state.added?.length ?? 0);
  const blocks = workflow.blocks.flatMap((block, number): Block | readonly Block[] => {
    const added = state.added?.[number - first];
    if (!added) return block;
    const { dependsOn = [] } = block;
    const by = plan.ids[added.by]!;
    const isSaid = dependsOn.some((one) => by === (typeof one === "string" ? one : one.block));
    return added.isGone ? [] : { ...block, dependsOn: isSaid ? dependsOn : [by, ...dependsOn] };
  });
  return { ...workflow, blocks };
}

/** See `Run.files`. */
export async function filesAt(services: Services, run: OpenRun, options: SuperstepOptions): Promise<readonly RunFile[]> {
  const found = await runAt(services, run, options);
  return showFiles(found, filesOf(found));
}

/** See `Run.readFile`. */
export async function readFileAt(services: Services, run: OpenRun, name: string, options: SuperstepOptions): Promise<FileValue> {
  const found = await runAt(services, run, options);
  const file = filesOf(found).get(name);
  if (!file) {
    throw new WorkflowError("FILE_MISSING", `Run ${run.id} has no file ${showPath(String(name))}. files() lists those that it has.`, {
      details: { run: run.id },
    });
  }
  const { type, size } = file;
  return { name, type, size, bytes: await readFile(file, services) };
}

async function runAt(services: Services, run: OpenRun, { superstep }: SuperstepOptions): Promise<FoldedRun> {
  await run.refresh();
  const folded = await storedRun(services, run);
  const { state } = folded;
  if (superstep === undefined) return folded;
  const entries = state.ends[superstep];
  if (entries === undefined) {
    throw new WorkflowError(
      "CHECKPOINT_NOT_FOUND",
      `Run ${run.id} has no superstep ${superstep}; ${state.ends.length} have ended, counted from 0.`,
      { details: { run: run.id, superstep, supersteps: state.ends.length } },
    );
  }
  if (entries < folded.base) throw pruned(folded, `Superstep ${superstep}`);
  return foldRun(services, run.id, entries);
}
