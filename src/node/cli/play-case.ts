import { memberPath } from "../../core/definition/definition.ts";
import { sameValue } from "../../core/model/fingerprint.ts";
import {
  createExecutor,
  isWorkflowError,
  type BlockType,
  type ErrorData,
  type Run,
  type Step,
  type Values,
  type Workflow,
} from "../../index.ts";
import { memoryStore } from "../../store/memory.ts";
import { withBuiltin } from "./block-modules.ts";
import type { Case, CaseStatus } from "./case-file.ts";
import { firstWritten } from "./drive-run.ts";
import { plainLine, shorten } from "./plain-text.ts";
import { answerBook } from "./prepared-answers.ts";
import { blocksOfCase } from "./stand-ins.ts";

/** Milliseconds after which a case hangs: it waits for something that it never gets. */
const MAX_CASE_MS = 3_000;
/** Characters shown of a value. */
const MAX_VALUE = 200;

/** What came otherwise than a case expects. */
export interface Difference {
  /** The part of the case that failed, such as `expect.status`. */
  readonly path: string;
  readonly message: string;
}

/** The setup of a case. */
export interface CaseWorld {
  /** The first is run, the others may be called. */
  readonly workflows: readonly [Workflow, ...Workflow[]];
  /** Block types in addition to the built-in ones. */
  readonly blocks: readonly BlockType[];
  readonly signal: AbortSignal;
}

/** The result of a case's run. */
interface Played {
  readonly status: CaseStatus | "running";
  readonly outputs: Values;
  readonly steps: readonly Step[];
  /** Paths of the blocks that asked. */
  readonly asked: readonly string[];
  /** Why the run failed, did not start or did not take an answer. */
  readonly error?: ErrorData | undefined;
  readonly unused: readonly string[];
}

/** Plays a case in memory. Returns the differences. Throws `ABORTED`, and for a workflow that cannot be used. */
export async function playCase(played: Case, { workflows, blocks, signal }: CaseWorld): Promise<readonly Difference[]> {
  const store = memoryStore();
  const executor = createExecutor({ store, workflows, blocks: blocksOfCase(played, withBuiltin(blocks)), secrets: (name) => name });
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), MAX_CASE_MS);
  try {
    const [workflow] = workflows;
    await executor.load(workflow);
    let run: Run;
    try {
      run = await executor.start(workflow.name, played.inputs);
    } catch (error) {
      if (!isWorkflowError(error)) throw error;
      return compare(played, { status: "refused", outputs: {}, steps: [], asked: [], error: error.toJSON(), unused: [] });
    }
    return compare(played, await follow(run, played, AbortSignal.any([signal, limit.signal])));
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error;
    return [{ path: "name", message: `It is not over after ${MAX_CASE_MS / 1_000} s. Give what a block waits for as its result.` }];
  } finally {
    clearTimeout(timer);
    await executor.close();
    await store.close();
  }
}

async function follow(run: Run, { answers }: Case, signal: AbortSignal): Promise<Played> {
  const book = answerBook(answers);
  const asked = new Map<string, string>();
  for (let result = await run.settled({ signal }); ;) {
    const { pauses, status, outputs = {}, error } = run.getSnapshot();
    for (const { id, path } of pauses) asked.set(id, path.join("/"));
    const refusal = result.status === "failure" && status === "paused" ? result.error : undefined;
    const written = refusal ? undefined : firstWritten(pauses, book);
    if (!written) {
      return { status, outputs, steps: await run.steps(), asked: [...asked.values()], error: refusal ?? error, unused: book.unused() };
    }
    const { pause, said } = written;
    result = await ("skips" in said ? run.decline(pause.id, { action: "skip", signal }) : run.answer(pause.id, said.response, { signal }));
  }
}

function compare({ expect }: Case, played: Played): readonly Difference[] {
  const { status, outputs, steps, asked, error, unused } = played;
  const ended = steps.filter((step) => step.item === undefined && (step.status === "completed" || step.status === "failed"));
  const ran = [...new Set(ended.map(({ block }) => block))];
  const said = error ? plainLine(`${error.code}: ${error.message}`).replace(/\.$/, "") : "nothing";
  const why = error ? `: ${said}` : status === "paused" ? `: ${asked.at(-1) ?? "it"} waits` : "";
  return [
    ...steps.flatMap(({ error: own }) => when(own?.code === "CAPABILITY_MISSING", "results", own?.message ?? "")),
    ...when(status !== expect.status, "expect.status", `It is ${status}, not ${expect.status}${why}.`),
    ...when(expect.error !== undefined && !said.includes(expect.error), "expect.error", `What went wrong is ${said}.`),
    ...Object.entries(expect.outputs).flatMap(([name, value]) =>
      when(
        !sameValue(value, outputs[name]),
        memberPath("expect.outputs", name),
        `${name} is ${valueText(outputs[name])}, not ${valueText(value)}.`,
      ),
    ),
    ...when(expect.asked !== undefined && !sameValue(expect.asked, asked), "expect.asked", `Asked was ${listText(asked)}.`),
    ...when(!isInOrder(expect.order, ran), "expect.order", `The blocks ended in the order ${listText(ran)}.`),
    ...expect.skipped.flatMap((block, index) => {
      const step = steps.findLast((one) => one.block === block && one.item === undefined);
      return when(step?.status !== "skipped", `expect.skipped[${index}]`, `${block} is ${step?.status ?? "not reached"}, not skipped.`);
    }),
    ...when(unused.length > 0, "answers", `Nothing asked for ${plainLine(unused.join(", "))}.`),
  ];
}

function when(differs: boolean, path: string, message: string): readonly Difference[] {
  return differs ? [{ path, message }] : [];
}

function isInOrder(wanted: readonly string[], found: readonly string[]): boolean {
  return sameValue(
    wanted,
    found.filter((block) => wanted.includes(block)),
  );
}

function listText(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : plainLine(names.join(", "));
}

function valueText(value: unknown): string {
  return value === undefined ? "missing" : shorten(plainLine(JSON.stringify(value)), MAX_VALUE);
}
