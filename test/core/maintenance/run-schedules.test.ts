import { describe, expect, onTestFinished, test } from "vitest";
import { createExecutor, type RunEvent, type Schedule, type Store, WorkflowError, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Tuesday, 7:30 in Berlin. */
const TUESDAY = Date.parse("2026-11-24T06:30:00Z");

const FIRST = "run_report-20261124T070000Z";
const SECOND = "run_report-20261125T070000Z";

function report(schedule: Partial<Schedule> = {}): Workflow {
  return {
    name: "report",
    inputs: { at: { type: "string" }, to: { type: "string" } },
    schedule: { cron: "0 8 * * MON-FRI", timeZone: "Europe/Berlin", inputs: { to: "Ada" }, timeInput: "at", ...schedule },
    blocks: [{ id: "send", type: "EchoBlock", inputs: { message: "${inputs.at} to ${inputs.to}" } }],
    outputs: { sent: "${blocks.send.outputs.echoed}" },
  };
}

interface Begun {
  readonly store?: Store;
  readonly at?: number;
  readonly seed?: number;
  readonly workflow?: Workflow;
}

/** A process that runs schedules from an instant on. */
async function begin({ store = memoryStore(), at = TUESDAY, seed = 1, workflow = report() }: Begun = {}) {
  const host = fakeHost({ startAt: at, seed });
  const events: RunEvent[] = [];
  const executor = createExecutor({ store, host, workflows: [workflow], onEvent: (event) => void events.push(event) });
  const running = executor.runSchedules();
  onTestFinished(() => executor.close());
  const started = () => events.flatMap((event) => (event.type === "scheduled" ? [event.run ?? event.error!.code] : []));
  await expect.poll(() => host.sleeping).toBe(1);
  return {
    store,
    executor,
    started,
    advance: (ms: number) => host.advance(ms),
    async end() {
      await executor.close();
      await running;
    },
  };
}

describe("a schedule", () => {
  test("starts a run at each of its times, which is given the time", async () => {
    const { advance, started, executor } = await begin();
    await advance(20 * MINUTE);
    expect(started()).toEqual([]);
    await advance(20 * MINUTE);
    expect(started()).toEqual([FIRST]);
    const run = await executor.open(FIRST);
    expect(await run.settled()).toMatchObject({ status: "success", outputs: { sent: "2026-11-24T07:00:00Z to Ada" } });
    await advance(DAY);
    expect(started()).toEqual([FIRST, SECOND]);
  });

  test("starts one run for a time, though two processes look at once", async () => {
    const one = await begin();
    const two = await begin({ store: one.store, seed: 2 });
    await Promise.all([one.advance(HOUR), two.advance(HOUR)]);
    expect([...one.started(), ...two.started()]).toEqual([FIRST]);
    expect((await one.store.runs()).items).toHaveLength(1);
  });

  test("goes on after a look that lost the store", async () => {
    const store = memoryStore();
    let isLost = false;
    const whenThere = <T>(call: () => Promise<T>): Promise<T> =>
      isLost ? Promise.reject(new WorkflowError("STORE_LOST", "The server is started anew.")) : call();
    const cache = {
      ...store.cache!,
      get: (key: string) => whenThere(() => store.cache!.get(key)),
      put: (key: string, text: string, until: number) => whenThere(() => store.cache!.put(key, text, until)),
    };
    const { advance, started } = await begin({ store: { ...store, cache } });
    isLost = true;
    await advance(35 * MINUTE);
    isLost = false;
    await advance(2 * MINUTE);
    expect(started()).toEqual([FIRST]);
  });

  test("does not start a run again that was deleted", async () => {
    const one = await begin();
    await one.advance(HOUR);
    await (await one.executor.open(FIRST)).settled();
    await one.executor.runs.delete(FIRST);
    await one.end();
    const two = await begin({ store: one.store, at: TUESDAY + 2 * HOUR, seed: 2 });
    expect(two.started()).toEqual([]);
  });

  test("of which the mark was lost in a crash does not start a run twice", async () => {
    const store = memoryStore();
    const torn: Store = {
      ...store,
      cache: {
        ...store.cache!,
        put: async (key, text, until) => (Number(text) === TUESDAY ? store.cache!.put(key, text, until) : undefined),
      },
    };
    const one = await begin({ store: torn });
    await one.advance(HOUR);
    expect(one.started()).toEqual([FIRST]);
    await one.end();
    const two = await begin({ store, at: TUESDAY + 2 * HOUR, seed: 2 });
    expect(two.started()).toEqual([]);
    expect((await store.runs()).items).toHaveLength(1);
  });

  test("is taken up by an executor that is given its workflow later", async () => {
    const { executor, advance, started } = await begin();
    await executor.load({ ...report({ cron: "0 7 * * *", timeZone: "UTC" }), name: "late" });
    await advance(HOUR);
    expect(started().toSorted()).toEqual(["run_late-20261124T070000Z", FIRST]);
  });

  test("of a workflow whose name cannot stand in the id of a run has a hash there", async () => {
    const { advance, started } = await begin({ workflow: { ...report(), name: "daily_report" } });
    await advance(HOUR);
    expect(started()).toEqual([expect.stringMatching(/^run_[0-9a-f]{32}-20261124T070000Z$/)]);
  });
});

describe("times that passed while nothing ran schedules", () => {
  const FOUR_DAYS_LATER = TUESDAY + 4 * DAY;

  test.each([
    ["none", []],
    ["last", ["run_report-20261127T070000Z"]],
    ["all", [FIRST, SECOND, "run_report-20261126T070000Z", "run_report-20261127T070000Z"]],
  ] as const)("are made up for as catchUp says: %s", async (catchUp, expected) => {
    const workflow = report({ catchUp });
    const one = await begin({ workflow });
    await one.end();
    const two = await begin({ store: one.store, at: FOUR_DAYS_LATER, seed: 2, workflow });
    expect(two.started()).toEqual(expected);
    await two.end();
    const three = await begin({ store: one.store, at: FOUR_DAYS_LATER + HOUR, seed: 3, workflow });
    expect(three.started()).toEqual([]);
  });

  test("are no more than the last 1,000", async () => {
    const workflow = report({ cron: "* * * * *", catchUp: "all" });
    const one = await begin({ workflow });
    await one.end();
    const two = await begin({ store: one.store, at: TUESDAY + 2_000 * MINUTE, seed: 2, workflow });
    expect(two.started()).toHaveLength(1_000);
    expect(two.started().at(-1)).toBe("run_report-20261125T155000Z");
  });

  test("are none for a store that sees a workflow for the first time", async () => {
    const { started } = await begin({ at: FOUR_DAYS_LATER, workflow: report({ catchUp: "all" }) });
    expect(started()).toEqual([]);
  });
});

describe("what goes wrong", () => {
  test("a store that fails is asked again", async () => {
    const store = memoryStore();
    let isAway = true;
    const away: Store = {
      ...store,
      commit: (commit) => (isAway ? Promise.reject(new WorkflowError("STORE_UNAVAILABLE", "The disk is away.")) : store.commit(commit)),
    };
    const { advance, started } = await begin({ store: away });
    await advance(30 * MINUTE + 5_000);
    expect(started()).toEqual(["STORE_UNAVAILABLE"]);
    isAway = false;
    await advance(MINUTE);
    expect(started()).toEqual(["STORE_UNAVAILABLE", FIRST]);
  });

  test("a run that can never start is left out, and others start", async () => {
    const { inputs, ...rest } = report();
    const { advance, started, executor } = await begin({
      workflow: { ...rest, inputs: { ...inputs, key: { type: "string", secret: true } } },
    });
    await executor.load({ ...report(), name: "other" });
    await advance(HOUR);
    expect(started()).toEqual(["INPUT_INVALID", "run_other-20261124T070000Z"]);
    await advance(HOUR);
    expect(started()).toHaveLength(2);
  });

  test("a signal ends it", async () => {
    const executor = createExecutor({ store: memoryStore(), host: fakeHost(), workflows: [report()] });
    const ending = new AbortController();
    const running = executor.runSchedules({ signal: ending.signal });
    ending.abort();
    await expect(running).rejects.toMatchObject({ code: "ABORTED" });
    await executor.close();
  });
});
