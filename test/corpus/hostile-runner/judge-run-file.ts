import { createExecutor } from "wavepoint";
import type { RunHead, Store } from "wavepoint";
import { writeRunFile } from "../../../src/core/transfer/write-run-file.ts";
import { defaultHost } from "../../../src/default-host.ts";
import { attemptWorkflow } from "./attempt.ts";
import { useRun, VICTIM } from "./victim.ts";
import { isRefusalFor } from "./refusal-codes.ts";
import { failed, PASSED, worst } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";
import { dumpStore } from "./watched-store.ts";

type Judged = { readonly verdict: Verdict; readonly ms: number };

/** A run as a store has it. */
export interface Stored {
  head: RunHead;
  /** As the store has them: texts. */
  entries: string[];
  definition: string;
}

/** Judges what a changed run does that comes in as a file, of which whoever changed it made the checksum anew. */
export async function judgeRunFile(
  input: HostileInput,
  { head, entries, definition }: Stored,
  {
    openStore,
    stopwatch,
    response,
  }: { readonly openStore: () => Promise<Store>; readonly stopwatch: () => () => number; readonly response: string },
): Promise<Judged> {
  const { id, createdAt } = head;
  const run = { id, createdAt, texts: entries, checkpoints: [], blobs: [], drafts: [], secrets: new Map<string, string>() };
  const definitions = new Map([[head.definition, definition]]);
  const file = await writeRunFile({ run: id, definitions, blobs: new Map(), runs: [run] }, defaultHost());
  return judgeFile(input, file, { openStore, stopwatch, response });
}

/** Judges what files do of which the end is nothing but zeros, as many as each number says. */
export async function judgeZeroTails(
  input: HostileInput,
  lengths: readonly number[],
  openStore: () => Promise<Store>,
  stopwatch: () => () => number,
): Promise<Judged> {
  const { run, executor } = await attemptWorkflow(await openStore(), () => VICTIM);
  const file = await executor.runs.export(run!.id);
  await executor.close();
  const judged: Judged[] = [];
  for (const length of lengths) {
    const kept = file.slice(0, Math.max(0, file.length - length));
    judged.push(await judgeFile(input, kept.padEnd(file.length, "\0"), { openStore, stopwatch, response: "x" }));
  }
  return { verdict: worst(judged.map(({ verdict }) => verdict)), ms: Math.max(...judged.map(({ ms }) => ms)) };
}

async function judgeFile(
  { expect: { outcome, code } }: HostileInput,
  file: string,
  {
    openStore,
    stopwatch,
    response,
  }: { readonly openStore: () => Promise<Store>; readonly stopwatch: () => () => number; readonly response: string },
): Promise<Judged> {
  const store = await openStore();
  const before = await dumpStore(store);
  const executor = createExecutor({ store, blocks: [{ type: "Echo", execute: () => ({ status: "success", outputs: {} }) }] });
  try {
    const elapsed = stopwatch();
    const refusal = await useRun(executor, async () => executor.runs.import(file, { accept: true }), response);
    const ms = elapsed();
    if (outcome === "linear") return { verdict: PASSED, ms };
    if (refusal === undefined) {
      return { verdict: outcome === "refuse-or-inert" ? PASSED : failed(`${outcome} ${code}`, "the imported run went on"), ms };
    }
    if (!isRefusalFor(code, refusal)) return { verdict: failed(`${outcome} ${code} of the file`, refusal), ms };
    return { verdict: (await dumpStore(store)) === before ? PASSED : failed("a refusal that stores nothing", "something was stored"), ms };
  } finally {
    await executor.close();
  }
}
