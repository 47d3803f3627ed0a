import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Step } from "wavepoint";
import { filesystemStore } from "wavepoint/store/filesystem";
import { longWorkflows, longRunExecutor, findOrStart, stepName, type LongRunShape } from "./long-run.ts";
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

/** A folder with one run, its ledger, and the processes that work on it. */
export interface RunFolder {
  spawn(script: string): WorkerProcess;
  /** What the witness has, whole lines only. */
  lines(): readonly Testimony[];
  /** Resolves once the witness has what is looked for; rejects when the process is gone before. */
  until(found: (lines: readonly Testimony[]) => boolean, worker: WorkerProcess): Promise<void>;
  /** Reads the store, in this process: how the run ended and what every run of it recorded. */
  read(): Promise<{ readonly status: string; readonly outputs: unknown; readonly steps: ReadonlyMap<string, Step> }>;
  readonly directory: string;
  remove(): Promise<void>;
}

const LOOK_MS = 2;

/** Makes an empty folder for a long run. */
export function openRunFolder(shape: LongRunShape): RunFolder {
  const root = mkdtempSync(join(tmpdir(), "wavepoint-run-"));
  const [directory, ledger] = [join(root, "store"), join(root, "ledger")];
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
      const child = spawn(process.execPath, [script, directory, ledger, JSON.stringify(shape)], { stdio: ["ignore", "ignore", "pipe"] });
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
      const store = filesystemStore(directory);
      const executor = longRunExecutor({ store, by: "reader", tell: () => {} }, longWorkflows(shape));
      const { status, outputs } = (await findOrStart(executor)).getSnapshot();
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
      return { status, outputs, steps };
    },
    async remove() {
      for (const { child } of workers) child.kill("SIGKILL");
      await Promise.all(workers.map(({ gone }) => gone));
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** A step without what differs from one execution to the next: times, proofs, ids of runs. */
export function canonicalStep({ block, item, status, outputs, error, skipped }: Step): string {
  return JSON.stringify({ block, item, status, outputs, error, skipped }, (key, value: unknown) =>
    key === "proof" || key === "execution_time_ms" ? undefined : value,
  );
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
