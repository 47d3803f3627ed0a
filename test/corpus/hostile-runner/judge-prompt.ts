import { createExecutor } from "wavepoint";
import type { Pause, Run, Store, Workflow } from "wavepoint";
import { attemptWorkflow, describeAttempt } from "./attempt.ts";
import { PASSED, failed } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** Shows a question as people see it. Gives what is wrong with how it is shown, or nothing. */
export type ShowPrompt = (pause: Pause, run: Run) => Promise<string | undefined>;

/** Judges a workflow that asks: the prompt stays the text that was written, in memory, in the store and where it is shown. */
export async function judgePrompt(
  workflow: Workflow,
  { openStore, showPrompt }: { readonly openStore: () => Promise<Store>; readonly showPrompt: ShowPrompt | undefined },
): Promise<Verdict> {
  const store = await openStore();
  const attempt = await attemptWorkflow(store, () => workflow);
  await attempt.executor.close();
  if (attempt.result?.status !== "paused") return failed("a question", describeAttempt(attempt));
  const written = workflow.blocks[0]?.inputs?.["prompt"];

  const reader = createExecutor({ store });
  try {
    const run = await reader.open(attempt.run!.id);
    const stored = run.getSnapshot().pauses;
    for (const pause of [...attempt.result.pauses, ...stored]) {
      if (pause.prompt !== written) return failed(`the prompt ${JSON.stringify(written)}`, JSON.stringify(pause.prompt));
    }
    if (stored.length !== 1) return failed("one question in the store", String(stored.length));
    const problem = await showPrompt?.(stored[0]!, run);
    return problem === undefined ? PASSED : failed("a prompt shown as text", problem);
  } finally {
    await reader.close();
  }
}
