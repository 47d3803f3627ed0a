import type { Executor, Store, Value } from "wavepoint";
import type { GoldenCase } from "./golden-cases.ts";
import { processesOver } from "./golden-process.ts";

/** The day on which golden runs are found again. */
const FOUND_ON = 20;

/** What becomes of a golden run that is read and goes on. */
export interface Findings {
  readonly run: string;
  /** What reading it tells. */
  readonly found: Value;
  /** How it ends. */
  readonly end: Value;
}

/** An executor that finds golden runs. */
export function finder(store: Store, { workflows, policy }: GoldenCase): Executor {
  return processesOver(store, { day: FOUND_ON, mended: true, policy })(...workflows);
}

/** Reads a run and goes on with it. */
export async function tryOut(store: Store, golden: GoldenCase, run: string): Promise<Findings> {
  const executor = finder(store, golden);
  const found = await readRun(executor, run);
  const end = asJson(await golden.goOn(await executor.open(run), executor));
  await executor.close();
  return { run, found, end };
}

/** Everything that is told of a run to whoever opens it. */
export async function readRun(executor: Executor, id: string): Promise<Value> {
  const run = await executor.open(id);
  const view = run.getSnapshot();
  const { items } = await executor.checkpoints.list({ run: id });
  const checkpoints: unknown[] = [];
  for (const checkpoint of items) {
    checkpoints.push(await executor.checkpoints.get(checkpoint.id).catch((error: { readonly code: string }) => error.code));
  }
  return asJson({ view, steps: await run.steps(), state: await run.state(), checkpoints });
}

/** A value as JSON, with what JSON lacks as text. */
function asJson(value: unknown): Value {
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof Map || member instanceof Set) return [...(member as Iterable<unknown>)];
    if (member instanceof Uint8Array) return `${member.length} bytes: ${member.slice(0, 4).join(" ")}`;
    if (typeof member === "bigint" || Number.isNaN(member)) return String(member);
    return typeof member === "string" && member.length > 200 ? `${member.length} characters: ${member.slice(0, 20)}` : member;
  });
  return JSON.parse(text ?? "null") as Value;
}
