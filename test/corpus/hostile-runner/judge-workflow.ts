import { builtinBlocks } from "wavepoint/blocks";
import type { Store, Workflow } from "wavepoint";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import { attemptWorkflow, describeAttempt } from "./attempt.ts";
import type { Attempt } from "./attempt.ts";
import { findLostValue, findRunThatShouldNot } from "./check-values.ts";
import { judgePrompt, type ShowPrompt } from "./judge-prompt.ts";
import { judgeShortSecret } from "./judge-secret.ts";
import { isRefusalFor, namesRefusal } from "./refusal-codes.ts";
import { readSetup } from "./read-setup.ts";
import type { Site } from "./site.ts";
import { splitAttacks } from "./split-attacks.ts";
import { PASSED, failed, notApplicable } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";

const KNOWN_TYPES = new Set([...builtinBlocks.map((block) => block.type), "Echo"]);

/** What no workflow may exceed, however many blocks a wave has. */
const MOST_PARALLEL = 16;

export interface WorkflowJudging {
  readonly openStore: () => Promise<Store>;
  /** Where files and commands are granted, for workflows that want them. */
  readonly openSite: (() => Promise<Site>) | undefined;
  readonly showPrompt: ShowPrompt | undefined;
  readonly stopwatch: () => () => number;
}

/** Judges a workflow given as text. Gives how long the workflow itself took. */
export async function judgeWorkflow(
  input: HostileInput,
  text: string,
  judging: WorkflowJudging,
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  const { openStore, openSite, showPrompt, stopwatch } = judging;
  if (!wantsSite(text) || openSite === undefined) {
    const elapsed = stopwatch();
    const verdict = await judgeText(input, text, { openStore, showPrompt });
    return { verdict, ms: elapsed() };
  }
  const site = await openSite();
  try {
    const prepared = await site.prepare(text);
    if (prepared.missing !== undefined) return { verdict: notApplicable(prepared.missing), ms: 0 };
    const elapsed = stopwatch();
    const verdict = await judgeText(input, prepared.text, { openStore, showPrompt, site, contents: prepared.contents });
    const ms = elapsed();
    const damage = await site.findDamage();
    return { verdict: damage === undefined ? verdict : failed("nothing that reaches beyond the root", damage), ms };
  } finally {
    await site.close();
  }
}

interface Place {
  readonly openStore: () => Promise<Store>;
  readonly showPrompt: ShowPrompt | undefined;
  readonly site?: Site;
  /** Texts of files that were made for the workflow. */
  readonly contents?: readonly string[];
}

async function judgeText(input: HostileInput, text: string, place: Place): Promise<Verdict> {
  const { outcome, code } = input.expect;
  const missing = missingTypes(text);
  if (code === "E_SECRET_SHORT") return judgeShortSecret(text, await place.openStore());
  if (outcome === "rendered-as-text") return judgePrompt(loadWorkflow(text), place);
  if (missing.length > 0) return judgeUnknownType(input, text, missing, await place.openStore());
  if (outcome === "warn") return judgeByProblems(input, text);
  // In a shell's own language `${NAME}` is one of its variables; here it is written `$${NAME}`.
  const written = usesShell(text) ? text.replaceAll(/(?<!\$)\$\{([A-Z_]+)\}/g, "$$$${$1}") : text;
  const attacks = splitAttacks(input, written);
  for (const read of attacks) {
    const verdict = await judgeAttack(input, read, { text: written, ...place });
    if (verdict.status !== "passed") return verdict;
  }
  return PASSED;
}

async function judgeAttack(input: HostileInput, read: () => Workflow, place: Place & { readonly text: string }): Promise<Verdict> {
  const { site, openStore } = place;
  // Where it is the kind of file that is to be refused, the path must not be what it is refused for.
  const grants = site && (input.expect.code === "E_FILE_KIND" ? (site.wideGrants ?? site.grants) : site.grants);
  const attempt = await attemptWorkflow(await openStore(), read, grants === undefined ? {} : { grants });
  try {
    return await judgeAttempt(input, attempt, { ...place, read });
  } finally {
    await attempt.executor.close();
  }
}

