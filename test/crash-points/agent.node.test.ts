import { createExecutor, defineBlock, type Executor, isWorkflowError, type Run, type Store, success, type Workflow } from "wavepoint";
import { agentBlocks } from "wavepoint/ai";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { expect, test } from "vitest";
import { broken, say, scripted, use } from "../ai/mock-models.ts";
import { stopAt, stopPoints, type StopPoint } from "./stop-at.ts";

/** What a play costs grows with its turns, and so does the number of plays: the short tier has a shorter loop, and tries about every seventh write of it. */
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const TURNS = IS_LONG ? 20 : 7;
const STRIDE = IS_LONG ? 1 : 7;
const TIMEOUT_MS = IS_LONG ? 3_600_000 : 60_000;

const FLOW: Workflow = {
  name: "help",
  blocks: [
    {
      id: "agent",
      type: "Agent",
      inputs: { models: ["broken", "good"], prompt: "Help.", tools: ["weather", "refund", "clerk"], hand_over: ["closer"] },
    },
  ],
  outputs: { text: "${blocks.agent.outputs.text}" },
};

/** A fallback, a cached call, a tool that asks, an agent that asks, turns enough, and one that takes the work over. */
const SCRIPT = [
  use(["1", "weather", { city: "Rome" }]),
  use(["2", "weather", { city: "Rome" }], ["3", "refund", { amount: 1 }]),
  use(["4", "clerk", { prompt: "Refund 2." }]),
  ...Array.from({ length: TURNS - 5 }, (_, i) => use([`w${i}`, "weather", { city: `City ${i}` }])),
  use(["5", "hand_over_to_closer", { reason: "All is known." }]),
];

const PLAN = JSON.stringify({
  tasks: [
    { agent: "clerk", prompt: "Refund 2." },
    { agent: "waver", prompt: "Wave." },
  ],
});

/** A plan of two tasks, and then a graph of two states with a choice between ways. */
const ORCHESTRATED: Workflow = {
  name: "work",
  blocks: [
    { id: "report", type: "Linear", inputs: { models: ["manager"], agents: ["clerk", "waver"], prompt: "Report." } },
    {
      id: "article",
      type: "Graph",
      dependsOn: ["report"],
      inputs: {
        models: ["manager"],
        prompt: "Write.",
        start: "draft",
        states: { draft: { agent: "drafter", next: ["check"] }, check: { agent: "checker", next: ["draft", "end"] } },
      },
    },
  ],
  outputs: { text: "${blocks.article.outputs.text}", results: "${blocks.report.outputs.results}" },
};

const object = (name: string, type: "string" | "number") =>
  ({ jsonSchema: { type: "object", properties: { [name]: { type } }, required: [name] } }) as const;

/** `called` gets each call of a model and of a tool, by the step that it belongs to. */
function equip(called: (what: string) => void) {
  const tool = (type: string, name: string, kind: "string" | "number") =>
    defineBlock({
      type,
      inputs: object(name, kind),
      execute({ inputs }) {
        called(`${type} ${String(inputs[name])}`);
        return success({ of: inputs[name] });
      },
    });
  const blocks = agentBlocks({
    tools: {
      weather: { block: tool("Weather", "city", "string"), cache: true },
      refund: { block: tool("Refund", "amount", "number"), approval: true },
    },
    agents: {
      clerk: { description: "Knows money.", models: ["clerk"], tools: ["refund"] },
      closer: { description: "Says goodbye.", models: ["closer"] },
      ...Object.fromEntries(["waver", "drafter", "checker"].map((name) => [name, { description: name, models: [name] }])),
    },
  });
  const models = {
    broken: broken("503", () => called("broken")),
    good: scripted(SCRIPT, (turn) => called(`good ${turn + 1}`)),
    closer: scripted([...SCRIPT, say("Done.")], (turn) => called(`closer ${turn + 1}`)),
    // It plans what a plan wants, and says the same at the end; of two ways it takes the one to the end.
    manager: scripted([say(PLAN), say('{"next":"end"}')], (_, prompt) =>
      called(`manager ${JSON.stringify(prompt[0]!.content).slice(0, 9)}`),
    ),
    clerk: scripted([use(["1", "refund", { amount: 2 }]), say("Refunded.")], (turn) => called(`clerk ${turn + 1}`)),
  };
  const sayers = ["waver", "drafter", "checker"].map((name) => [name, scripted([say(`${name}.`), say(`${name}.`)], () => called(name))]);
  return { blocks, grants: { models: { ...models, ...(Object.fromEntries(sayers) as object) } } };
}

async function answerAll(run: Run): Promise<void> {
  const begun = run.getSnapshot().status === "running" ? run.resume() : run.settled();
  for (let result = await begun; result.status === "paused";) result = await run.answer(result.pauses[0]!.id, { decision: "approve" });
}

