import { payload } from "./payload.mjs";

const CHECKPOINTS_A_RUN = 1_000;

/** Fills a store with runs of 1,000 steps of 1 kB, each with its checkpoint. */
export async function fillWithCheckpoints(store, count) {
  for (let start = 0; start < count; start += CHECKPOINTS_A_RUN) {
    const run = `run_${String(start / CHECKPOINTS_A_RUN).padStart(6, "0")}`;
    const size = Math.min(CHECKPOINTS_A_RUN, count - start);
    const createdAt = 1_700_000_000_000 + start;
    const numbers = Array.from({ length: size }, (_, number) => number);
    await store.commit({
      run,
      expected: undefined,
      head: {
        id: run,
        workflow: "chain",
        definition: "0".repeat(64),
        status: "completed",
        createdAt,
        updatedAt: createdAt + size,
        revision: 1,
        epoch: 1,
        entries: size,
        pauses: [],
      },
      entries: numbers.map((number) =>
        JSON.stringify({ type: "completed", block: `step_${number}`, at: number, outputs: { data: payload(start + number) } }),
      ),
      checkpoints: numbers.map((number) => ({
        run,
        workflow: "chain",
        kind: "wave",
        number,
        createdAt: createdAt + number,
        entries: number + 1,
      })),
      durability: "relaxed",
    });
  }
}

export async function listNewest(store) {
  const { items } = await store.checkpoints({ limit: 20 });
  if (items.length !== 20) throw new Error(`The list has ${items.length} items.`);
}
