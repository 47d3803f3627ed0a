import type { BlockDifference, CheckpointDifference, ValueDifference } from "../../model/history.ts";
import { channelValues, type FoldedRun, pausePath, PENDING, STATUS_NAMES } from "../../machine/machine.ts";
import type { Services } from "../../run/run.ts";
import { loadCheckpoint } from "../past/load-checkpoint.ts";
import { diffValues, member } from "./diff-values.ts";

/** The most differences that are reported. */
const MAX_DIFFERENCES = 1_000;

/** See `Executor.checkpoints.diff`. */
export async function diffCheckpoints(services: Services, from: string, to: string): Promise<CheckpointDifference> {
  const { past: before } = await loadCheckpoint(services, from);
  const { past: after } = await loadCheckpoint(services, to);
  const found = { left: MAX_DIFFERENCES };
  const inputs = diffValues({ value: before.state.started.inputs }, { value: after.state.started.inputs }, { path: "", found });
  const answers = diffAnswers(before, after, found);
  const blocks = diffBlocks(before, after, found);
  const channels = diffChannels(before, after, found);
  return { from, to, inputs, answers, blocks, ...(channels && { channels }), ...(found.left < 0 ? { truncated: true } : {}) };
}

function diffAnswers(before: FoldedRun, after: FoldedRun, found: { left: number }): readonly ValueDifference[] {
  const [one, other] = [answersOf(before), answersOf(after)];
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return paths.flatMap((path) => diffValues(member(one, path), member(other, path), { path, found }));
}

/** Nothing where neither has any. */
function diffChannels(before: FoldedRun, after: FoldedRun, found: { left: number }): readonly ValueDifference[] | undefined {
  const [one, other] = [channelValues(before), channelValues(after)];
  if (!one && !other) return undefined;
  const names = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])];
  return names.flatMap((name) => diffValues(member(one ?? {}, name), member(other ?? {}, name), { path: name, found }));
}

/** Answers by the path of the question; where a block asked more than once, with the number of the question. */
function answersOf({ state }: FoldedRun): { readonly [path: string]: unknown } {
  const answers: [string, unknown][] = [];
  const counts = new Map<string, number>();
  for (const { entry, answer, withdrawn } of state.pauses) {
    if (withdrawn) continue;
    const path = pausePath(entry).join("/");
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    if (answer) answers.push([count === 1 ? path : `${path}#${count}`, answer.response]);
  }
  return Object.fromEntries(answers);
}

function diffBlocks(before: FoldedRun, after: FoldedRun, found: { left: number }): readonly BlockDifference[] {
  const ids = new Set([...after.compiled.plan.ids, ...before.compiled.plan.ids]);
  return [...ids].flatMap((block): readonly BlockDifference[] => {
    const [one, other] = [blockOf(before, block), blockOf(after, block)];
    const outputs = diffValues({ value: one?.outputs ?? {} }, { value: other?.outputs ?? {} }, { path: "", found });
    if (one?.status === other?.status && outputs.length === 0) return [];
    return [{ block, ...(one ? { before: one.status } : {}), ...(other ? { after: other.status } : {}), outputs }];
  });
}

function blockOf({ compiled, state }: FoldedRun, id: string): { readonly status: string; readonly outputs: unknown } | undefined {
  const block = compiled.plan.index.get(id);
  return block === undefined
    ? undefined
    : { status: STATUS_NAMES[state.blocks[block] ?? PENDING]!, outputs: state.records.get(block)?.outputs };
}