async function start(executor: Executor, { name }: Workflow): Promise<Run> {
  try {
    return await executor.start(name, {}, { id: "1" });
  } catch (error) {
    if (!isWorkflowError(error) || error.code !== "RUN_EXISTS") throw error;
    return executor.open("1");
  }
}

/** The calls whose end the store has. */
async function recorded(store: Store): Promise<ReadonlySet<string>> {
  const executor = createExecutor({ store, workflows: [FLOW], ...equip(() => {}), host: fakeHost({ seed: 9 }) });
  const found = new Set<string>();
  for (const [path, model] of [
    ["1/agent", "good"],
    ["1/agent/turn_3_call_1", "clerk"],
  ] as const) {
    const run = await executor.open(path).catch(() => undefined);
    if (!run) continue;
    const entries = (await store.read(run.id)).map(
      (text) => JSON.parse(text) as { type: string; block: string; outputs?: { of?: unknown } },
    );
    for (const { type, block, outputs } of entries) {
      if (type === "memoized") found.add("broken");
      if (type !== "completed") continue;
      const turn = /^turn_(\d+)$/.exec(block)?.[1];
      if (turn !== undefined) found.add(`${model === "good" && Number(turn) === TURNS ? "closer" : model} ${turn}`);
      if (outputs?.of !== undefined) found.add(`${typeof outputs.of === "string" ? "Weather" : "Refund"} ${outputs.of as string}`);
    }
  }
  await executor.close();
  return found;
}

/** Plays agents to their end. The first process dies at the point, and another one goes on. */
async function play(flow: Workflow, point?: StopPoint) {
  const store = memoryStore();
  const calls: string[] = [];
  const again: string[] = [];
  let known: ReadonlySet<string> = new Set();
  const equipment = equip((what) => {
    calls.push(what);
    if (known.has(what)) again.push(what);
  });
  const processOn = (its: Store, seed: number): Executor =>
    createExecutor({
      store: its,
      workflows: [flow],
      ...equipment,
      policy: { durability: "sync" },
      host: fakeHost({ autoAdvance: true, seed }),
    });
  const doomed = stopAt(store, point);
  let executor = processOn(doomed.store, 1);
  /** How many calls had begun when the first process died. */
  let died: number | undefined;
  for (;;) {
    try {
      await answerAll(await start(executor, flow));
      break;
    } catch (error) {
      if (died !== undefined || !isWorkflowError(error) || !error.code.startsWith("STORE_")) throw error;
      await doomed.quiet();
      died = calls.length;
      if (flow === FLOW) known = await recorded(store);
      executor = processOn(store, 2);
    }
  }
  const { status, outputs } = (await executor.open("1")).getSnapshot();
  await executor.close();
  return { calls, again, died, writes: doomed.writes(), ending: { status, outputs } };
}

test("D1: no call of a model or tool that was recorded is made again, wherever the process dies", { timeout: TIMEOUT_MS }, async () => {
  const unbroken = await play(FLOW);
  expect(unbroken.ending).toEqual({ status: "completed", outputs: { text: "Done." } });
  expect(unbroken.calls.filter((what) => /^(?:good|closer)/.test(what))).toHaveLength(TURNS);
  expect(unbroken.calls.toSorted()).toEqual([...new Set(unbroken.calls)].toSorted());
  let deaths = 0;
  for (const point of stopPoints(unbroken.writes).filter((_, i) => i % STRIDE === 0)) {
    const { again, died, calls, ending } = await play(FLOW, point);
    expect({ point, again, ending }).toEqual({ point, again: [], ending: unbroken.ending });
    // What was under way when the process died is the only thing that may have begun twice.
    expect(calls.length - unbroken.calls.length, `after write ${point.write}`).toBeLessThanOrEqual(2);
    if (died !== undefined) deaths++;
  }
  expect(deaths).toBeGreaterThan(5);
});

test("D1: tasks of a plan and states of a graph are not done again, wherever the process dies", { timeout: TIMEOUT_MS }, async () => {
  const unbroken = await play(ORCHESTRATED);
  expect(unbroken.ending).toEqual({ status: "completed", outputs: { text: "checker.", results: ["Refunded.", "waver."] } });
  expect(unbroken.calls).toEqual([...new Set(unbroken.calls)]);
  let deaths = 0;
  for (const point of stopPoints(unbroken.writes).filter((_, i) => i % STRIDE === 0)) {
    const { calls, died, ending } = await play(ORCHESTRATED, point);
    expect({ point, ending }).toEqual({ point, ending: unbroken.ending });
    if (died === undefined) continue;
    deaths++;
    // One thing is done at a time: what was under way when the process died is all that may have begun twice.
    expect([unbroken.calls, unbroken.calls.toSpliced(died, 0, calls[died - 1] ?? "nothing")], `after write ${point.write}`).toContainEqual(
      calls,
    );
  }
  expect(deaths).toBeGreaterThan(5);
});
