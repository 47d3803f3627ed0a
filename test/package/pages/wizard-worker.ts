import { createExecutor, type Pause, type RunResult } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";

/** What the worker gets: what to run, or an answer. */
export type Order = { readonly run: string } | { readonly pause: string; readonly response: string };
/** What the worker tells: a question, the end, or what it stumbled over. */
export type News =
  | { readonly asks: Pick<Pause, "id" | "path">; readonly hasDocument: boolean }
  | { readonly ended: RunResult }
  | { readonly failed: string };

const store = indexedDbStore({ name: "worker" });
const executor = createExecutor({ store });

function report(result: RunResult): void {
  const [asked] = result.pauses ?? [];
  const news: News =
    asked === undefined ? { ended: result } : { asks: { id: asked.id, path: asked.path }, hasDocument: "document" in globalThis };
  postMessage(news);
}

addEventListener("unhandledrejection", ({ reason }) => postMessage({ failed: String(reason) } satisfies News));

addEventListener("message", async ({ data }: MessageEvent<Order>) => {
  if ("run" in data) {
    const run = await executor.start(loadWorkflow(data.run));
    report(await run.settled());
  } else report(await executor.answer(data.pause, data.response));
});
