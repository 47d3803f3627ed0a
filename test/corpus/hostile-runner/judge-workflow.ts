import { builtinBlocks } from "wavepoint/blocks";
import type { Store, Workflow } from "wavepoint";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";
import { attemptWorkflow } from "./attempt.ts";
import type { Attempt } from "./attempt.ts";
import { judgeShortSecret } from "./judge-secret.ts";
import { isRefusalFor } from "./refusal-codes.ts";
import { PASSED, failed, notApplicable } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";

const KNOWN_TYPES = new Set([...builtinBlocks.map((block) => block.type), "Echo"]);

/** What no workflow may exceed, however many blocks a wave has. */
const MOST_PARALLEL = 16;

/** Judges a workflow given as text. */
export async function judgeWorkflow(input: HostileInput, text: string, openStore: () => Promise<Store>): Promise<Verdict> {
  const { outcome, code } = input.expect;
  if (outcome === "rendered-as-text") return notApplicable("prompts are rendered by the page and the terminal, not by the engine");
  const missing = missingTypes(text);
  if (code === "E_SECRET_SHORT") return judgeShortSecret(text, await openStore());
  if (missing.length > 0 || outcome === "warn") return judgeByProblems(input, text, missing);

  const attempt = await attemptWorkflow(await openStore(), () => loadWorkflow(text));
  try {
    return await judgeAttempt(input, attempt, text);
  } finally {
    await attempt.executor.close();
  }
}

async function judgeAttempt(input: HostileInput, attempt: Attempt, text: string): Promise<Verdict> {
  const { outcome, code } = input.expect;
  const actual = describeAttempt(attempt);
  if (attempt.reached === "load" && attempt.writesAtLoad > 0) return failed("a refusal that writes nothing", `${attempt.writesAtLoad} writes`);
  const refused = attempt.error !== undefined && (namesRefusal(code, attempt) || isProblem(code, attempt, text));
  switch (outcome) {
    case "reject-load":
    case "reject-config":
      return refused && attempt.reached === "load" ? PASSED : failed(`${outcome} ${code}`, actual);
    case "reject-run":
      return refused ? PASSED : failed(`${outcome} ${code}`, actual);
    case "reject-load-or-bounded":
    case "bounded": {
      if (refused && attempt.reached === "load") return PASSED;
      const isBounded = attempt.result?.status === "success" && attempt.parallel <= MOST_PARALLEL;
      return isBounded ? PASSED : failed(`completion with at most ${MOST_PARALLEL} blocks at once`, `${actual}, ${attempt.parallel} at once`);
    }
    case "reject-load-or-exact":
      return refused && attempt.reached === "load" ? PASSED : judgeRoundTrip(attempt, loadWorkflow(text));
    case "round-trip-exact":
      return judgeRoundTrip(attempt, loadWorkflow(text));
    case "succeed-literal":
      return attempt.result?.status === "success" ? PASSED : failed("completion", actual);
    default:
      return failed(`outcome "${outcome}"`, "an outcome this runner does not know");
  }
}

/** For workflows that need a block type which does not exist: only a finding about the attacked thing itself counts. */
function judgeByProblems(input: HostileInput, text: string, missing: readonly string[]): Verdict {
  const { problems } = checkWorkflow(text);
  if (problems.some((problem) => isRefusalFor(input.expect.code, problem.code))) return PASSED;
  if (missing.length > 0) return notApplicable(`needs the block type ${missing.join(", ")}`);
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

function missingTypes(text: string): string[] {
  const types = [...text.matchAll(/\btype: *"?([A-Z][A-Za-z]*)/g)].map((match) => match[1]!);
  return [...new Set(types)].filter((type) => !KNOWN_TYPES.has(type));
}

/** Whether the reason is among all the problems of a workflow that was refused at load, of which the error is only the first. */
function isProblem(code: string, { reached }: Attempt, text: string): boolean {
  return reached === "load" && checkWorkflow(text).problems.some((problem) => isRefusalFor(code, problem.code));
}

/** Whether the reason is in the error itself, or in the one of the called workflow or block that it tells of. */
function namesRefusal(code: string, attempt: Attempt): boolean {
  const codes = JSON.stringify(attempt.error).match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [];
  return codes.some((found) => isRefusalFor(code, found));
}

function describeAttempt(attempt: Attempt): string {
  if (attempt.error === undefined) return `it ran: ${attempt.result?.status}`;
  return `at ${attempt.reached} ${attempt.error.code}: ${attempt.error.message}`;
}
