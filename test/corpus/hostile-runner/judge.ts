import type { Store } from "wavepoint";
import type { JournalFiles } from "./judge-bytes.ts";
import { judgeCheckpoint } from "./judge-checkpoint.ts";
import { judgeSealed } from "./judge-sealed.ts";
import { judgeExpression } from "./judge-expression.ts";
import { judgeIdentifier } from "./judge-identifier.ts";
import { judgePath } from "./judge-path.ts";
import type { ShowPrompt } from "./judge-prompt.ts";
import { judgeRegex } from "./judge-regex.ts";
import { judgeWorkflow, usesShell } from "./judge-workflow.ts";
import type { Site } from "./site.ts";
import { failed, notApplicable, worst } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";

/** Where the manifest names no time. */
const DEFAULT_MS = 250;
/** A pattern is tried on every key stroke's answer: it has less. */
const REGEX_MS = 50;
/** A machine that is busy with something else makes one try slow, not each of them. */
const TRIES_FOR_TIME = 3;

export type Stopwatch = () => () => number;

export interface JudgeOptions {
  /** Begins to measure; the function it gives tells how many milliseconds of work have passed. */
  readonly stopwatch: Stopwatch;
  /** Measures what passes on the wall, for inputs that wait for commands instead of working. Default: {@link stopwatch}. */
  readonly wallClock?: Stopwatch;
  readonly platform: string;
  /** Opens an empty store; identifiers are tried on each, the rest on the first. */
  readonly stores: readonly (() => Promise<Store>)[];
  /** Opens a place with files and commands. Without it nothing is granted. */
  readonly openSite?: () => Promise<Site>;
  /** Opens a store whose journals are files. Default: what is done to the bytes of a journal is not tried. */
  readonly openJournals?: () => Promise<JournalFiles>;
  /** Default: prompts are not shown. */
  readonly showPrompt?: ShowPrompt;
}

/** Judges an input twice in this process, as a second try may meet what the first left behind. `content` is its text, or its row. */
export async function judgeHostile(input: HostileInput, content: unknown, options: JudgeOptions): Promise<Verdict> {
  if (input.platform !== undefined && input.platform !== options.platform) return notApplicable(`only on ${input.platform}`);
  if (input.kind === "mcp") return notApplicable("there are no MCP tools yet");
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
  return ms <= limit
    ? judged.verdict
    : { status: "failed", expected: `a verdict in ${limit} ms`, actual: `${Math.round(ms)} ms`, slow: true };
}

async function judgeByKind(
  input: HostileInput,
  content: unknown,
  options: JudgeOptions,
): Promise<{ readonly verdict: Verdict; readonly ms?: number }> {
  const { stopwatch, wallClock = stopwatch, stores, openSite, openJournals, showPrompt } = options;
  const { in_: given, probe } = content as { readonly in_: unknown; readonly probe?: string };
  const store = stores[0]!;
  switch (input.kind) {
    case "workflow": {
      const text = String(content);
      const clock = usesShell(text) ? wallClock : stopwatch;
      return judgeWorkflow(input, text, { openStore: store, openSite, showPrompt, stopwatch: clock });
    }
    case "path":
      return judgePathAt(input, String(given), { openStore: store, openSite, stopwatch });
    case "checkpoint":
      return (
        (await judgeSealed(input, store, stopwatch)) ??
        judgeCheckpoint(input, String(content), { openStore: store, openJournals, stopwatch })
      );
    case "expression":
      return { verdict: await judgeExpression(input, String(given), store) };
    case "regex":
      return judgeRegex(input, String(given), probe ?? "", store, stopwatch);
    case "identifier": {
      const verdicts: Verdict[] = [];
      let ms = 0;
      for (const open of stores) {
        const elapsed = stopwatch();
        verdicts.push(await judgeIdentifier(input, given, open));
        ms = Math.max(ms, elapsed());
      }
      return { verdict: worst(verdicts), ms };
    }
    default:
      return { verdict: failed(`kind "${input.kind}"`, "a kind this runner does not know") };
  }
}

async function judgePathAt(
  input: HostileInput,
  path: string,
  {
    openStore,
    openSite,
    stopwatch,
  }: { readonly openStore: () => Promise<Store>; readonly openSite: JudgeOptions["openSite"]; readonly stopwatch: Stopwatch },
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  if (openSite === undefined) return { verdict: notApplicable("no files are granted here"), ms: 0 };
  const site = await openSite();
  try {
    const elapsed = stopwatch();
    const verdict = await judgePath(input, path, openStore, site);
    const ms = elapsed();
    const damage = await site.findDamage();
    return { verdict: damage === undefined ? verdict : failed("nothing that reaches beyond the root", damage), ms };
  } finally {
    await site.close();
  }
}

function prototypeNames(): string {
  return Reflect.ownKeys(Object.prototype).map(String).toSorted().join();
}