async function judgeAttempt(
  input: HostileInput,
  attempt: Attempt,
  { text, read, site, contents = [] }: Place & { readonly text: string; readonly read: () => Workflow },
): Promise<Verdict> {
  const { outcome, code } = input.expect;
  const actual = describeAttempt(attempt);
  const { error, reached } = attempt;
  if (reached === "load" && attempt.writesAtLoad > 0) return failed("a refusal that writes nothing", `${attempt.writesAtLoad} writes`);
  // Nothing that is not granted can be attacked; the refusal must say where it is.
  if (usesShell(text) && site?.grants.shell === undefined && error !== undefined && reached === "load") {
    const saysWhere = error.code === "CAPABILITY_MISSING" && /Node/.test(error.message);
    return saysWhere || (await isProblem(code, attempt, text)) ? PASSED : failed("a refusal that says where commands run", actual);
  }
  const hasNoSuchPaths = code === "E_FILE_KIND" && site !== undefined && site.wideGrants === undefined;
  const codes = hasNoSuchPaths ? [code, "E_PATH_ESCAPE"] : [code];
  const areProblems = await Promise.all(codes.map((one) => isProblem(one, attempt, text)));
  const refused = error !== undefined && codes.some((one, i) => namesRefusal(one, error) || areProblems[i]);
  const isGood = attempt.result?.status === "success";
  switch (outcome) {
    case "reject-load":
    case "reject-config":
      if (refused && reached === "load") return PASSED;
      // Values in a command are data here: it may run, and then the shell must see them as they are.
      if (code === "E_SHELL_INTERP" && isGood) return judgeValues(attempt, read(), contents);
      return failed(`${outcome} ${code}`, actual);
    case "reject-run":
      return refused ? PASSED : failed(`${outcome} ${code}`, actual);
    case "reject-load-or-bounded":
    case "bounded": {
      if (refused && reached === "load") return PASSED;
      const isBounded = isGood && attempt.parallel <= MOST_PARALLEL;
      return isBounded
        ? PASSED
        : failed(`completion with at most ${MOST_PARALLEL} blocks at once`, `${actual}, ${attempt.parallel} at once`);
    }
    case "reject-load-or-exact":
      return refused && reached === "load" ? PASSED : judgeRoundTrip(attempt, read());
    case "round-trip-exact":
      return judgeRoundTrip(attempt, read());
    case "succeed-literal":
      if (!isGood) return failed("completion", actual);
      return (await findRunThatShouldNot(input, attempt.run!)) ?? judgeValues(attempt, read(), contents);
    default:
      return failed(`outcome "${outcome}"`, "an outcome this runner does not know");
  }
}

async function judgeValues(attempt: Attempt, workflow: Workflow, contents: readonly string[]): Promise<Verdict> {
  return (await findLostValue(attempt.run!, workflow, contents)) ?? PASSED;
}

/** A workflow of a block type that does not exist cannot attack anything: what counts is that it is refused for that, and says so. */
async function judgeUnknownType(input: HostileInput, text: string, missing: readonly string[], store: Store): Promise<Verdict> {
  const { outcome, code } = input.expect;
  const attempt = await attemptWorkflow(store, () => loadWorkflow(text));
  await attempt.executor.close();
  if (attempt.error && (namesRefusal(code, attempt.error) || (await isProblem(code, attempt, text)))) return PASSED;
  const isRefused = attempt.reached === "load" && attempt.error?.code === "BLOCK_TYPE_UNKNOWN" && attempt.writesAtLoad === 0;
  if (!isRefused) return failed(`${outcome} ${code}`, describeAttempt(attempt));
  const why = `there is no block type ${missing.join(", ")}`;
  return outcome.startsWith("reject") ? { status: "passed", why: `refused: ${why}` } : notApplicable(why);
}

async function judgeByProblems(input: HostileInput, text: string): Promise<Verdict> {
  const { problems } = await checkWorkflow(text);
  if (problems.some((problem) => isRefusalFor(input.expect.code, problem.code))) return PASSED;
  return failed(`${input.expect.outcome} ${input.expect.code}`, problems.map((problem) => problem.code).join(", ") || "no finding");
}

/** Every message came back as it was written, from the store too. */
async function judgeRoundTrip(attempt: Attempt, workflow: Workflow): Promise<Verdict> {
  if (attempt.result?.status !== "success") return failed("completion", describeAttempt(attempt));
  const steps = await (await attempt.executor.open(attempt.run!.id)).steps();
  for (const block of workflow.blocks) {
    const written = JSON.stringify(block.inputs?.message);
    const kept = JSON.stringify(steps.find((step) => step.block === block.id)?.outputs?.message);
    if (written !== kept) return failed(written ?? "a message", kept ?? "nothing");
  }
  return PASSED;
}

function typesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\btype: *"?([A-Z][A-Za-z]*)/g)].map((match) => match[1]!))];
}

function missingTypes(text: string): readonly string[] {
  return typesIn(text).filter((type) => !KNOWN_TYPES.has(type));
}

export function usesShell(text: string): boolean {
  return typesIn(text).some((type) => type === "Shell" || type === "CreateWorktree");
}

function wantsSite(text: string): boolean {
  const needy = new Set(builtinBlocks.filter(({ needs = [] }) => needs.length > 0).map(({ type }) => type));
  return typesIn(text).some((type) => needy.has(type)) || readSetup(text).length > 0;
}

/** Whether the reason is among all the problems of a workflow that was refused at load, of which the error is only the first. */
async function isProblem(code: string, { reached }: Attempt, text: string): Promise<boolean> {
  return reached === "load" && (await checkWorkflow(text)).problems.some((problem) => isRefusalFor(code, problem.code));
}
