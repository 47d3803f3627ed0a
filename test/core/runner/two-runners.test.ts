import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, pause, success, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const questions: Workflow = {
  name: "questions",
  blocks: [
    { id: "q1", type: "GetInput", inputs: { prompt: "one?" } },
    { id: "q2", type: "GetInput", inputs: { prompt: "two?" } },
    { id: "join", type: "Join", inputs: { text: "${blocks.q1.input_value}${blocks.q2.input_value}" }, dependsOn: ["q1", "q2"] },
  ],
  outputs: { r: "${blocks.join.text}" },
};

function tabs(store: Store, count: number) {
  const ran: string[] = [];
  const join = defineBlock({
    type: "Join",
    execute: ({ inputs, block }) => {
      ran.push(block);
      return success({ text: String(inputs["text"]) });
    },
  });
  const executors = Array.from({ length: count }, (_, i) =>
    createExecutor({ store, workflows: [questions], blocks: [join], host: fakeHost({ autoAdvance: true, seed: i + 1 }) }),
  );
  return { executors, ran };
}

describe("several tabs on one run", () => {
  test("answer different pauses at the same time; both count, and the rest runs once", async () => {
    const { executors, ran } = tabs(memoryStore(), 2);
    const one = await executors[0]!.start("questions");
    const { pauses } = await one.settled();
    const two = await executors[1]!.open(one.id);
    const results = await Promise.all([one.answer(pauses![0]!.id, "a"), two.answer(pauses![1]!.id, "b")]);
    expect(results.map(({ status }) => status)).toContain("success");
    await Promise.all([one.refresh(), two.refresh()]);
    expect(await one.settled()).toMatchObject({ status: "success", outputs: { r: "ab" } });
    expect(await two.settled()).toMatchObject({ status: "success", outputs: { r: "ab" } });
    expect(ran).toEqual(["join"]);
  });

  test("an answer that comes while the lock is released is taken by the runner that releases it", async () => {
    const store = memoryStore();
    const { executors } = tabs(store, 1);
    const id = "run_released";
    // The other tab answers before the release, and is closed before it could take the run itself.
    const answerElsewhere = async (): Promise<void> => {
      const other = await executors[0]!.open(id);
      const answers = other.getSnapshot().pauses.map((asked) => other.answer(asked.id, "x").catch(() => {}));
      await expect.poll(async () => (await store.head(id))!.pauses.length).toBe(0);
      await executors[0]!.close();
      await Promise.all(answers);
    };
    let isFirst = true;
    const releasing: Store = {
      ...store,
      claim: async (run, lost) => {
        const release = await store.claim(run, lost);
        return async () => {
          if (isFirst) {
            isFirst = false;
            await answerElsewhere();
          }
          await release?.();
        };
      },
    };
    const run = await tabs(releasing, 1).executors[0]!.start("questions", {}, { id: "released" });
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { r: "xx" } });
  });

  test("D9: answer the same pause at the same time: one wins, the others learn so", async () => {
    const { executors } = tabs(memoryStore(), 5);
    const run = await executors[0]!.start("questions");
    const { pauses } = await run.settled();
    const id = pauses![0]!.id;
    const results = await Promise.all(executors.map((executor, i) => executor.answer(id, `answer ${i}`)));
    const winners = results.filter(({ status }) => status === "paused");
    const losers = results.filter(({ error }) => error?.code === "PAUSE_ALREADY_ANSWERED");
    expect([winners.length, losers.length]).toEqual([1, 4]);
    await run.refresh();
    expect(run.getSnapshot().pauses.map(({ path }) => path)).toEqual([["q2"]]);
  });

  test("answer the same pause while one of them executes: the second to be stored learns so, in either executor", async () => {
    const store = memoryStore();
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const slow = defineBlock({
      type: "Slow",
      async execute() {
        await finished;
        return success({});
      },
    });
    const flow: Workflow = {
      name: "flow",
      blocks: [
        { id: "q", type: "GetInput", inputs: { prompt: "?" } },
        { id: "slow", type: "Slow" },
      ],
      outputs: { answer: "${blocks.q.input_value}" },
    };
    const [one, two] = [1, 2].map((seed) =>
      createExecutor({ store, workflows: [flow], blocks: [slow], host: fakeHost({ autoAdvance: true, seed }) }),
    );
    const run = await one!.start("flow");
    await expect.poll(async () => (await store.head(run.id))?.pauses.length).toBe(1);
    const other = await two!.open(run.id);
    const { id } = other.getSnapshot().pauses[0]!;
    const first = other.answer(id, "first");
    await expect.poll(async () => (await store.head(run.id))?.pauses.length).toBe(0);
    const second = run.answer(id, "second");
    expect(await second).toMatchObject({ status: "failure", error: { code: "PAUSE_ALREADY_ANSWERED" } });
    finish();
    expect(await first).toMatchObject({ status: "success", outputs: { answer: "first" } });
  });

  test("resume the same run that a crash left behind: every block runs once", async () => {
    const store = memoryStore();
    const ran: string[] = [];
    const work = defineBlock({
      type: "Work",
      execute: async ({ block, host, signal }) => {
        ran.push(block);
        await host.sleep(10, signal);
        return success({});
      },
    });
    const flow: Workflow = {
      name: "flow",
      blocks: ["a", "b", "c"].map((id, i, all) => ({ id, type: "Work", ...(i > 0 ? { dependsOn: [all[i - 1]!] } : {}) })),
    };
    const make = (seed: number) =>
      createExecutor({
        store,
        workflows: [flow],
        blocks: [work],
        host: fakeHost({ autoAdvance: true, seed }),
        policy: { durability: "sync" },
      });
    const crashed = make(1);
    const run = await crashed.start("flow");
    await crashed.close();
    const reopened = [make(2), make(3)];
    const runs = await Promise.all(reopened.map((executor) => executor.open(run.id)));
    ran.length = 0;
    const results = await Promise.all(runs.map((again) => again.resume()));
    expect(results.map(({ status }) => status)).toEqual(["success", "success"]);
    expect(new Set(ran).size).toBe(ran.length);
  });
});

