import type { Entry } from "../../core/model/journal.ts";
import { isWorkflowError } from "../../core/model/errors.ts";
import type { Store } from "../../core/ports/store.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { Machine } from "./machine.ts";
import { isUndoing } from "./witness.ts";

/** Where a storm is over. */
export interface QuietPlace {
  readonly machine: Machine;
  readonly store: Store;
  readonly workflows: readonly Workflow[];
  /** The run it was about; it has ended. */
  readonly main: string;
  /** Whether the whole journal is kept. */
  readonly keepsAll: boolean;
}

/**
 * Throws where a block has begun before what it depends on had settled, where a listed checkpoint does not load, where snapshots say something else than the journal, or where a run is still
 * held.
 */
export async function lookAround({ machine: { executor }, store, workflows, main, keepsAll }: QuietPlace): Promise<void> {
  const heads = (await store.runs({ limit: 1_000 })).items;
  for (const { id } of heads) {
    for (const row of (await executor.checkpoints.list({ run: id })).items) {
      await executor.checkpoints.get(row.id).catch((error: unknown) => {
        const isPruned = !keepsAll && isWorkflowError(error) && error.code === "CHECKPOINT_PRUNED";
        if (!isPruned) throw new Error(`${row.id} is listed and does not load: ${String(error)}`, { cause: error });
      });
    }
  }
  for (const { id, workflow } of heads) {
    const { waves } = (await executor.open(id)).getSnapshot();
    const statuses = new Map(waves.flatMap(({ blocks }) => blocks.map((block) => [block.id, block.status] as const)));
    for (const block of workflows.find(({ name }) => name === workflow)?.blocks ?? []) {
      const needs = (block.dependsOn ?? []).map((need) => (typeof need === "string" ? need : need.block));
      const open = needs.find((need) => !SETTLED.has(statuses.get(need)!));
      if (open !== undefined && statuses.get(block.id) !== "pending") {
        throw new Error(`${id}/${block.id} is ${statuses.get(block.id)!}, and ${open}, on which it depends, is ${statuses.get(open)!}.`);
      }
    }
  }
  if (keepsAll) {
    await expectSnapshotsToAgree({ executor }, store, main);
    for (const { id, workflow } of heads)
      await expectUndone(
        store,
        id,
        workflows.find(({ name }) => name === workflow)!,
      );
  }
  for (const { id } of heads) {
    const release = await store.claim(id);
    if (release === undefined) throw new Error(`${id} is still held, and nothing executes.`);
    await release();
  }
}

/** A run that failed or was cancelled has undone all that it did, the last first, with what that gave. */
async function expectUndone(store: Store, run: string, { blocks }: Workflow): Promise<void> {
  const head = await store.head(run);
  if (head?.status !== "failed" && head?.status !== "cancelled") return;
  const by = new Map(blocks.flatMap(({ id, compensate }) => (compensate === undefined ? [] : [[id, compensate] as const])));
  const all = (await store.read(run)).map((text) => JSON.parse(text) as Entry);
  // What was done before a fork is left to the run that did it.
  const entries = all.slice(all.findLastIndex(({ type }) => type === "forked") + 1);
  // What must not run twice and was executed in the run that this one comes from is known to it, and left to that one.
  const known = new Set<string>();
  const done = entries.flatMap((entry) => {
    if (entry.type === "effected") known.add(entry.block);
    if (entry.type === "began") known.delete(entry.block);
    if (entry.type !== "completed" || !by.has(entry.block) || known.has(entry.block)) return [];
    return [{ by: by.get(entry.block)!, outputs: entry.outputs }];
  });
  const undone = entries.flatMap((entry) =>
    (entry.type === "completed" || entry.type === "failed") && isUndoing(entry.block) ? [entry] : [],
  );
  const wanted = done.toReversed().map((one) => one.by);
  const found = undone.map(({ block }) => block);
  if (JSON.stringify(wanted) !== JSON.stringify(found)) {
    throw new Error(`${run} is ${head.status}, and has undone ${found.join(", ")} in the place of ${wanted.join(", ")}.`);
  }
  for (const [i, entry] of undone.entries()) {
    if (entry.type === "failed") continue;
    const { outputs } = done.at(-1 - i)!;
    const given = (entry.outputs as { readonly undone: unknown }).undone;
    if (JSON.stringify(given) !== JSON.stringify(outputs))
      throw new Error(`${run}/${entry.block} undoes what was not done: ${JSON.stringify(given)}.`);
  }
}

const SETTLED = new Set(["completed", "failed", "skipped"]);

async function expectSnapshotsToAgree({ executor }: Pick<Machine, "executor">, store: Store, run: string): Promise<void> {
  const read = async (): Promise<string> => {
    const opened = await executor.open(run);
    const { superstep } = await opened.state();
    const states = [];
    for (let at = 0; at <= superstep; at += 1) states.push(await opened.state({ superstep: at }));
    return JSON.stringify([states, await opened.steps()]);
  };
  const withSnapshots = await read();
  for (const { key } of await store.notes(run, "snapshot.")) await store.putNote(run, key, undefined);
  if ((await read()) !== withSnapshots) throw new Error(`${run} reads otherwise without its snapshots.`);
}
