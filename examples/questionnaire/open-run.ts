import { createExecutor, type Run } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import text from "./weekend.yaml?raw";

const executor = createExecutor({ store: indexedDbStore({ name: "weekend" }), workflows: [loadWorkflow(text)] });

/** A new questionnaire. */
export function startRun(): Promise<Run> {
  return executor.start("weekend");
}

/** The questionnaire that was begun last and has not ended, after a reload or a crash, else a new one. */
export async function openRun(): Promise<Run> {
  const [last] = (await executor.runs.list({ workflow: "weekend", limit: 1 })).items;
  if (last?.status !== "running" && last?.status !== "paused") return startRun();
  const run = await executor.open(last.id);
  run.resume().catch(reportError);
  return run;
}
