import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step, Store } from "wavepoint";
import { openStore } from "wavepoint/store/open";
import { longWorkflows, longRunExecutor, findOrStart, stepName, storedSignals, type LongRunShape } from "./long-run.ts";
import type { Testimony } from "./witness.ts";

/** A process that works on the run of a folder. */
export interface WorkerProcess {
  readonly by: string;
  readonly child: ChildProcess;
  /** Resolves with what it exited with: a code or the name of a signal. */
  readonly gone: Promise<number | NodeJS.Signals | null>;
  /** What it wrote to its standard error. */
  errors(): string;
}

/** A long run and those that it called, as they are stored. */
export interface ReadRuns {
  readonly status: string;
  readonly outputs: unknown;
  readonly steps: ReadonlyMap<string, Step>;
  /** What it was answered, in runs that it called included. */
  readonly answers: readonly unknown[];
  /** The names of the signals that it took. */
  readonly signals: readonly string[];
  /** Its files, each with its hash. Reading them all is part of it. */
  readonly files: readonly string[];
}

/** A place on a server where a run is kept. */
export interface ServerPlace {
  readonly address: string;
  /** What processes have to know beside it. */
  readonly env?: { readonly [name: string]: string };
  /** Opens it in this process. */
  open(): Promise<Store>;
}

/** A folder with one run, its ledger, and the processes that work on it. */
export interface RunFolder {
  spawn(script: string): WorkerProcess;
  /** What the witness has, whole lines only. */
  lines(): readonly Testimony[];
  /** Resolves once the witness has what is looked for; rejects when the process is gone before. */
  until(found: (lines: readonly Testimony[]) => boolean, worker: WorkerProcess): Promise<void>;
  /** Reads the store, in this process: how the run ended and what every run of it recorded. */
  read(): Promise<ReadRuns>;
  readonly directory: string;
  remove(): Promise<void>;
}

const LOOK_MS = 2;

/** Makes an empty folder for a long run, which is kept in it as files or in a database, or else on a server. */
export function openRunFolder(shape: LongRunShape, place: "file" | "sqlite" | ServerPlace = "file"): RunFolder {
  const root = mkdtempSync(join(tmpdir(), "wavepoint-run-"));
  const [directory, ledger] = [join(root, "store"), join(root, "ledger")];
  const { address, env, open } = typeof place === "string" ? localPlace(`${place}:${directory}`) : place;
  const workers: WorkerProcess[] = [];

  const known: Testimony[] = [];
  let read = 0;

  function lines(): readonly Testimony[] {
    let news: Buffer;
    try {
      news = readFrom(ledger, read);
    } catch {
      return [];
    }
    // A line without its end was being written when the process died, or is being written.
    const whole = news.subarray(0, news.lastIndexOf("\n") + 1);
    read += whole.length;
    for (const line of whole.toString("utf8").split("\n").slice(0, -1)) known.push(JSON.parse(line) as Testimony);
    return known;
  }

  return {
    directory,
    lines,
    spawn(script) {
      const child = spawn(process.execPath, [script, address, ledger, JSON.stringify(shape)], {
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, ...env },
      });
      let errors = "";
      child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
      const gone = new Promise<number | NodeJS.Signals | null>((resolve) => child.once("close", (code, signal) => resolve(signal ?? code)));
      const worker = { by: String(child.pid), child, gone, errors: () => errors };
      workers.push(worker);
      return worker;
    },
    async until(found, { child, errors }) {
      while (!found(lines())) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The process ended too early: ${errors()}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
    async read() {
      const store = await open();
      const executor = longRunExecutor({ store, by: "reader", tell: () => {} }, longWorkflows(shape));
      const run = await findOrStart(executor);
      const { status, outputs } = run.getSnapshot();
      const files = await run.files();
      for (const { name } of files) await run.readFile(name);
      const answers = (await run.answers()).flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
      const signals = await storedSignals(store, run.id);
      const steps = new Map<string, Step>();
      for (const head of (await executor.runs.list()).items) {
        const records = await (await executor.open(head.id)).steps();
        for (const step of records) {
          const name = `${head.id}/${stepName(step)}`;
          if (steps.has(name)) throw new Error(`${name} has two records.`);
          steps.set(name, step);
        }
      }
      await executor.close();
      await store.close();
      return { status, outputs, steps, answers, signals, files: files.map(({ name, size, hash }) => `${name} ${size} ${hash}`).toSorted() };
    },
    async remove() {
      for (const { child } of workers) child.kill("SIGKILL");
      await Promise.all(workers.map(({ gone }) => gone));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function localPlace(address: string): ServerPlace {
  return { address, open: () => openStore(address) };
}

/** A step without what differs from one execution to the next: times, proofs, ids of runs. */
export function canonicalStep({ block, item, iteration, status, outputs, error, skipped }: Step): string {
  return JSON.stringify({ block, item, iteration, status, outputs, error, skipped }, (key, value: unknown) =>
    key === "proof" || key.startsWith("execution_time") ? undefined : value,
  ).replaceAll(/run_\w+/g, "run_");
}

/** What a file has from a place on. */
function readFrom(path: string, from: number): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - from));
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
}
