import { isWorkflowError } from "wavepoint";
import type { Executor, Run, Workflow } from "wavepoint";
import { expectWorkflowError } from "./attempt.ts";

/** A workflow that asks. */
export const VICTIM: Workflow = {
  name: "victim",
  blocks: [
    { id: "first", type: "Echo", inputs: { message: "done" } },
    { id: "ask", type: "GetInput", inputs: { prompt: "?" }, dependsOn: ["first"] },
    { id: "last", type: "Echo", inputs: { message: "end" }, dependsOn: ["ask"] },
  ],
};

/** Does with a run what people do. Gives the code of the refusal, if it is one. */
export async function useRun(executor: Executor, open: () => Promise<Run>, response: string): Promise<string | undefined> {
  try {
    const run = await open();
    await run.steps();
    await executor.checkpoints.list({ run: run.id });
    const [pause] = run.getSnapshot().pauses;
    const result = pause ? await run.answer(pause.id, response) : await run.settled();
    return result.status === "failure" ? result.error.code : undefined;
  } catch (thrown) {
    if (isWorkflowError(thrown)) return expectWorkflowError(thrown).code;
    throw thrown;
  }
}
