import * as z from "zod/mini";
import { CHECKPOINT_KINDS } from "../../core/model/checkpoint.ts";
import { parseCheckpointId } from "../../core/model/ids.ts";
import type { CheckpointListQuery, Executor } from "../../core/run/run.ts";
import type { OperationName } from "../protocol/operations.ts";
import { type Definition, givesValue } from "./definition.ts";
import { allowedOf } from "./executor-operations.ts";
import { given } from "./run-operations.ts";
import * as schemas from "./schemas.ts";

const CHECKPOINT = z.strictObject({ checkpoint: z.string() });

export const CHECKPOINT_OPERATIONS: { readonly [name in OperationName & `checkpoints.${string}`]: Definition } = {
  "checkpoints.list": givesValue(schemas.CHECKPOINT_PAGE, {
    summary: "Checkpoints, newest first. Those of runs that the request may not read are left out.",
    input: z.strictObject({
      run: z.optional(z.string()),
      workflow: z.optional(z.string()),
      kind: z.optional(z.enum(CHECKPOINT_KINDS as readonly ["wave"])),
      id: z.optional(z.string()),
      metadata: z.optional(z.record(z.string(), z.unknown())),
      limit: z.optional(z.number()),
      after: z.optional(z.string()),
    } satisfies { readonly [member in keyof CheckpointListQuery]-?: unknown }),
    async handle(call, query) {
      const page = await call.executor.checkpoints.list(given(query) as Parameters<Executor["checkpoints"]["list"]>[0]);
      const items = await allowedOf(page.items, ({ run, workflow }) => call.mayRead(run, workflow));
      return { ...page, items, ...(page.damaged && { damaged: await allowedOf(page.damaged, ({ run }) => call.mayRead(run)) }) };
    },
  }),
  "checkpoints.get": givesValue(schemas.CHECKPOINT, {
    summary: "The state at a checkpoint.",
    input: CHECKPOINT,
    handle: ({ executor }, { checkpoint }) => executor.checkpoints.get(checkpoint),
  }),
  "checkpoints.diff": givesValue(schemas.CHECKPOINT_DIFFERENCE, {
    summary: "What is different at a second checkpoint, of the same run or of another one.",
    input: z.strictObject({ checkpoint: z.string(), to: z.string() }),
    needs: ({ to }) => [{ right: "read", run: parseCheckpointId(to)?.run ?? to }],
    handle: ({ executor }, { checkpoint, to }) => executor.checkpoints.diff(checkpoint, to),
  }),
  "checkpoints.trim": givesValue(z.int(), {
    summary: "Keeps the newest automatic checkpoints of each workflow in the lists.",
    input: z.strictObject({ maxPerWorkflow: z.number() }),
    handle: ({ executor }, { maxPerWorkflow }) => executor.checkpoints.trim(maxPerWorkflow),
  }),
  "checkpoints.delete": givesValue(z.boolean(), {
    summary: "Deletes a checkpoint. Without its open question a run is cancelled.",
    input: CHECKPOINT,
    handle: ({ executor }, { checkpoint }) => executor.checkpoints.delete(checkpoint),
  }),
};
