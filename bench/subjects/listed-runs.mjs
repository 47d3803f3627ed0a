const AT_A_TIME = 50;

/** Fills a store with so many paused runs of one commit, each with its checkpoint. */
export async function fillWithRuns(store, count) {
  for (let first = 0; first < count; first += AT_A_TIME) {
    const numbers = Array.from({ length: Math.min(AT_A_TIME, count - first) }, (_, index) => first + index);
    await Promise.all(numbers.map((number) => store.commit(newRun(number))));
  }
}

function newRun(number) {
  const run = `run_${String(number).padStart(6, "0")}`;
  const at = 1_700_000_000_000 + number;
  return {
    run,
    expected: undefined,
    head: {
      id: run,
      workflow: "chain",
      definition: "0".repeat(64),
      status: "paused",
      createdAt: at,
      updatedAt: at,
      changedAt: at,
      revision: 1,
      epoch: 1,
      entries: 1,
      pauses: [],
    },
    entries: [JSON.stringify({ type: "completed", block: "step", at, outputs: {} })],
    checkpoints: [{ run, workflow: "chain", kind: "pause", number: 0, createdAt: at, entries: 1 }],
    durability: "relaxed",
  };
}

/** The newest 20 paused runs; gives how long it took in milliseconds. */
export async function timeNewestRuns(store) {
  const start = performance.now();
  const { items } = await store.runs({ status: "paused", limit: 20 });
  const took = performance.now() - start;
  if (items.length !== 20) throw new Error(`The list has ${items.length} items.`);
  return took;
}
