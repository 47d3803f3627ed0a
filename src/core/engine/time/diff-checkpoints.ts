import type { BlockDifference, CheckpointDifference, ValueDifference } from "../../model/difference.ts";
import { PENDING, STATUS_NAMES } from "../block-code.ts";
import { checkpointNotFound, entriesAt, parsePlace } from "../checkpoints.ts";
import { foldRun } from "../read-run.ts";
import type { Services } from "../services.ts";
import type { RunState } from "../state.ts";
import { pausePath } from "../unit.ts";
import { diffValues, member } from "./diff-values.ts";
import { storedState } from "./question-place.ts";

/** Differences that are told. */
const MAX_DIFFERENCES = 1_000;

/** See `Executor.checkpoints.diff`. */
export async function diffCheckpoints(services: Services, from: string, to: string): Promise<CheckpointDifference> {
  const before = await stateAt(services, from);
  const after = await stateAt(services, to);
  const found = { left: MAX_DIFFERENCES };
  const inputs = diffValues({ value: before.started.inputs }, { value: after.started.inputs }, { path: "", found });
  const answers = diffAnswers(before, after, found);
  const blocks = diffBlocks(before, after, found);
  return { from, to, inputs, answers, blocks, ...(found.left < 0 ? { truncated: true } : {}) };
}

async function stateAt(services: Services, checkpoint: string): Promise<RunState> {
  const place = parsePlace(checkpoint);
  const run = await services.find(place.run);
  if (!run) throw checkpointNotFound(checkpoint);
  return foldRun(services, run.id, entriesAt(await storedState(services, run), place));
}

function diffAnswers(before: RunState, after: RunState, found: { left: number }): readonly ValueDifference[] {
  const [one, other] = [answersOf(before), answersOf(after)];
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return paths.flatMap((path) => diffValues(member(one, path), member(other, path), { path, found }));
}

/** Answers by the path of the question; where a block asked more than once, with the number of the question. */
function answersOf({ pauses }: RunState): { readonly [path: string]: unknown } {
  const answers: [string, unknown][] = [];
  const counts = new Map<string, number>();
  for (const { entry, answer } of pauses) {
    const path = pausePath(entry).join("/");
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    if (answer) answers.push([count === 1 ? path : `${path}#${count}`, answer.response]);
  }
  return Object.fromEntries(answers);
}

function diffBlocks(before: RunState, after: RunState, found: { left: number }): readonly BlockDifference[] {
  const ids = new Set([...after.compiled.plan.ids, ...before.compiled.plan.ids]);
  return [...ids].flatMap((block): readonly BlockDifference[] => {
    const [one, other] = [blockOf(before, block), blockOf(after, block)];
    const outputs = diffValues({ value: one?.outputs ?? {} }, { value: other?.outputs ?? {} }, { path: "", found });
    if (one?.status === other?.status && outputs.length === 0) return [];
    return [{ block, ...(one ? { before: one.status } : {}), ...(other ? { after: other.status } : {}), outputs }];
  });
}

function blockOf({ compiled, blocks, records }: RunState, id: string): { readonly status: string; readonly outputs: unknown } | undefined {
  const block = compiled.plan.index.get(id);
  return block === undefined ? undefined : { status: STATUS_NAMES[blocks[block] ?? PENDING]!, outputs: records.get(block)?.outputs };
}
