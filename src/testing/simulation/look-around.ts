import { isWorkflowError } from "../../core/model/errors.ts";
import type { Store } from "../../core/ports/store.ts";
import type { Machine } from "./machine.ts";

/** Where a storm is over. */
export interface QuietPlace {
  readonly machine: Machine;
  readonly store: Store;
  /** The run it was about; it has ended. */
  readonly main: string;
  /** Whether the whole journal is kept. */
  readonly keepsAll: boolean;
}

/**
 * Throws where a listed checkpoint does not load, where snapshots say something else than the journal, or where a run is still
 * held.
 */
export async function lookAround({ machine: { executor }, store, main, keepsAll }: QuietPlace): Promise<void> {
  const heads = (await store.runs({ limit: 1_000 })).items;
  for (const { id } of heads) {
    for (const row of (await executor.checkpoints.list({ run: id })).items) {
      await executor.checkpoints.get(row.id).catch((error: unknown) => {
        const isPruned = !keepsAll && isWorkflowError(error) && error.code === "CHECKPOINT_PRUNED";
        if (!isPruned) throw new Error(`${row.id} is listed and does not load: ${String(error)}`, { cause: error });
      });
    }
  }
  if (keepsAll) await expectSnapshotsToAgree({ executor }, store, main);
  for (const { id } of heads) {
    const release = await store.claim(id);
    if (release === undefined) throw new Error(`${id} is still held, and nothing executes.`);
    await release();
  }
}

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
