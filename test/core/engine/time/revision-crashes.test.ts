import { describe, expect, test } from "vitest";
import { createExecutor, type Block, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";
import { fillIn } from "../../../support/fill-in.ts";
import { pauseOf } from "../../../support/pause-of.ts";
import { workshop } from "../../../support/workshop.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });

const part: Workflow = {
  name: "part",
  inputs: { of: { type: "string" } },
  blocks: [ask("x"), ask("y", { dependsOn: ["x"], inputs: { prompt: "y of ${inputs.of}?" } })],
  outputs: { xy: "${blocks.x.input_value}${blocks.y.input_value}" },
};

const whole: Workflow = {
  name: "whole",
  blocks: [
    ask("a"),
    ask("b"),
    { id: "kept", type: "Work", dependsOn: ["b"], inputs: { value: "${blocks.b.input_value}" } },
    { id: "again", type: "Work", dependsOn: ["a"], inputs: { value: "${blocks.a.input_value}" } },
    { id: "part", type: "ExecuteWorkflow", dependsOn: ["again"], inputs: { workflow: "part", inputs: { of: "${blocks.again.value}" } } },
    ask("each", { dependsOn: ["part"], forEach: ["i", "j"], inputs: { prompt: "${each.value}?" } }),
    ask("c", { dependsOn: ["each", "kept"], inputs: { prompt: "c of ${blocks.a.input_value}?" } }),
  ],
  outputs: { all: "${blocks.kept.value} ${blocks.again.value} ${blocks.part.xy} ${blocks.each.results} ${blocks.c.input_value}" },
};

const ANSWERS = { a: "1", b: "2", x: "3", y: "4", "each[0]": "5", "each[1]": "6", c: "7" };

// Ids go on counting from one executor to the next.
const host = fakeHost({ autoAdvance: true });

function over(store: Store) {
  const shop = workshop();
  return { shop, executor: createExecutor({ store, host, workflows: [part, whole], blocks: shop.blocks }) };
}

/** A store with a run that has ended, and what is stored of it. */
async function made() {
  const store = memoryStore();
  const { executor } = over(store);
  const run = await executor.start("whole");
  await fillIn(run, ANSWERS);
  const bytes = await bytesOf(store);
  return { store, run: run.id, bytes };
}

async function bytesOf(store: Store): Promise<Map<string, readonly string[]>> {
  const heads = (await store.runs()).items;
  return new Map(await Promise.all(heads.map(async (head) => [head.id, [JSON.stringify(head), ...(await store.read(head.id))]] as const)));
}

/** The questions that going back from the end leads to. */
const WAY_BACK = ["c", "each[1]", "each[0]", "part/y"];

/** Makes the run that is tried: a revision, or one that went back four times. Begins with what a crash has left of that. */
async function change(how: "revise" | "back", source: Run, left?: Run): Promise<Run> {
  if (how === "revise") return left ?? source.revise(await pauseOf(source, "a"), "one");
  let here = left ?? source;
  for (;;) {
    const question = here.getSnapshot().pauses[0]?.path.join("/");
    if (here !== source && (question === undefined || question === WAY_BACK.at(-1))) return here;
    here = await here.back();
  }
}

const EXPECTED = { revise: "2 one 34 ", back: "2 1 33 " };

describe.each(["revise", "back"] as const)("a crash in the middle of a revision (%s)", (how) => {
  const answers = how === "revise" ? { ...ANSWERS, y: "4", c: "seven" } : { ...ANSWERS, y: "3" };

  test.each(["before", "after"] as const)(
    "at any write leaves a run that goes on to the same end, with the source as it was (%s)",
    async (when) => {
      const first = await made();
      const counter = faultyStore(first.store);
      const unbroken = over(counter);
      const run = await change(how, await unbroken.executor.open(first.run));
      const asked = await fillIn(run, answers);
      const result = await run.settled();
      expect(result).toMatchObject({ status: "success", outputs: { all: expect.stringContaining(EXPECTED[how]) } });
      expect(asked).toEqual(how === "revise" ? ["part/y", "c"] : ["part/y"]);
      expect(counter.writes).toBeGreaterThan(5);

      for (let write = 1; write <= counter.writes; write++) {
        const { store, run: source, bytes } = await made();
        const broken = over(faultyStore(store, failAt(write, { times: "forever", when })));
        await change(how, await broken.executor.open(source))
          .then((run) => fillIn(run, answers))
          .catch(() => {});
        await broken.executor.close();
        const later = over(store);
        const [newest] = (await store.runs({ topLevel: true })).items;
        const left = newest!.fork && (await later.executor.open(newest!.id));
        const here = await change(how, await later.executor.open(source), left);
        await here.resume();
        // Whatever the crash left, nobody is asked what the unbroken run did not ask.
        expect((await fillIn(here, answers)).filter((path) => !asked.includes(path))).toEqual([]);
        expect({ ...(await here.settled()), run: "", write }).toEqual({ ...result, run: "", write });
        for (const [id, texts] of bytes) expect((await bytesOf(store)).get(id)).toEqual(texts);
        expect([...broken.shop.began, ...later.shop.began]).not.toContain("kept");
      }
    },
  );
});
