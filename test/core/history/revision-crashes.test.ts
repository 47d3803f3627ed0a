import { describe, expect, test } from "vitest";
import { createExecutor, type Block, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, fakeHost, faultyStore } from "wavepoint/testing";
import { conclude, leftOpen } from "../../support/left-open.ts";
import { fillIn } from "../../support/fill-in.ts";
import { pauseOf } from "../../support/pause-of.ts";
import { workshop } from "../../support/workshop.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });

const part: Workflow = {
  name: "part",
  inputs: { of: { type: "string" } },
  blocks: [ask("x"), ask("y", { dependsOn: ["x"], inputs: { prompt: "y of ${inputs.of}?" } })],
  outputs: { xy: "${blocks.x.input_value}${blocks.y.input_value}" },
};

const whole = leftOpen({
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
});

const ANSWERS = { a: "1", b: "2", x: "3", y: "4", "each[0]": "5", "each[1]": "6", c: "7" };

// Ids go on counting from one executor to the next.
const host = fakeHost({ autoAdvance: true });

function over(store: Store) {
  const shop = workshop();
  return { shop, executor: createExecutor({ store, host, workflows: [part, whole], blocks: shop.blocks }) };
}

/** A store with a run in which all but the last question is answered. */
async function made() {
  const store = memoryStore();
  const { executor } = over(store);
  const run = await executor.start("whole");
  await fillIn(run, ANSWERS, { until: "sure" });
  await executor.close();
  return { store, run: run.id };
}

/** The questions that going back leads to. */
const WAY_BACK = ["c", "each[1]", "each[0]", "part/y"];

/** Changes an answer, or goes back four times, from wherever a crash has left the run. */
async function change(how: "revise" | "back", run: Run): Promise<void> {
  if (how === "revise") {
    await run.revise(await pauseOf(run, "a"), "one");
    return;
  }
  const isOpen = (question: string): boolean => run.getSnapshot().pauses.some(({ path }) => path.join("/") === question);
  for (const question of WAY_BACK) if (!WAY_BACK.slice(WAY_BACK.indexOf(question)).some(isOpen)) await run.back();
}

const EXPECTED = { revise: "2 one 34 ", back: "2 1 33 " };

describe.each(["revise", "back"] as const)("a crash in the middle of a revision (%s)", (how) => {
  const answers = how === "revise" ? { ...ANSWERS, y: "4", c: "seven" } : { ...ANSWERS, y: "3" };

  test.each(["before", "after"] as const)("at any write leaves a run that goes on to the same end (%s)", async (when) => {
    const first = await made();
    const counter = faultyStore(first.store);
    const unbroken = over(counter);
    const run = await unbroken.executor.open(first.run);
    await change(how, run);
    const asked = await fillIn(run, answers, { until: "sure" });
    const result = await conclude(run);
    expect(result).toMatchObject({ status: "success", outputs: { all: expect.stringContaining(EXPECTED[how]) } });
    expect(counter.writes).toBeGreaterThan(5);

    for (let write = 1; write <= counter.writes; write++) {
      const { store, run: id } = await made();
      const broken = over(faultyStore(store, failAt(write, { times: "forever", when })));
      const left = await broken.executor.open(id);
      await change(how, left)
        .then(() => fillIn(left, answers, { until: "sure" }))
        .then(() => conclude(left))
        .catch(() => {});
      await broken.executor.close();
      const later = over(store);
      const here = await later.executor.open(id);
      if ((await here.resume()).status !== "success") {
        const isDone = (await here.answers()).some(
          ({ path, answer }) => path.join("/") === "part/y" && answer === answers.y && how === "back",
        );
        if (!isDone) await change(how, here);
        // After any crash, no question is asked that the unbroken run did not ask.
        expect((await fillIn(here, answers, { until: "sure" })).filter((path) => !asked.includes(path))).toEqual([]);
        await conclude(here);
      }
      expect({ ...(await here.settled()), run: "", write }).toEqual({ ...result, run: "", write });
      expect([...broken.shop.began, ...later.shop.began]).not.toContain("kept");
      expect((await store.runs({ topLevel: true })).items).toHaveLength(1);
    }
  });
});
