import { payload } from "./payload.mjs";

const CHECKPOINTS_A_COMMIT = 1_000;

/** Fills a store with runs of steps of 1 kB, each with its checkpoint. */
export async function fillWithCheckpoints(store, count, checkpointsARun = CHECKPOINTS_A_COMMIT) {
  for (let start = 0; start < count; start += checkpointsARun) {
    const run = `run_${String(start / checkpointsARun).padStart(6, "0")}`;
    const size = Math.min(checkpointsARun, count - start);
    for (let first = 0; first < size; first += CHECKPOINTS_A_COMMIT) {
      await store.commit(commitOf(run, { start, first, count: Math.min(CHECKPOINTS_A_COMMIT, size - first), size }));
    }
  }
}

function commitOf(run, { start, first, count, size }) {
  const createdAt = 1_700_000_000_000 + start;
  const revision = first / CHECKPOINTS_A_COMMIT;
  const entries = first + count;
  const numbers = Array.from({ length: count }, (_, index) => first + index);
  return {
    run,
    expected: revision === 0 ? undefined : { revision, epoch: 1 },
    head: {
      id: run,
      workflow: "chain",
      definition: "0".repeat(64),
      status: entries === size ? "completed" : "running",
      createdAt,
      updatedAt: createdAt + entries,
      changedAt: createdAt + entries,
      revision: revision + 1,
      epoch: 1,
      entries,
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
  };
}

export async function listNewest(store) {
  const { items } = await store.checkpoints({ limit: 20 });
  if (items.length !== 20) throw new Error(`The list has ${items.length} items.`);
}
