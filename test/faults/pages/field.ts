import { createExecutor, type Run, type Workflow } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";

/** What a test can call in a page with one question. What it shows is what a person would see in the field. */
export interface FieldPage {
  type(text: string): Promise<void>;
  /** The drafts, read again. */
  look(): Promise<readonly unknown[]>;
  shown(): readonly unknown[];
  /** Answers; gives how the run stands then. */
  send(text: string): Promise<string>;
  kept(): Promise<readonly string[]>;
}

declare global {
  var field: FieldPage;
}

const ask: Workflow = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Your name?" } }] };
const store = indexedDbStore({ name: "drafts" });
const executor = createExecutor({ store, workflows: [ask] });

async function findOrStart(): Promise<Run> {
  const [known] = (await executor.runs.list()).items;
  if (known) return executor.open(known.id);
  const run = await executor.start("ask");
  await run.settled();
  return run;
}

const run = await findOrStart();
const pause = run.getSnapshot().pauses[0]?.id ?? "";
const drafts = (): readonly unknown[] => run.getSnapshot().pauses.map(({ draft }) => draft);

globalThis.field = {
  type: (text) => run.saveDraft(pause, text),
  async look() {
    await run.refresh();
    return drafts();
  },
  shown: drafts,
  send: async (text) => (await run.answer(pause, text)).status,
  kept: async () => (await store.notes(run.id)).map(({ text }) => text),
};
document.title = "ready";
