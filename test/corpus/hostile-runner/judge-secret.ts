import { createExecutor, success } from "wavepoint";
import type { BlockType, Store } from "wavepoint";
import { loadWorkflow } from "wavepoint/yaml";
import { expectWorkflowError } from "./attempt.ts";
import { failed, PASSED } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** Takes a secret where the hostile workflows put one. */
const echo: BlockType = {
  type: "Echo",
  secretInputs: ["message"],
  execute: ({ inputs }) => success({ message: (inputs as { readonly message: string }).message }),
};

/** Judges a workflow whose host gives a secret of one character: masking it would mask everything, so nothing may start. */
export async function judgeShortSecret(text: string, store: Store): Promise<Verdict> {
  const executor = createExecutor({ store, blocks: [echo], secrets: () => "1" });
  try {
    await executor.start(loadWorkflow(text));
    return failed("a refusal", "it started");
  } catch (thrown) {
    const { code } = expectWorkflowError(thrown);
    const runs = (await executor.runs.list()).items.length;
    return code === "SECRET_TOO_SHORT" && runs === 0 ? PASSED : failed("SECRET_TOO_SHORT and no run", `${code} and ${runs} runs`);
  } finally {
    await executor.close();
  }
}
