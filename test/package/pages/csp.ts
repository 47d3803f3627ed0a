import { createExecutor, isWorkflowError } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";

/** What a test can call in a page under a strict content security policy. */
export interface StrictPage {
  /** Answers all questions of a wizard; gives each step, and the outputs. */
  play(
    yaml: readonly string[],
    answers: Readonly<Record<string, string>>,
  ): Promise<{ readonly steps: readonly string[]; readonly result: unknown }>;
  /** The code of the error of a definition that is wrong. */
  refuse(yaml: string): Promise<string>;
  /** What a page must not do; gives whether it was allowed. */
  evaluate(): Promise<boolean>;
}

declare global {
  var strict: StrictPage;
}

/** What developer tools call directly is not held to the policy; what a timer calls is. */
const leaveTheTools = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

globalThis.strict = {
  async play(yaml, answers) {
    await leaveTheTools();
    const workflows = yaml.map((text) => loadWorkflow(text));
    const store = indexedDbStore({ name: "strict" });
    const executor = createExecutor({ store, workflows });
    const run = await executor.start(workflows[0]!.name);
    let result = await run.settled();
    while (result.status === "paused") {
      const pause = result.pauses[0]!;
      const wrong = await run.answer(pause.id, "");
      if (wrong.status !== "failure") throw new Error("An empty answer was taken.");
      result = await run.answer(pause.id, answers[pause.path.at(-1)!]!);
    }
    const steps = (await run.steps()).map(({ block, status }) => `${block} ${status}`);
    await executor.close();
    await store.close();
    return { steps, result };
  },
  async refuse(yaml) {
    await leaveTheTools();
    try {
      const workflow = loadWorkflow(yaml);
      await createExecutor({ store: indexedDbStore({ name: "strict" }) }).load(workflow);
      return "loaded";
    } catch (error) {
      return isWorkflowError(error) ? error.code : String(error);
    }
  },
  async evaluate() {
    await leaveTheTools();
    try {
      // eslint-disable-next-line no-new-func -- What the policy must refuse.
      return new Function("return true")() as boolean;
    } catch {
      return false;
    }
  },
};
document.title = "ready";
