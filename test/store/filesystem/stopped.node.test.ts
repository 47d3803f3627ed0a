import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { runWriter } from "wavepoint/testing";
import type { Disk } from "../../../src/core/ports/disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { runPath } from "./run-path.ts";
import type { Takeovers } from "./taking-thread.ts";
import { unsyncedDisk } from "./unsynced-disk.ts";

const RUN = "run_a";
const OWN = '{"stopped":1}';
/** Longer than the time of a directory may stay the same though it changed. */
const REST_MS = 30;

const gate = new Int32Array(new SharedArrayBuffer(4));
let directory: string;
let template: string;
let thread: Worker;
let rounds = 0;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
  await build({
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: fileURLToPath(new URL("taking-thread.ts", import.meta.url)),
      outDir: join(directory, "code"),
      rollupOptions: { output: { entryFileNames: "thread.mjs" } },
    },
    ssr: { noExternal: true },
  });
  thread = new Worker(join(directory, "code", "thread.mjs"), { workerData: gate.buffer });
  template = join(directory, "template");
  // The next one that takes the run merges its files.
  take({ directory: template, entries: [0, 1, 2, 3].map((index) => `{"before":${index}}`), withBases: false });
}, 60_000);
afterAll(async () => {
  await thread.terminate();
  rmSync(directory, { recursive: true, force: true });
});

/** Lets others take the run, and stands still until they have. */
function take(takeovers: Takeovers): void {
  Atomics.store(gate, 0, 0);
  thread.postMessage(takeovers);
  const deadline = performance.now() + 60_000;
  // The call that wakes it may come late, from the time before.
  while (Atomics.load(gate, 0) === 0 && performance.now() < deadline) Atomics.wait(gate, 0, 0, deadline - performance.now());
  const outcome = Atomics.load(gate, 0);
  if (outcome === 0) throw new Error("The others did not take the run in time.");
  if (outcome !== 1) throw new Error(`The others could not take the run: ${readFileSync(`${takeovers.directory}.problem`, "utf8")}`);
}

function open(data: string, disk: Disk = unsyncedDisk): Store {
  return openFilesystemStore(data, disk, () => {});
}

/** All entries, those included that a base stands for. */
function unfolded(entries: readonly string[]): readonly string[] {
  return entries.flatMap((entry) => {
    const { stands } = JSON.parse(entry) as { stands?: readonly string[] };
    return stands === undefined ? [entry] : unfolded(stands);
  });
}

/** The disk of a process that is stopped before some of its operations, counted from where that is switched on. */
function stoppingDisk(stop: (operation: number) => void): { readonly disk: Disk; count(from: boolean): void } {
  let operations = -Infinity;
  const calls = Object.entries(unsyncedDisk).map(([name, call]: [string, unknown]) => [
    name,
    (...given: readonly unknown[]) => {
      operations += 1;
      stop(operations);
      return (call as (...all: readonly unknown[]) => unknown)(...given);
    },
  ]);
  return { disk: Object.fromEntries(calls) as unknown as Disk, count: (from) => void (operations = from ? 0 : -Infinity) };
}

type Doing = "reads" | "commits" | "commits after a rest" | "commits a base" | "takes the run" | "takes the run with a base";

/** Before which operation a process is stopped, and what others do meanwhile. */
interface Stop {
  readonly before: number;
  readonly takeovers: number;
  readonly withBases: boolean;
}

/** Stops a process while others take the run. Tells whether it made so many operations. */
async function stopAt(doing: Doing, stops: readonly Stop[]): Promise<boolean> {
  const data = join(directory, `round${(rounds += 1)}`);
  cpSync(template, data, { recursive: true });
  const told: string[] = [];
  let missed = stops.length;
  const stopping = stoppingDisk((operation) => {
    const stop = stops.find(({ before }) => before === operation);
    if (stop === undefined) return;
    const entries = Array.from({ length: stop.takeovers }, (_, index) => `{"other":${told.length + index}}`);
    told.push(...entries);
    missed -= 1;
    take({ directory: data, entries, withBases: stop.withBases });
  });
  const store = open(data, stopping.disk);
  const writer = runWriter(store, RUN, await store.head(RUN));
  const base = { at: writer.head!.entries, text: JSON.stringify({ stands: await store.read(RUN) }) };
  if (doing.startsWith("commits")) await writer.commit(['{"prepared":1}']);
  if (doing === "commits after a rest") {
    // From then on the time of the directory tells of every name in it.
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    await writer.commit(['{"rested":1}']);
  }
  if (doing === "reads") take({ directory: data, entries: ['{"ready":1}'], withBases: false });
  const before = unfolded(await open(data).read(RUN));

  stopping.count(true);
  const outcome = await (doing === "reads" ? store.read(RUN) : writer.commit([OWN], doing.endsWith("base") ? { base } : {})).then(
    (read) => read ?? "won",
    (error: unknown) => error,
  );
  stopping.count(false);
  const after = unfolded(await open(data).read(RUN));
  expect(after.filter((entry) => entry !== OWN)).toEqual([...before, ...told]);
  if (doing === "reads") {
    const seen = unfolded(outcome as readonly string[]);
    expect(seen).toEqual(after.slice(0, Math.max(before.length, seen.length)));
  } else if (outcome === "won") {
    expect(after.filter((entry) => entry === OWN)).toEqual([OWN]);
  } else {
    expect([outcome, after.includes(OWN)]).toEqual([expect.objectContaining({ code: "STORE_CONFLICT" }), false]);
    expect(told).not.toEqual([]);
  }

  // What the stopped process left behind goes when later ones merge the files.
  const later = [0, 1, 2, 3].map((index) => `{"later":${index}}`);
  take({ directory: data, entries: later, withBases: false });
  expect(unfolded(await open(data).read(RUN))).toEqual([...after, ...later]);
  expect(readdirSync(runPath(data, RUN)).filter((name) => name.endsWith(".jsonl")).length).toBeLessThan(6);
  expect(readdirSync(join(data, "temp"))).toEqual([]);
  await store.close();
  rmSync(data, { recursive: true });
  return missed === 0;
}

describe.each([
  ["others take the run so often that its files are merged", { takeovers: 5, withBases: false }],
  ["others take the run and put bases", { takeovers: 3, withBases: true }],
])("D8: while a process is stopped before any one operation of its disk, %s", (_, others) => {
  test.each<Doing>(["reads", "commits", "commits after a rest", "commits a base", "takes the run", "takes the run with a base"])(
    "it %s",
    async (doing) => {
      let before = 1;
      while (await stopAt(doing, [{ ...others, before }])) before += 1;
      expect(before).toBeGreaterThan(4);
    },
    120_000,
  );
});

test("D8: a process that commits is stopped twice: when it goes on, what follows its segment is there once, and gone the next time", async () => {
  const once = { takeovers: 1, withBases: false };
  const often = { takeovers: 5, withBases: false };
  let first = 1;
  for (; await stopAt("commits", [{ ...once, before: first }]); first += 1) {
    let second = first + 1;
    while (
      await stopAt("commits", [
        { ...once, before: first },
        { ...often, before: second },
      ])
    )
      second += 1;
  }
  expect(first).toBeGreaterThan(5);
}, 120_000);
