import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Attributes, Context, metrics, ROOT_CONTEXT, trace } from "@opentelemetry/api";
import { assertOptions } from "./core/model/assert-options.ts";
import type { Entry } from "./core/model/journal.ts";
import type { RecordedEvent, RunEvent } from "./core/ports/observer.ts";

/** The parts of `@opentelemetry/api`, 1.9 or newer, that are used. Pass the whole package: `import * as api from "@opentelemetry/api"`. */
export interface TelemetryApi {
  readonly trace: Pick<typeof trace, "getTracer" | "setSpanContext">;
  readonly metrics: Pick<typeof metrics, "getMeter">;
  readonly ROOT_CONTEXT: typeof ROOT_CONTEXT;
}

/** Figures of a cluster, as `ClusterStore.health` gives them. */
export interface ClusterFigures {
  readonly workers: number;
  readonly gone: number;
  readonly executing: number;
  readonly waiting: number;
  readonly waitingMs?: number;
  readonly later: number;
}

/** What to measure beside the events of an executor. */
export interface TelemetryOptions {
  /** Called each time the figures of a cluster are collected: `() => store.health()`. Default: they are not measured. */
  readonly health?: () => Promise<ClusterFigures>;
}

const NAME = "wavepoint";
const MS = 1_000;
/** Hexadecimal digits of the id of a trace. */
const TRACE_ID_LENGTH = 32;
const SPAN_ID_LENGTH = 16;
const SAMPLED = 1;

/** Entries with which an execution of a block is over. */
const EXECUTED: ReadonlySet<Entry["type"]> = new Set<Entry["type"]>(["completed", "failed", "attempted", "iterated", "paused", "waiting"]);

type ExecutedEntry = Extract<Entry, { readonly type: "completed" | "failed" | "attempted" | "iterated" | "paused" | "waiting" }>;

/**
 * Makes spans and metrics from the events of executors: `createExecutor({ onEvent: telemetry(api) })`. Each execution of a block is a span. All spans of a
 * run are one trace, whose id is made from that of the run, whichever workers execute it. Metrics count steps, questions, answers and ended runs, and measure
 * the time of steps and of the store. Names of workflows, blocks and runs leave the process, and so do codes of errors; inputs, outputs, answers and
 * messages never do. Does nothing without an SDK. Throws `KEY_UNKNOWN` for an unknown option.
 */
export function telemetry(api: TelemetryApi, options: TelemetryOptions = {}): (event: RunEvent) => void {
  assertOptions("telemetry", options, { health: true });
  const tracer = api.trace.getTracer(NAME);
  const meter = api.metrics.getMeter(NAME);
  const ended = meter.createCounter("wavepoint.run.ended", { description: "Runs that ended, by their status." });
  const steps = meter.createCounter("wavepoint.step", { description: "Executions of blocks, by what they came to." });
  const asked = meter.createCounter("wavepoint.question.asked", { description: "Questions that were asked." });
  const answered = meter.createCounter("wavepoint.question.answered", { description: "Questions that were settled, by whom." });
  const stepTime = meter.createHistogram("wavepoint.step.duration", { unit: "s", description: "How long a block ran." });
  const storeTime = meter.createHistogram("wavepoint.store.duration", {
    unit: "s",
    description: "How long the store took to save or load.",
  });
  if (options.health) measureCluster(meter, options.health);

  function execution(event: RecordedEvent, entry: ExecutedEntry): void {
    const { run, workflow } = event;
    const { type, block, item, ms = 0 } = entry;
    const of = { "wavepoint.workflow": workflow, "wavepoint.block": block, "wavepoint.status": type };
    steps.add(1, of);
    stepTime.record(ms / MS, of);
    const error: Attributes = "error" in entry ? { "error.type": entry.error.code } : {};
    const attributes = { ...of, ...error, "wavepoint.run": run, ...(item !== undefined && { "wavepoint.item": item }) };
    const end = Date.now();
    const span = tracer.startSpan(`${workflow} ${block}`, { startTime: end - ms, attributes }, contextOf(api, run));
    // Its message may quote what someone typed.
    if ("error" in entry) span.setStatus({ code: 2, message: entry.error.code });
    span.end(end);
  }

  function recorded(event: RecordedEvent): void {
    const { entry, workflow } = event;
    const of = { "wavepoint.workflow": workflow };
    if (isExecuted(entry)) execution(event, entry);
    if (entry.type === "skipped") steps.add(1, { ...of, "wavepoint.block": entry.block, "wavepoint.status": "skipped" });
    if (entry.type === "finished") ended.add(1, { ...of, "wavepoint.status": entry.status });
    // The question of a called run is counted there.
    if (entry.type === "paused" && entry.child === undefined) asked.add(1, of);
    if (entry.type === "answered") answered.add(1, { ...of, "wavepoint.by": entry.by ?? entry.action ?? "answer" });
  }

  return (event) => {
    if (event.type === "recorded") recorded(event);
    if (event.type === "saved" || event.type === "loaded") storeTime.record(event.tookMs / MS, { "wavepoint.call": event.type });
  };
}

function isExecuted(entry: Entry): entry is ExecutedEntry {
  return EXECUTED.has(entry.type);
}

/** Under it all spans of a run are one trace, in every process. */
function contextOf({ trace: traces, ROOT_CONTEXT: root }: TelemetryApi, run: string): Context {
  const hash = bytesToHex(sha256(utf8ToBytes(run)));
  const [traceId, spanId] = [hash.slice(0, TRACE_ID_LENGTH), hash.slice(-SPAN_ID_LENGTH)];
  return traces.setSpanContext(root, { traceId, spanId, traceFlags: SAMPLED, isRemote: true });
}

function measureCluster(meter: ReturnType<TelemetryApi["metrics"]["getMeter"]>, health: () => Promise<ClusterFigures>): void {
  const workers = meter.createObservableGauge("wavepoint.cluster.workers", { description: "Workers of the cluster." });
  const orders = meter.createObservableGauge("wavepoint.cluster.orders", { description: "Orders of the cluster." });
  const wait = meter.createObservableGauge("wavepoint.cluster.wait", { unit: "s", description: "How long the oldest order has waited." });
  meter.addBatchObservableCallback(
    async (result) => {
      const { workers: alive, gone, executing, waiting, later, waitingMs = 0 } = await health();
      for (const [state, count] of Object.entries({ alive, gone })) result.observe(workers, count, { "wavepoint.state": state });
      for (const [state, count] of Object.entries({ executing, waiting, later }))
        result.observe(orders, count, { "wavepoint.state": state });
      result.observe(wait, waitingMs / MS);
    },
    [workers, orders, wait],
  );
}
