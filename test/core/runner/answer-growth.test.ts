import { expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, waitFor, type Block, type Pause, type Run } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const TURNS = 120;

const blocks = [
  defineBlock({
    type: "Ask",
    execute: ({ iteration }) => pause({ prompt: `Guest ${iteration}?` }),
    resume: ({ response }) => success({ guest: response }),
  }),
  defineBlock({
    type: "AskOn",
    execute: () => pause({ prompt: "Guest 1?", metadata: { turn: 1 } }),
    resume({ pause: { metadata } }) {
      const turn = Number(metadata["turn"]) + 1;
      return turn > TURNS ? success({}) : pause({ prompt: `Guest ${turn}?`, metadata: { turn } });
    },
  }),
  defineBlock({
    type: "Listen",
    execute({ event, iteration, nextIteration }) {
      if (!event) return waitFor("guest");
      return iteration < TURNS ? nextIteration() : success({});
    },
  }),
];

/** A question beside it, so that answers can be changed: then records say what an execution was given. */
const beside: Block = { id: "beside", type: "Ask" };

async function answerNext(run: Run, turn: number): Promise<void> {
  const open: Pause | undefined = run.getSnapshot().pauses.find(({ path }) => path[0] === "it");
  await run.answer(open!.id, `guest ${turn}`);
}

test.each<[string, Block, (run: Run, turn: number) => Promise<unknown>]>([
  [
    "a question that repeats",
    { id: "it", type: "Ask", repeatWhile: `\${blocks.it.metadata.iterations} < ${TURNS}`, maxIterations: TURNS },
    answerNext,
  ],
  ["a block that asks again and again", { id: "it", type: "AskOn" }, answerNext],
  [
    "a block that repeats with a signal",
    { id: "it", type: "Listen", maxIterations: TURNS },
    (run, turn) => run.signal("guest", `guest ${turn}`),
  ],
])("%s stores no more in its last turn than in its first ones", async (_, block, next) => {
  const store = memoryStore();
  const executor = createExecutor({ store, blocks, host: fakeHost({ autoAdvance: true }) });
  const run = await executor.start({ name: "guests", blocks: [block, beside] });
  await run.settled();
  const stored = async (): Promise<number> => (await store.read(run.id)).join("").length;
  const turns: number[] = [];
  let before = await stored();
  for (let turn = 1; turn < TURNS; turn += 1) {
    await next(run, turn);
    await run.settled();
    const now = await stored();
    turns.push(now - before);
    before = now;
  }
  expect(turns.at(-1)).toBeLessThan(1.2 * turns[4]!);
  await next(run, TURNS);
  await run.settled();
  expect(run.getSnapshot().waves[0]!.blocks[0]).toMatchObject({ id: "it", status: "completed" });
});

test("what a block stored under a key is found in each later turn, however much it was answered since, until an answer before it is changed", async () => {
  const made: string[] = [];
  const collect = defineBlock({
    type: "Collect",
    execute: ({ iteration }) => pause({ prompt: `Guest ${iteration}?` }),
    async resume({ iteration, response, once, nextIteration }) {
      for (const key of ["table", `seat ${iteration}`]) {
        await once(key, () => {
          made.push(`${key} for ${String(response)}`);
          return key;
        });
      }
      return iteration < 4 ? nextIteration() : success({});
    },
  });
  const store = memoryStore();
  const flow = { name: "guests", blocks: [{ id: "it", type: "Collect" }, beside] };
  const open = () => createExecutor({ store, workflows: [flow], blocks: [...blocks, collect], host: fakeHost({ autoAdvance: true }) });
  const first = open();
  const run = await first.start("guests");
  await run.settled();
  for (const turn of [1, 2]) await answerNext(run, turn);
  await first.close();
  const later = await open().open(run.id);
  for (const turn of [3, 4]) await answerNext(later, turn);
  expect(made).toEqual(["table for guest 1", "seat 1 for guest 1", "seat 2 for guest 2", "seat 3 for guest 3", "seat 4 for guest 4"]);
  const asked = (await later.answers()).filter(({ path }) => path[0] === "it");
  made.length = 0;
  await later.revise(asked[2]!.pause!, "another");
  // The table was stored before the answer that was changed.
  expect(made).toEqual(["seat 3 for another", "seat 4 for guest 4"]);
  made.length = 0;
  await later.revise(asked[0]!.pause!, "someone");
  expect(made.slice(0, 2)).toEqual(["table for someone", "seat 1 for someone"]);
});
