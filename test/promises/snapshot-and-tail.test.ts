import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Executor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

/** More than a journal may have before it is worth a snapshot. */
const ROUNDS = 1_200;

const again = defineBlock({
  type: "Again",
  execute: (context) => (context.iteration < ROUNDS ? context.nextIteration({ round: context.iteration }) : success({ rounds: ROUNDS })),
});

const rounds: Workflow = {
  name: "rounds",
  blocks: [
    { id: "again", type: "Again", maxIterations: ROUNDS },
    { id: "one", type: "GetInput", inputs: { prompt: "${blocks.again.rounds} rounds: one?" }, dependsOn: ["again"] },
    { id: "two", type: "GetInput", inputs: { prompt: "${blocks.one.input_value}, two?" }, dependsOn: ["one"] },
    { id: "three", type: "GetInput", inputs: { prompt: "${blocks.two.input_value}, three?" }, dependsOn: ["two"] },
  ],
  outputs: { all: "${blocks.one.input_value} ${blocks.two.input_value} ${blocks.three.input_value}" },
};

const executorOn = (store: Store): Executor =>
  createExecutor({ store, workflows: [rounds], blocks: [again], host: fakeHost({ autoAdvance: true }) });

/** All that can be seen of a run when it is opened. */
async function looks(store: Store, id: string): Promise<unknown> {
  const run = await executorOn(store).open(id);
  const { items } = await executorOn(store).checkpoints.list({ run: id, limit: 5 });
  const newest = await Promise.all(items.map((row) => executorOn(store).checkpoints.get(row.id)));
  return [run.getSnapshot(), await run.steps(), await run.state(), newest];
}

describe("D19: a snapshot", () => {
  test("with what followed it is the run as it stands, after each answer, as if there were none", async () => {
    const store = memoryStore();
    const run = await executorOn(store).start("rounds");
    await run.settled();
    const [snapshot] = await store.notes(run.id, "snapshot.state");
    const { entries } = JSON.parse(snapshot!.text.slice(snapshot!.text.indexOf(" "))) as { entries: number };
    for (const answer of ["a", "b", "c"]) {
      const { id } = (await executorOn(store).open(run.id)).getSnapshot().pauses[0]!;
      await executorOn(store).answer(id, answer);
      expect((await store.head(run.id))!.entries).toBeGreaterThan(entries);
      const kept = await store.notes(run.id, "snapshot.");
      const seen = await looks(store, run.id);
      for (const { key } of kept) await store.putNote(run.id, key, undefined);
      expect(await looks(store, run.id)).toEqual(seen);
      for (const { key, text } of kept) await store.putNote(run.id, key, text);
    }
    expect((await executorOn(store).open(run.id)).getSnapshot()).toMatchObject({ status: "completed", outputs: { all: "a b c" } });
  });
});