describe("a block of your own", () => {
  test("may ask as often as it likes, and remembers what it asked with", async () => {
    const survey = defineBlock({
      type: "Survey",
      execute: () => pause({ prompt: "Question 1", metadata: { answers: [] } }),
      resume: ({ response, pause: asked }) => {
        const answers = [...(asked.metadata["answers"] as string[]), String(response)];
        return answers.length < 3 ? pause({ prompt: `Question ${answers.length + 1}`, metadata: { answers } }) : success({ answers });
      },
    });
    const flow: Workflow = { name: "survey", blocks: [{ id: "s", type: "Survey" }], outputs: { answers: "${blocks.s.answers}" } };
    const store = memoryStore();
    let result = await (
      await createExecutor({ store, workflows: [flow], blocks: [survey], host: fakeHost({ autoAdvance: true }) }).start("survey")
    ).settled();
    const ids: string[] = [];
    for (const answer of ["x", "y", "z"]) {
      const executor = createExecutor({ store, blocks: [survey], host: fakeHost({ autoAdvance: true, seed: 10 + ids.length }) });
      ids.push(result.pauses![0]!.id);
      result = await executor.answer(ids.at(-1)!, answer);
    }
    expect(result).toMatchObject({ status: "success", outputs: { answers: ["x", "y", "z"] } });
    expect(new Set(ids).size).toBe(3);
  });
});

