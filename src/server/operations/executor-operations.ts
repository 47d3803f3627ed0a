import * as z from "zod/mini";
import type { Answer } from "../../core/model/file-value.ts";
import type { RunPolicy } from "../../core/model/policy.ts";
import type { RunTree } from "../../core/model/history.ts";
import { parseCheckpointId } from "../../core/model/ids.ts";
import type { Values } from "../../core/model/value.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { Executor, Run, RunListQuery } from "../../core/run/run.ts";
import type { OperationName } from "../protocol/operations.ts";
import { type Call, type Definition, givesEvents, givesRun, givesValue, movesRun } from "./definition.ts";
import { given } from "./run-operations.ts";
import * as schemas from "./schemas.ts";

const VALUES = z.optional(z.record(z.string(), z.unknown()));
const RUN = z.string();
const EXPORT = { drafts: z.optional(z.boolean()), passphrase: z.optional(z.string()), secrets: z.optional(z.boolean()) };
const IMPORT = { file: z.string(), accept: z.optional(z.boolean()), passphrase: z.optional(z.string()) };

export const EXECUTOR_OPERATIONS: { readonly [name in OperationName & `${"executor" | "runs"}.${string}`]: Definition } = {
  "executor.load": givesValue(z.null(), {
    summary: "Adds a workflow after checking all of it.",
    input: z.strictObject({ workflow: schemas.WORKFLOW }),
    handle: ({ executor }, { workflow }) => executor.load(workflow as Workflow),
  }),
  "executor.start": givesRun({
    summary: "Starts a run. Give it an id of your own: then a second try starts no second run.",
    input: z.strictObject({
      workflow: z.union([z.string(), schemas.WORKFLOW]),
      inputs: VALUES,
      id: z.optional(z.string()),
      channels: VALUES,
      policy: z.optional(schemas.RUN_POLICY),
      after: z.optional(z.string()),
    }),
    needs: ({ workflow, after }) => [
      ...(typeof workflow === "string" ? [] : [{ right: "load" } as const]),
      // What that run gave is seen by this one.
      ...(after === undefined ? [] : [{ right: "read", run: after } as const]),
    ],
    handle: ({ executor, signal }, { workflow, inputs, ...options }) => {
      const { policy, channels, ...rest } = given(options);
      return executor.start(workflow as string, inputs as Values | undefined, {
        ...rest,
        ...(policy ? { policy: policy as RunPolicy } : {}),
        ...(channels ? { channels: channels as Values } : {}),
        signal,
      }) as Promise<Run>;
    },
  }),
  "executor.open": givesRun({
    summary: "A run as it is now.",
    input: z.strictObject({ run: RUN }),
    handle: ({ executor, signal }, { run }) => executor.open(run, { signal }),
  }),
  "executor.answer": movesRun({
    summary: "Answers a question by its id alone.",
    input: z.strictObject({ pause: z.string(), response: z.unknown() }),
    handle: async ({ executor, signal }, { pause, response }) => ({
      run: parseCheckpointId(pause)?.run ?? pause,
      result: executor.answer(pause, response as Answer, { signal }),
    }),
  }),
  "executor.resume": movesRun({
    summary: "Goes on from a checkpoint.",
    input: z.strictObject({
      checkpoint: z.string(),
      response: z.optional(z.unknown()),
      fork: z.optional(z.boolean()),
      deleteAfter: z.optional(z.boolean()),
    }),
    handle: async ({ executor, signal }, { checkpoint, response, ...options }) => ({
      run: parseCheckpointId(checkpoint)?.run ?? checkpoint,
      result: executor.resume(checkpoint, response as Answer, { ...given(options), signal }),
    }),
  }),
  "executor.fork": givesRun({
    summary: "Makes a new run that shares the past of another up to a checkpoint, and lets it go on.",
    input: z.strictObject({
      checkpoint: z.string(),
      answers: VALUES,
      revise: VALUES,
      inputs: VALUES,
      definition: z.optional(z.literal("latest")),
      startAt: z.optional(z.string()),
      outputs: z.optional(z.record(z.string(), z.record(z.string(), z.unknown()))),
      channels: VALUES,
    }),
    handle: ({ executor }, { checkpoint, ...options }) => executor.fork(checkpoint, given(options) as Parameters<Executor["fork"]>[1]),
  }),
  "executor.cleanup": givesValue(schemas.CLEANUP_REPORT, {
    summary: "Removes what the policy does not keep.",
    input: z.strictObject({ ttlMs: z.optional(z.number()), maxPerWorkflow: z.optional(z.number()), keepPaused: z.optional(z.boolean()) }),
    handle: ({ executor }, options) => executor.cleanup(given(options)),
  }),
  "executor.recover": givesValue(schemas.RECOVERY, {
    summary: "Goes on with runs that a dead process left running.",
    input: z.strictObject({}),
    handle: ({ executor, signal }) => executor.recover({ signal }),
  }),
  "executor.runSchedules": givesEvents(
    "Starts runs at the times of their schedules, for as long as the stream is open. An event `failed` has the error that ended it.",
    z.strictObject({}),
  ),
  "executor.metrics": givesValue(schemas.METRICS, {
    summary: "What the store holds, in figures.",
    input: z.strictObject({}),
    handle: ({ executor }) => executor.metrics(),
  }),
  "runs.list": givesValue(schemas.RUN_PAGE, {
    summary: "Runs, the one that changed last first. Those that the request may not read are left out.",
    input: z.strictObject({
      workflow: z.optional(z.string()),
      status: z.optional(z.array(schemas.RUN_STATUS)),
      topLevel: z.optional(z.boolean()),
      where: VALUES,
      conversation: z.optional(z.string()),
      limit: z.optional(z.number()),
      after: z.optional(z.string()),
    } satisfies { readonly [member in keyof RunListQuery]-?: unknown }),
    async handle(call, query) {
      const page = await call.executor.runs.list(given(query) as Parameters<Executor["runs"]["list"]>[0]);
      const items = await allowedOf(page.items, ({ id, workflow }) => call.mayRead(id, workflow));
      return { ...page, items, ...(page.damaged && { damaged: await allowedOf(page.damaged, ({ run }) => call.mayRead(run)) }) };
    },
  }),
  "runs.tree": givesValue(schemas.RUN_TREE, {
    summary: "A run with the runs it was forked from, and with all their forks, as far as the request may read them.",
    input: z.strictObject({ run: RUN }),
    async handle(call, { run }) {
      const tree = await call.executor.runs.tree(run);
      const isReadable = await call.mayRead(tree.run, tree.workflow);
      return prune(call, (isReadable ? tree : findInTree(tree, run)) ?? tree);
    },
  }),
  "runs.watch": givesEvents("Tells of runs that changed: events `changed`. Read again what you show.", z.strictObject({})),
  "runs.export": givesValue(z.string(), {
    summary: "The run as one portable text.",
    input: z.strictObject({ run: RUN, ...EXPORT }),
    handle: ({ executor }, { run, ...options }) => executor.runs.export(run, given(options)),
  }),
  "runs.import": givesRun({
    summary: "Takes in a run that was exported or transferred.",
    input: z.strictObject(IMPORT),
    needs: ({ accept }) => (accept ? [{ right: "load" }] : []),
    handle: ({ executor }, { file, ...options }) => executor.runs.import(file, given(options)),
  }),
  "runs.checkImport": givesValue(z.null(), {
    summary: "Whether a run could be taken in and go on here. Stores nothing.",
    input: z.strictObject(IMPORT),
    needs: ({ accept }) => (accept ? [{ right: "load" }] : []),
    handle: ({ executor }, { file, ...options }) => executor.runs.checkImport(file, given(options)),
  }),
  "runs.transfer": givesValue(z.string(), {
    summary: "Exports a run for good: here it does not go on.",
    input: z.strictObject({ run: RUN, to: z.string(), ...EXPORT }),
    handle: ({ executor }, { run, to, ...options }) => executor.runs.transfer(run, { to, ...given(options) }),
  }),
  "runs.delete": givesValue(z.null(), {
    summary: "Deletes a run and those it called.",
    input: z.strictObject({ run: RUN }),
    handle: ({ executor }, { run }) => executor.runs.delete(run),
  }),
};

/** Those of a list that pass. */
export async function allowedOf<T>(items: readonly T[], isAllowed: (item: T) => Promise<boolean>): Promise<readonly T[]> {
  const allowed = await Promise.all(items.map(isAllowed));
  return items.filter((_, i) => allowed[i]);
}

async function prune(call: Call, tree: RunTree): Promise<RunTree> {
  const forks = await allowedOf(tree.forks, ({ run, workflow }) => call.mayRead(run, workflow));
  return { ...tree, forks: await Promise.all(forks.map((fork) => prune(call, fork))) };
}

function findInTree(tree: RunTree, run: string): RunTree | undefined {
  if (tree.run === run) return tree;
  for (const fork of tree.forks) {
    const found = findInTree(fork, run);
    if (found) return found;
  }
  return undefined;
}
