import type { Store, Workflow } from "wavepoint";
import { attemptWorkflow, expectWorkflowError } from "./attempt.ts";
import { isRefusalFor } from "./refusal-codes.ts";
import { PASSED, failed } from "./verdict.ts";
import type { HostileInput, Verdict } from "./verdict.ts";
import { dumpStore } from "./watched-store.ts";

/** Judges a `validation_pattern` of a workflow together with the answer that is typed. Gives also how long each part took. */
export async function judgeRegex(
  input: HostileInput,
  pattern: string,
  probe: string,
  openStore: () => Promise<Store>,
  stopwatch: () => () => number,
): Promise<{ readonly verdict: Verdict; readonly ms: number }> {
  const workflow: Workflow = {
    name: "hostile",
    blocks: [{ id: "ask", type: "GetInput", inputs: { prompt: "?", validation_pattern: pattern } }],
  };
  const { outcome, code } = input.expect;
  const loading = stopwatch();
  const attempt = await attemptWorkflow(await openStore(), () => workflow);
  const loadMs = loading();
  try {
    if (outcome === "reject-load") {
      const isRefused = attempt.reached === "load" && attempt.error !== undefined && isRefusalFor(code, attempt.error.code);
      const verdict = isRefused ? PASSED : failed(`reject-load ${code}`, attempt.error?.message ?? "it was loaded");
      return { verdict, ms: loadMs };
    }
    if (attempt.result?.status !== "paused") return { verdict: failed("a question", attempt.error?.message ?? "none"), ms: loadMs };

    const before = await dumpStore(attempt.store);
    const answering = stopwatch();
    const answer = await attempt.executor.answer(attempt.result.pauses[0]!.id, probe).then(
      (result) => (result.status === "failure" ? result.error : undefined),
      (thrown: unknown) => expectWorkflowError(thrown),
    );
    const ms = Math.max(loadMs, answering());
    if (answer !== undefined && (await dumpStore(attempt.store)) !== before) {
      return { verdict: failed("a refusal that changes no stored byte", `${answer.code}, and the store changed`), ms };
    }
    if (outcome === "linear") return { verdict: PASSED, ms };
    const isRefused = answer !== undefined && isRefusalFor(code, answer.code);
    return { verdict: isRefused ? PASSED : failed(`${outcome} ${code}`, answer?.message ?? "the answer was taken"), ms };
  } finally {
    await attempt.executor.close();
  }
}
