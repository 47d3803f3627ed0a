import * as z from "zod/mini";
import type { Answer } from "../../core/model/file-value.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { JournalQuery, Run } from "../../core/run/run.ts";
import type { OperationName } from "../protocol/operations.ts";
import { type Call, type Definition, givesEvents, givesValue, moveRun, movesRun } from "./definition.ts";
import * as schemas from "./schemas.ts";

/** A run: its id, or `run_…/block` for the run that a block called. */
const RUN = z.string();
const OF_RUN = { run: RUN };
const OF_PAUSE = { run: RUN, pause: z.string() };
const AT_MOMENT = { run: RUN, superstep: z.optional(z.int()) };

/** Returns options as the engine takes them: without members that are undefined. */
export function given<T extends object>(options: T): { [name in keyof T]: Exclude<T[name], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** Reads something of a run. */
function readsRun(summary: string, output: schemas.Schema, read: (run: Run) => Promise<unknown>): Definition {
  const handle = async ({ executor, signal }: Call, { run }: { run: string }): Promise<unknown> =>
    read(await executor.open(run, { signal }));
  return givesValue(output, { summary, input: z.strictObject(OF_RUN), handle });
}

/** Reads something of a run, now or when a superstep had ended. */
function readsMoment(
  summary: string,
  output: schemas.Schema,
  read: (run: Run, options: { readonly superstep?: number }) => Promise<unknown>,
): Definition {
  return givesValue(output, {
    summary,
    input: z.strictObject(AT_MOMENT),
    handle: async ({ executor, signal }, { run, superstep }) => read(await executor.open(run, { signal }), given({ superstep })),
  });
}

export const RUN_OPERATIONS: { readonly [name in OperationName & `run.${string}`]: Definition } = {
  "run.settled": movesRun({
    summary: "Waits until nothing of the run executes.",
    input: z.strictObject(OF_RUN),
    handle: (call, { run }) => moveRun(call, run, (one) => one.settled({ signal: call.signal })),
  }),
  "run.subscribe": givesEvents(
    "The run as it changes, and what its blocks write while they work: events `view`, `patch` and `output`.",
    z.strictObject(OF_RUN),
  ),
  "run.answer": movesRun({
    summary: "Answers questions, by the ids of their pauses. The first valid answer counts; the same one again does no harm.",
    input: z.strictObject({ run: RUN, answers: z.record(z.string(), z.unknown()) }),
    handle: (call, { run, answers }) =>
      moveRun(call, run, (one) => one.answer(answers as { readonly [pause: string]: Answer }, { signal: call.signal })),
  }),
  "run.decline": movesRun({
    summary: "Says that there will be no answer.",
    input: z.strictObject({ ...OF_PAUSE, action: z.optional(z.enum(["decline", "cancel", "skip"])) }),
    handle: (call, { run, pause, action }) =>
      moveRun(call, run, (one) => one.decline(pause, { ...given({ action }), signal: call.signal })),
  }),
  "run.saveDraft": movesRun({
    summary: "Keeps what was typed so far; without a draft, removes it.",
    input: z.strictObject({ ...OF_PAUSE, draft: z.optional(z.unknown()) }),
    handle: (call, { run, pause, draft }) => moveRun(call, run, (one) => one.saveDraft(pause, draft as Answer | undefined)),
  }),
  "run.answers": readsRun("All questions that can be reached, with their answers.", schemas.REVIEW, (run) => run.answers()),
  "run.revise": movesRun({
    summary: "Changes an earlier answer.",
    input: z.strictObject({ ...OF_PAUSE, response: z.unknown() }),
    handle: (call, { run, pause, response }) =>
      moveRun(call, run, (one) => one.revise<string>(pause, response as Answer, { signal: call.signal })),
  }),
  "run.previewRevise": givesValue(schemas.REVISION_PREVIEW, {
    summary: "What changing an answer would do. Changes nothing.",
    input: z.strictObject({ ...OF_PAUSE, response: z.unknown() }),
    handle: async ({ executor, signal }, { run, pause, response }) =>
      (await executor.open(run, { signal })).previewRevise<string>(pause, response as Answer),
  }),
  "run.back": movesRun({
    summary: "Opens the previous question again.",
    input: z.strictObject(OF_RUN),
    handle: (call, { run }) => moveRun(call, run, (one) => one.back({ signal: call.signal })),
  }),
  "run.plan": givesValue(schemas.MOVE_PLAN, {
    summary: "Whether the run can continue with another definition: the loaded one, unless one is given. Changes nothing.",
    input: z.strictObject({ run: RUN, workflow: z.optional(schemas.WORKFLOW) }),
    needs: ({ workflow }) => (workflow === undefined ? [] : [{ right: "load" }]),
    handle: async ({ executor, signal }, { run, workflow }) =>
      (await executor.open(run, { signal })).plan(workflow as Workflow | undefined),
  }),
  "run.resume": movesRun({
    summary: "Goes on where the run stands: after a crash, after a stop, or once more with what failed.",
    input: z.strictObject({ run: RUN, definition: z.optional(z.literal("latest")) }),
    needs: ({ definition }) => (definition === undefined ? [] : [{ right: "manage" }]),
    handle: (call, { run, definition }) => moveRun(call, run, (one) => one.resume({ ...given({ definition }), signal: call.signal })),
  }),
  "run.signal": movesRun({
    summary: "Tells the run that something has happened outside of it. With an id, it is taken once.",
    input: z.strictObject({ run: RUN, name: z.string(), value: z.optional(z.unknown()), id: z.optional(z.string()) }),
    handle: (call, { run, name, value, id }) =>
      moveRun(call, run, (one) => one.signal(name, value as Answer | undefined, { ...given({ id }), signal: call.signal })),
  }),
  "run.stop": movesRun({
    summary: "Stops the run for now.",
    input: z.strictObject(OF_RUN),
    handle: (call, { run }) => moveRun(call, run, (one) => one.stop()),
  }),
  "run.cancel": movesRun({
    summary: "Ends the run for good.",
    input: z.strictObject({ run: RUN, reason: z.optional(z.string()) }),
    handle: (call, { run, reason }) => moveRun(call, run, (one) => one.cancel(given({ reason }))),
  }),
  "run.steps": readsMoment("The records of what was executed.", schemas.STEPS, (run, options) => run.steps(options)),
  "run.journal": givesValue(schemas.JOURNAL_PAGE, {
    summary: "What happened in the run, entry by entry, newest first.",
    input: z.strictObject({ run: RUN, limit: z.optional(z.number()), after: z.optional(z.string()) } satisfies {
      readonly [member in keyof JournalQuery | "run"]-?: unknown;
    }),
    handle: async ({ executor, signal }, { run, ...query }) => (await executor.open(run, { signal })).journal(given(query)),
  }),
  "run.state": readsMoment("The outputs of all blocks.", schemas.RUN_VALUES, (run, options) => run.state(options)),
  "run.context": readsMoment("What the expressions of the run see.", schemas.CONTEXT, (run, options) => run.context(options)),
  "run.definition": readsMoment("The definition as the run has it.", schemas.WORKFLOW, (run, options) => run.definition(options)),
  "run.files": readsMoment("The files that blocks of the run wrote.", z.array(schemas.RUN_FILE), (run, options) => run.files(options)),
  "run.readFile": givesValue(schemas.FILE_VALUE, {
    summary: "A file of the run with its bytes.",
    input: z.strictObject({ ...AT_MOMENT, name: z.string() }),
    handle: async ({ executor, signal }, { run, name, superstep }) =>
      (await executor.open(run, { signal })).readFile(name, given({ superstep })),
  }),
};
