import { afterEach, describe, expect, test } from "vitest";
import { createExecutor, isWorkflowError, type Block, type Executor, type Run, type RunResult, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { pauseOf } from "../support/pause-of.ts";
import { putService, type PutService } from "../support/put-service.ts";
import { stopAt, stopPoints, type StopPoint } from "../crash-points/stop-at.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });
const SIZE = "${blocks.size.input_value}";

const inner: Workflow = {
  name: "parcel",
  inputs: { size: { type: "string" } },
  blocks: [{ id: "put", type: "Put", inputs: { value: "${inputs.size}" } }],
  outputs: { value: "${blocks.put.value}" },
};

function order(put: Partial<Block>): Workflow {
  return {
    name: "order",
    blocks: [
      ask("size"),
      { id: "pack", type: "EchoBlock", dependsOn: ["size"], inputs: { message: SIZE } },
      { id: "put", type: "Put", dependsOn: ["size"], inputs: { value: SIZE }, ...put },
      ask("sure", { dependsOn: ["put"] }),
    ],
    outputs: { size: SIZE },
  };
}

interface Circumstances {
  readonly wishes?: readonly Wish[];
  /** What is wished once the process has died. */
  readonly instead?: readonly Wish[];
  readonly durability?: "sync" | "async";
}

/** What hands a value over, and under how many keys. */
const SHAPES: readonly (readonly [what: string, put: Partial<Block>, keys: number])[] = [
  ["a block", {}, 1],
  ["a block of a called workflow", { type: "ExecuteWorkflow", inputs: { workflow: "parcel", inputs: { size: SIZE } } }, 1],
  ["the items of a list", { forEach: ["x", "y"], inputs: { value: `\${each.value} ${SIZE}` } }, 2],
  ["a block behind another", { dependsOn: ["pack"], inputs: { value: "${blocks.pack.echoed}" } }, 1],
  ["iterations that are given the same", { inputs: { value: SIZE, times: 3 } }, 3],
];

/** What a person wants, in order. The one that was under way when a process died is done again by the next. */
type Wish = (run: Run) => Promise<RunResult>;
const answer = async (run: Run): Promise<RunResult> => run.answer(await pauseOf(run, "size"), "A");
const revise =
  (size: string): Wish =>
  async (run) =>
    run.revise(await pauseOf(run, "size"), size);
const finish = async (run: Run): Promise<RunResult> => run.answer(await pauseOf(run, "sure"), "yes");
const WISHES: readonly Wish[] = [answer, revise("B"), revise("A"), finish];

describe.each(SHAPES)("D21: a service that receives A, B and A again: %s", (_, put, keys) => {
  const workflow = order(put);
  const executors: Executor[] = [];
  afterEach(() => Promise.all(executors.splice(0).map((executor) => executor.close())));

  /** Does all wishes, in a process that dies at a point and in one that goes on from the store alone, perhaps with other wishes. */
  async function play(point?: StopPoint, { wishes = WISHES, instead = wishes, durability = "sync" }: Circumstances = {}) {
    const store = memoryStore();
    // Blocks are quicker than writes, so that a process dies with much that it has not written.
    const slow: Store = { ...store, commit: (commit) => new Promise((resolve) => setTimeout(resolve)).then(() => store.commit(commit)) };
    const doomed = stopAt(slow, point);
    const service = putService();
    const host = fakeHost({ autoAdvance: true });
    let wish = 0;

    async function live(over: Store, wishes: readonly Wish[]): Promise<RunResult> {
      const executor = createExecutor({
        store: over,
        host,
        workflows: [workflow, inner],
        blocks: service.blocks,
        policy: { durability },
      });
      executors.push(executor);
      const run = await open(executor);
      // An answer may be changed before what the dead process left goes on.
      if (wish === 0) await run.resume();
      for (; wish < wishes.length; wish += 1) {
        expect(await wishes[wish]!(run)).not.toMatchObject({ status: "failure" });
      }
      return run.settled();
    }

    let result = await live(doomed.store, wishes).catch((error: unknown) => {
      if (!isWorkflowError(error) || !doomed.isReached()) throw error;
      return undefined;
    });
    await doomed.quiet();
    const hasDied = result === undefined || doomed.isReached();
    if (hasDied) result = await live(store, instead);
    return { result: result!, service, hasDied, writes: doomed.writes(), runs: (await store.runs({ topLevel: true })).items.length };
  }

  async function open(executor: Executor): Promise<Run> {
    try {
      return await executor.start("order", {}, { id: "one" });
    } catch (error) {
      if (!isWorkflowError(error) || error.code !== "RUN_EXISTS") throw error;
      return executor.open("run_one");
    }
  }

  function expectAsUnbroken(service: PutService, scene: string): void {
    expect(service.mixedKeys(), scene).toEqual([]);
    const firsts = service.firsts();
    expect(firsts, scene).toHaveLength(3 * keys);
    for (const unit of new Set(firsts.map((one) => one.unit))) {
      const told = service.firsts(unit).map(({ value }) => value.at(-1));
      const each = told.length / 3;
      expect(told.join(""), scene).toBe("A".repeat(each) + "B".repeat(each) + "A".repeat(each));
      expect(service.puts.findLast((put) => put.unit === unit)!.value, scene).toMatch(/A$/);
    }
  }

  test("killed before and after each record it ends at A, in one run, with three keys, and no key has two values", async () => {
    const unbroken = await play();
    expect(unbroken.result).toMatchObject({ status: "success", outputs: { size: "A" } });
    expectAsUnbroken(unbroken.service, "unbroken");
    let deaths = 0;
    for (const point of stopPoints(unbroken.writes)) {
      const scene = `killed ${point.when} write ${point.write}`;
      const { result, service, hasDied, runs } = await play(point);
      expect({ scene, ...result }).toEqual({ scene, ...unbroken.result });
      expect(runs, scene).toBe(1);
      expectAsUnbroken(service, scene);
      if (hasDied) deaths += 1;
    }
    expect(deaths).toBeGreaterThan(10);
  });

  test.each(["sync", "async"] as const)("killed at B, and told C instead of it: no key has two values (%s)", async (durability) => {
    const circumstances = { wishes: [answer, revise("B"), finish], instead: [answer, revise("C"), finish], durability };
    const { writes } = await play(undefined, circumstances);
    const told = new Set<string>();
    for (const point of stopPoints(writes)) {
      const scene = `killed ${point.when} write ${point.write}`;
      const { result, service } = await play(point, circumstances);
      expect(service.mixedKeys(), scene).toEqual([]);
      expect(service.puts.at(-1)!.value, scene).toContain(String(result.outputs!["size"]));
      told.add(
        service
          .firsts(service.puts[0]!.unit)
          .map(({ value }) => value.at(-1))
          .join(""),
      );
    }
    // Some died before the service received B, and some after.
    expect([...told].some((values) => /A+B+C+$/.test(values))).toBe(true);
    expect([...told].some((values) => /A+C+$/.test(values))).toBe(true);
  });
});
