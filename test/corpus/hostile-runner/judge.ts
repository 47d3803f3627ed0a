import type { Store } from "wavepoint";
import { judgeExpression } from "./judge-expression.ts";
import { judgeIdentifier } from "./judge-identifier.ts";
import { judgeRegex } from "./judge-regex.ts";
import { judgeWorkflow } from "./judge-workflow.ts";
import { failed, notApplicable, worst } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";

/** Where the manifest names no time. */
const DEFAULT_MS = 250;
/** A pattern is tried on every key stroke's answer: it has less. */
const REGEX_MS = 50;
/** A machine that is busy with something else makes one try slow, not each of them. */
const TRIES_FOR_TIME = 3;

/** Kinds of input for which there is nothing to attack yet, and why. */
const ABSENT: ReadonlyMap<string, string> = new Map([
  ["path", "there are no file blocks yet"],
  ["checkpoint", "stored checkpoints cannot be imported yet"],
  ["mcp", "there are no MCP tools yet"],
]);

export type Stopwatch = () => () => number;

export interface JudgeOptions {
  /** Begins to measure; the function it gives tells how many milliseconds of work have passed. */
  readonly stopwatch: Stopwatch;
  readonly platform: string;
  /** Opens an empty store; identifiers are tried on each, the rest on the first. */
  readonly stores: readonly (() => Promise<Store>)[];
}

/** Judges an input twice in this process, as a second try may meet what the first left behind. `content` is its text, or its row. */
export async function judgeHostile(input: HostileInput, content: unknown, options: JudgeOptions): Promise<Verdict> {
  if (input.platform !== undefined && input.platform !== options.platform) return notApplicable(`only on ${input.platform}`);
  const absent = ABSENT.get(input.kind);
  if (absent !== undefined) return notApplicable(absent);
  let verdict = await judgeTwice(input, content, options);
  for (let tries = 1; verdict.status === "failed" && verdict.slow === true && tries < TRIES_FOR_TIME; tries += 1) {
    verdict = await judgeTwice(input, content, options);
  }
  return verdict;
}

async function judgeTwice(input: HostileInput, content: unknown, options: JudgeOptions): Promise<Verdict> {
  const first = await judgeOnce(input, content, options);
  return first.status === "passed" ? judgeOnce(input, content, options) : first;
}

async function judgeOnce(input: HostileInput, content: unknown, options: JudgeOptions): Promise<Verdict> {
  const names = prototypeNames();
  const elapsed = options.stopwatch();
  const judged = await judgeByKind(input, content, options);
  const ms = judged.ms ?? elapsed();
  if (prototypeNames() !== names) return failed("Object.prototype as it was", "it has other names");
  if (judged.verdict.status !== "passed") return judged.verdict;
  const limit = Math.min(input.expect.within_ms ?? DEFAULT_MS, input.kind === "regex" ? REGEX_MS : Infinity);
  return ms <= limit ? judged.verdict : { status: "failed", expected: `a verdict in ${limit} ms`, actual: `${Math.round(ms)} ms`, slow: true };
}

async function judgeByKind(
  input: HostileInput,
  content: unknown,
  { stopwatch, stores }: JudgeOptions,
): Promise<{ readonly verdict: Verdict; readonly ms?: number }> {
  const row = content as { readonly in_: unknown; readonly probe?: string };
  const store = stores[0]!;
  switch (input.kind) {
    case "workflow":
      return { verdict: await judgeWorkflow(input, String(content), store) };
    case "expression":
      return { verdict: await judgeExpression(input, String(row.in_), store) };
    case "regex":
      return judgeRegex(input, String(row.in_), row.probe ?? "", store, stopwatch);
    case "identifier": {
      const verdicts: Verdict[] = [];
      let ms = 0;
      for (const open of stores) {
        const elapsed = stopwatch();
        verdicts.push(await judgeIdentifier(input, row.in_, open));
        ms = Math.max(ms, elapsed());
      }
      return { verdict: worst(verdicts), ms };
    }
    default:
      return { verdict: failed(`kind "${input.kind}"`, "a kind this runner does not know") };
  }
}

function prototypeNames(): string {
  return Reflect.ownKeys(Object.prototype).map(String).sort().join();
}