describe("subscribers", () => {
  test("see a new object only when something changed, and parts that did not change stay the same", async () => {
    const host = fakeHost();
    const flow: Workflow = {
      name: "flow",
      blocks: [
        { id: "a", type: "EchoBlock", inputs: { message: "a", delay_ms: 10 } },
        { id: "b", type: "EchoBlock", inputs: { message: "b", delay_ms: 20 } },
      ],
    };
    const executor = createExecutor({ store: memoryStore(), workflows: [flow], host });
    const run = await executor.start("flow");
    const seen: ReturnType<typeof run.getSnapshot>[] = [];
    const stop = run.subscribe((view) => seen.push(view));
    expect(seen).toEqual([run.getSnapshot()]);
    await expect.poll(() => host.sleeping).toBe(2);
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[1]!.status).toBe("running");
    const before = run.getSnapshot();
    expect(run.getSnapshot()).toBe(before);
    await host.advance(10);
    await expect.poll(() => run.getSnapshot().waves[0]!.blocks[0]!.status).toBe("completed");
    expect(run.getSnapshot().waves[0]!.blocks[1]).toBe(before.waves[0]!.blocks[1]);
    expect(Object.isFrozen(run.getSnapshot().waves[0]!.blocks)).toBe(true);
    await host.advance(10);
    await run.settled();
    await expect.poll(() => seen.at(-1)!.status).toBe("completed");
    expect(new Set(seen).size).toBe(seen.length);
    stop();
    const count = seen.length;
    await run.cancel();
    expect(seen.length).toBe(count);
  });
});

describe("questions of one wave", () => {
  test("stand in the order of the definition, whichever block asked first", async () => {
    const ask = (ms: number) =>
      defineBlock({
        type: `After${ms}`,
        execute: async ({ host, block }) => {
          await host.sleep(ms);
          return pause({ prompt: block });
        },
        resume: () => success({}),
      });
    const flow: Workflow = {
      name: "flow",
      blocks: [
        { id: "slow", type: "After30" },
        { id: "quick", type: "After10" },
      ],
    };
    const executor = createExecutor({
      store: memoryStore(),
      workflows: [flow],
      blocks: [ask(30), ask(10)],
      host: fakeHost({ autoAdvance: true }),
    });
    const { pauses } = await (await executor.start("flow")).settled();
    expect(pauses!.map(({ prompt }) => prompt)).toEqual(["slow", "quick"]);
    expect((await executor.runs.list()).items[0]!.pauses.map(({ prompt }) => prompt)).toEqual(["slow", "quick"]);
  });
});

describe("a fork from a run whose waves met answers of another tab", () => {
  test("shares what the store says came first, and runs nothing again", async () => {
    const store = memoryStore();
    const ran: string[] = [];
    const work = defineBlock({
      type: "Work",
      execute: async ({ block, host }) => {
        ran.push(block);
        await host.sleep(50);
        return success({});
      },
    });
    const flow: Workflow = {
      name: "flow",
      blocks: [
        { id: "q1", type: "GetInput", inputs: { prompt: "one?" } },
        { id: "q2", type: "GetInput", inputs: { prompt: "two?" } },
        { id: "slow", type: "Work" },
      ],
      outputs: { both: "${blocks.q1.input_value}${blocks.q2.input_value}" },
    };
    const host = fakeHost();
    const one = createExecutor({ store, workflows: [flow], blocks: [work], host });
    const run = await one.start("flow");
    await expect.poll(async () => (await store.head(run.id))!.pauses.length).toBe(2);
    const other = createExecutor({ store, blocks: [work], host: fakeHost({ autoAdvance: true, seed: 2 }) });
    const [first, second] = (await other.open(run.id)).getSnapshot().pauses;
    void other.answer(first!.id, "a").catch(() => {});
    await expect.poll(async () => (await store.head(run.id))!.pauses.length).toBe(1);
    await host.advance(50);
    expect((await run.settled()).pauses?.map(({ id }) => id)).toEqual([second!.id]);
    const forked = await one.resume(second!.id, "b", { fork: true });
    expect(forked).toMatchObject({ status: "success", outputs: { both: "ab" } });
    expect(ran).toEqual(["slow"]);
    await other.close();
  });
});
