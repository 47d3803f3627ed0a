import { createExecutor, type Run, type Workflow } from "wavepoint";
import { createPauseForm } from "wavepoint/browser";
import { encryptedStore } from "wavepoint/encryption";
import { indexedDbStore } from "wavepoint/store/indexeddb";

/** What a test can call in a page in which a person types, and that is left in the same moment. The store is the one that the page's hash names. */
export interface TypistPage {
  /** What was typed before for the newest question. */
  shown(): unknown;
  /** Asks a question in a run that was never opened before. */
  askAnew(): Promise<void>;
  type(text: string): void;
  /** Types a text, and at once the page is loaded again, or another one is. */
  typeAndGo(text: string, to?: string): void;
}

declare global {
  var typist: TypistPage;
}

const ask: Workflow = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Your name?" } }] };
const name = location.hash.slice(1);
const database = indexedDbStore({ name });
const store = name === "encrypted" ? await encryptedStore(database, { key: new Uint8Array(32).fill(7) }) : database;
const executor = createExecutor({ store, workflows: [ask] });
let run: Run;

const [known] = (await executor.runs.list()).items;
if (known) run = await executor.open(known.id);
else await askAnew();

globalThis.typist = {
  shown: () => run.getSnapshot().pauses[0]?.draft,
  askAnew,
  type,
  typeAndGo(text, to) {
    type(text);
    if (to === undefined) location.reload();
    else location.href = to;
  },
};
document.title = "ready";

function type(text: string): void {
  createPauseForm(run, run.getSnapshot().pauses[0]!.id).saveDraft(text);
}

async function askAnew(): Promise<void> {
  run = await executor.start("ask");
  await run.settled();
}
