import { expect, test } from "vitest";
import { createExecutor, type Block, type Executor, type Run, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { NO_REDUCERS } from "../../../src/core/definition/channels.ts";
import { apply } from "../../../src/core/machine/apply.ts";
import { beginFolding, type FoldedRun } from "../../../src/core/machine/folded-run.ts";
import { initialState } from "../../../src/core/machine/initial-state.ts";
import { deliver, recountSignals } from "../../../src/core/machine/signals.ts";
import type { RunState } from "../../../src/core/machine/state.ts";
import type { Entry, StartedEntry } from "../../../src/core/model/journal.ts";
import { readyWorkflow } from "../../../src/core/runner/parts.ts";

const wait = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "Wait", inputs: { event: "step" }, ...more });
const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: "?" }, ...more });

/** Folds the journal of a run, and calls `look` after each entry. */
async function refold(store: Store, run: string, flow: Workflow, look: (folded: FoldedRun) => void): Promise<void> {
  const [first, ...rest] = (await store.read(run)).map((text) => JSON.parse(text) as Entry);
  const folded = beginFolding(run, await readyWorkflow(flow, NO_REDUCERS), first as StartedEntry);
  for (const entry of rest) {
    folded.apply(entry);
    look(folded);
  }
}

function idsOf({ untaken }: RunState): readonly string[] {
  return [...(untaken?.values() ?? [])].flatMap((one) => [...one.keys()]).toSorted();
}

const ROUNDS = 30;
const SCENES: readonly [what: string, flow: Workflow, play: (run: Run, executor: Executor) => Promise<unknown>][] = [
  [
    "a loop of waits, early signals, and names that nothing waits for",
    { name: "loop", channels: { n: { reduce: "sum" } }, blocks: [wait("a", { writes: { n: 1 }, repeatWhile: "${channels.n} < 100" })] },
    async (run) => {
      for (let i = 0; i < ROUNDS; i++) {
        await run.signal(i % 3 === 0 ? "other" : "step", i);
        await run.signal("step", i);
      }
    },
  ],
  [
    "several waits, items and questions that an event ends",
    {
      name: "many",
      blocks: [wait("a"), wait("b", { forEach: 3 }), ask("c", { onEvent: { step: "skip" } }), wait("d", { dependsOn: ["a", "b"] })],
    },
    async (run) => {
      for (let i = 0; i < 6; i++) await run.signal("step", i);
    },
  ],
  [
    "revisions that give a signal to one unit after another",
    {
      name: "back",
      blocks: [
        ask("name"),
        wait("a", { dependsOn: ["name"], condition: "${blocks.name.input_value} == 'a'" }),
        wait("b", { dependsOn: ["name"], condition: "${blocks.name.input_value} == 'b'" }),
        ask("last", {
          dependsOn: [
            { block: "a", required: false },
            { block: "b", required: false },
          ],
        }),
      ],
    },
    async (run) => {
      await run.answer(run.getSnapshot().pauses[0]!.id, "a");
      await run.signal("step", 1);
      for (const name of ["b", "a", "b", "c", "a"]) await run.revise((await run.answers())[0]!.pause!, name);
      await run.signal("step", 2);
    },
  ],
];

test.each(SCENES)("the signals that nothing has taken are those that a look through all units finds: %s", async (_what, flow, play) => {
  const store = memoryStore();
  const executor = createExecutor({ store, workflows: [flow], host: fakeHost({ autoAdvance: true }) });
  const run = await executor.start(flow.name);
  await run.settled();
  await play(run, executor);
  await run.settled();
  let looked = 0;
  let delivered = 0;
  await refold(store, run.id, flow, ({ state }) => {
    if (!state.signals) return;
    const kept = deliver(state);
    const counted: RunState = { ...state };
    recountSignals(counted);
    expect([idsOf(counted), deliver(counted)]).toEqual([idsOf(state), kept]);
    looked += 1;
    delivered += kept.units.size + kept.pauses.size;
  });
  expect(looked).toBeGreaterThan(8);
  expect(delivered).toBeGreaterThan(0);
});

test("a turn looks at no more units and signals after thousands of them than after a few", async () => {
  const flow: Workflow = {
    name: "loop",
    channels: { n: { reduce: "sum" } },
    blocks: [wait("a", { writes: { n: 1 }, repeatWhile: "${channels.n} < 100000", maxIterations: 10_000 })],
  };
  const compiled = await readyWorkflow(flow, NO_REDUCERS);
  const plan = new Map([["", compiled]]);
  const state = initialState("run_x", compiled, { type: "started", version: 1, workflow: "loop", definition: "", inputs: {}, at: 0 });
  let looks = 0;
  const counted = <Key, Value>(map: Map<Key, Value>): Map<Key, Value> =>
    new Proxy(map, {
      get(target, name) {
        const member = Reflect.get(target, name, target) as unknown;
        if (typeof member !== "function") return member;
        if (name !== Symbol.iterator && name !== "entries" && name !== "values" && name !== "keys") return member.bind(target) as unknown;
        return function* () {
          for (const one of member.call(target) as Iterable<unknown>) {
            looks += 1;
            yield one;
          }
        };
      },
    });
  const turn = (i: number): void => {
    const at = i;
    apply(plan, state, { type: "waiting", block: "a", at, events: ["step"] });
    apply(plan, state, { type: "signalled", id: `s${i}`, name: "step", value: i, at });
    if (i === 0) state.signals = counted(state.signals!);
    expect(deliver(state).units.size).toBe(1);
    apply(plan, state, { type: "iterated", block: "a", at, signal: `s${i}`, value: null });
  };
  const costOf = (from: number, to: number): number => {
    looks = 0;
    for (let i = from; i < to; i++) turn(i);
    return looks;
  };
  const first = costOf(0, 100);
  costOf(100, 3_900);
  expect(costOf(3_900, 4_000)).toBeLessThanOrEqual(first + 100);
});
