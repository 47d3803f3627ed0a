import * as api from "@opentelemetry/api";
import { afterEach, describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, success, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { telemetry, type ClusterFigures } from "wavepoint/telemetry";

interface MadeSpan {
  readonly name: string;
  readonly attributes: api.Attributes;
  readonly trace: string | undefined;
  readonly ms: number;
  status?: api.SpanStatus;
}

/** An SDK that keeps what it gets, registered as one is. */
function register() {
  const spans: MadeSpan[] = [];
  const counts: { readonly name: string; readonly value: number; readonly attributes: api.Attributes }[] = [];
  const callbacks: api.BatchObservableCallback[] = [];
  const tracer: api.Tracer = {
    startSpan(name, { startTime, attributes = {} } = {}, context) {
      const made: { -readonly [key in keyof MadeSpan]: MadeSpan[key] } = {
        name,
        attributes,
        trace: context && api.trace.getSpanContext(context)?.traceId,
        ms: 0,
      };
      return {
        ...api.trace.wrapSpanContext(api.INVALID_SPAN_CONTEXT),
        setStatus(status: api.SpanStatus) {
          made.status = status;
          return this;
        },
        end(time: api.TimeInput) {
          made.ms = Number(time) - Number(startTime);
          spans.push(made);
        },
      } as unknown as api.Span;
    },
    startActiveSpan: () => {
      throw new Error("No span is made active.");
    },
  };
  const keeping = (name: string) => {
    const keep = (value: number, attributes: api.Attributes = {}): void => void counts.push({ name, value, attributes });
    return { name, add: keep, record: keep };
  };
  const noMeter = api.createNoopMeter();
  const meter = Object.assign(Object.create(noMeter) as api.Meter, {
    createCounter: keeping,
    createHistogram: keeping,
    createObservableGauge: (name: string) => ({ name }),
    addBatchObservableCallback: (callback: api.BatchObservableCallback) => void callbacks.push(callback),
  });
  api.trace.setGlobalTracerProvider({ getTracer: () => tracer });
  api.metrics.setGlobalMeterProvider({ getMeter: () => meter });
  async function collect(): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    const observe = (gauge: { readonly name: string }, value: number, attributes: api.Attributes = {}): void =>
      void seen.push([gauge.name, attributes["wavepoint.state"], value]);
    for (const callback of callbacks) await callback({ observe } as unknown as api.BatchObservableResult);
    return seen;
  }
  const total = (name: string, attributes: api.Attributes = {}): number =>
    counts
      .filter((one) => one.name === name && Object.entries(attributes).every(([key, value]) => one.attributes[key] === value))
      .reduce((sum, { value }) => sum + value, 0);
  return { spans, counts, total, collect };
}

afterEach(() => {
  api.trace.disable();
  api.metrics.disable();
});

const workflow: Workflow = {
  name: "order",
  blocks: [
    { id: "look", type: "Shaky", retry: { maxAttempts: 2, delayMs: 1 } },
    { id: "who", type: "GetInput", dependsOn: ["look"], inputs: { prompt: "secret question" } },
    { id: "never", type: "EchoBlock", dependsOn: ["who"], condition: "false", inputs: { message: "x" } },
    { id: "end", type: "EchoBlock", dependsOn: ["who"], inputs: { message: "${blocks.who.input_value}" } },
  ],
};

function shaky() {
  let isFirst = true;
  return defineBlock({
    type: "Shaky",
    async execute() {
      if (!isFirst) return success({});
      isFirst = false;
      return failure("secret reason");
    },
  });
}

describe("telemetry", () => {
  test("has a span for each execution of a block, all of a run in one trace, also where two processes execute it", async () => {
    const { spans } = register();
    const store = memoryStore();
    const options = { store, workflows: [workflow], blocks: [shaky()], onEvent: telemetry(api) };
    const first = createExecutor(options);
    const run = await first.start("order");
    await run.settled();
    await first.close();
    const second = createExecutor(options);
    const again = await second.open(run.id);
    await again.answer(again.getSnapshot().pauses[0]!.id, "Ada Lovelace");
    await second.close();

    expect(spans.map(({ name, attributes, status }) => [name, attributes["wavepoint.status"], status?.code])).toEqual([
      ["order look", "attempted", api.SpanStatusCode.ERROR],
      ["order look", "completed", undefined],
      ["order who", "paused", undefined],
      ["order who", "completed", undefined],
      ["order end", "completed", undefined],
    ]);
    expect(new Set(spans.map(({ trace }) => trace)).size).toBe(1);
    expect(spans.every(({ trace, ms }) => ms >= 0 && /^[0-9a-f]{32}$/.test(trace!))).toBe(true);
    expect(JSON.stringify(spans)).not.toMatch(/secret|Lovelace/);
    expect(spans[0]!.attributes).toMatchObject({ "wavepoint.run": run.id, "error.type": expect.stringMatching(/^[A-Z_]+$/) });
  });

  test("counts steps, questions and answers and runs that ended, and times steps and the store", async () => {
    const { counts, total } = register();
    const executor = createExecutor({ store: memoryStore(), workflows: [workflow], blocks: [shaky()], onEvent: telemetry(api) });
    const run = await executor.start("order");
    await run.settled();
    await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
    await executor.close();
    const of = { "wavepoint.workflow": "order" };
    expect(total("wavepoint.run.ended", { ...of, "wavepoint.status": "completed" })).toBe(1);
    expect(total("wavepoint.step", { ...of, "wavepoint.status": "completed" })).toBe(3);
    expect(total("wavepoint.step", { ...of, "wavepoint.status": "skipped" })).toBe(1);
    expect(total("wavepoint.question.asked", of)).toBe(1);
    expect(total("wavepoint.question.answered", { ...of, "wavepoint.by": "answer" })).toBe(1);
    expect(counts.some(({ name, value }) => name === "wavepoint.store.duration" && value >= 0)).toBe(true);
  });

  test("asks a cluster for its figures when they are collected", async () => {
    const { collect } = register();
    const health = async (): Promise<ClusterFigures> => ({ workers: 2, gone: 1, executing: 3, waiting: 4, waitingMs: 500, later: 5 });
    telemetry(api, { health });
    expect(await collect()).toEqual([
      ["wavepoint.cluster.workers", "alive", 2],
      ["wavepoint.cluster.workers", "gone", 1],
      ["wavepoint.cluster.orders", "executing", 3],
      ["wavepoint.cluster.orders", "waiting", 4],
      ["wavepoint.cluster.orders", "later", 5],
      ["wavepoint.cluster.wait", undefined, 0.5],
    ]);
  });

  test("makes nothing without an SDK", async () => {
    const executor = createExecutor({ store: memoryStore(), workflows: [workflow], blocks: [shaky()], onEvent: telemetry(api) });
    expect((await (await executor.start("order")).settled()).status).toBe("paused");
    await executor.close();
  });
});
