import type { Value } from "../../../src/core/model/value.ts";
import { createExecutor } from "../../../src/index.ts";
import { memoryStore } from "../../../src/store/memory.ts";
import { loadWorkflow } from "../../../src/yaml/index.ts";
import { convertForm } from "../../../src/yaml/convert/index.ts";

/** Runs what was made of a form, with an answer for each page by its id. */
export async function drive(form: unknown, pages: { readonly [page: string]: Value }) {
  const workflow = loadWorkflow(convertForm(JSON.stringify(form)).yaml);
  const run = await createExecutor({ store: memoryStore() }).start(workflow);
  const asked: string[] = [];
  for (let result = await run.settled(); result.status === "paused";) {
    const [pause] = result.pauses;
    const page = pause!.path.join();
    asked.push(page);
    result = await run.answer(pause!.id, pages[page] ?? {});
    if (result.error) throw new Error(`${page}: ${JSON.stringify(result.error.details)}`);
  }
  return { asked, outputs: run.getSnapshot().outputs };
}
