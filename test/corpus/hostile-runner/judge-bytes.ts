import { createExecutor } from "wavepoint";
import type { Store } from "wavepoint";
import { attemptWorkflow } from "./attempt.ts";
import { isRefusalFor } from "./refusal-codes.ts";
import { failed, notApplicable, PASSED } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";
import { useRun, VICTIM } from "./victim.ts";

/** A store of which the bytes of the journals can be changed from outside. */
export interface JournalFiles {
  open(): Promise<Store>;
  change(edit: (bytes: Uint8Array) => Uint8Array): Promise<void>;
  /** The journals as they are. */
  read(): Promise<string>;
  close(): Promise<void>;
}

/** What is done to the stored form. */
export interface ByteChange {
  readonly op: string;
  readonly lengths?: readonly number[];
}

type Edit = (bytes: Uint8Array, length: number) => Uint8Array;

const EDITS: ReadonlyMap<string, Edit> = new Map<string, Edit>([
  ["append-random", (bytes, length) => joined(bytes, noise(length))],
  ["append-zeros", (bytes, length) => joined(bytes, new Uint8Array(length))],
  ["zero-fill-tail", (bytes, length) => bytes.with(0, bytes[0]!).fill(0, Math.max(0, bytes.length - length))],
  ["truncate", (bytes, length) => bytes.slice(0, Math.max(0, bytes.length - length))],
  ["truncate-tail", (bytes, length) => bytes.slice(0, Math.max(0, bytes.length - length))],
  ["flip-bit", (bytes, place) => bytes.with(place % bytes.length, bytes[place % bytes.length]! ^ 1)],
]);

/** Judges what a run does whose journal was changed while nobody looked. Nothing for changes that this runner does not know. */
export async function judgeBytes(
  input: HostileInput,
  changes: readonly ByteChange[],
  openJournals: () => Promise<JournalFiles>,
  stopwatch: () => () => number,
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  let ms = 0;
  for (const { op, lengths = [1] } of changes) {
    const edit = EDITS.get(op);
    if (!edit) return { verdict: notApplicable(`this runner does not know the change "${op}"`), ms };
    for (const length of lengths) {
      const files = await openJournals();
      try {
        const judged = await judgeChange(input, files, (bytes) => edit(bytes, length), stopwatch);
        if (judged.verdict.status !== "passed") return judged;
        ms = Math.max(ms, judged.ms);
      } finally {
        await files.close();
      }
    }
  }
  return { verdict: PASSED, ms };
}

async function judgeChange(
  { expect: { outcome, code } }: HostileInput,
  files: JournalFiles,
  edit: (bytes: Uint8Array) => Uint8Array,
  stopwatch: () => () => number,
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  const first = await files.open();
  const attempt = await attemptWorkflow(first, () => VICTIM);
  const id = attempt.run!.id;
  await attempt.executor.close();
  await first.close();
  await files.change(edit);
  const before = await files.read();

  const store = await files.open();
  const executor = createExecutor({ store, blocks: [{ type: "Echo", execute: () => ({ status: "success", outputs: {} }) }] });
  try {
    const elapsed = stopwatch();
    const refusal = await useRun(executor, () => executor.open(id), "x");
    const ms = elapsed();
    if (refusal === undefined) {
      return { verdict: outcome.startsWith("prefix") ? PASSED : failed(`${outcome} ${code}`, "the run went on"), ms };
    }
    if (outcome === "prefix" || !isRefusalFor(code, refusal)) return { verdict: failed(`${outcome} ${code}`.trim(), refusal), ms };
    return {
      verdict: (await files.read()) === before ? PASSED : failed("a refusal that changes no stored byte", "the journal changed"),
      ms,
    };
  } finally {
    await executor.close();
    await store.close();
  }
}

function joined(bytes: Uint8Array, more: Uint8Array): Uint8Array {
  const all = new Uint8Array(bytes.length + more.length);
  all.set(bytes);
  all.set(more, bytes.length);
  return all;
}

/** The same bytes each time, of all kinds. */
function noise(length: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length }, () => (state = (state * 48_271) % 2_147_483_647) % 256);
}
