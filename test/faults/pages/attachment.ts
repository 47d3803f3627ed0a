import { createExecutor, type Executor, type Run, type Value, type Workflow } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";

/** What a test can call in a page that sends in a photograph. */
export interface AttachmentPage {
  /** Opens the run, or starts it, and gives the questions that are open. */
  open(): Promise<readonly string[]>;
  /** Answers with a file of so many bytes, made by chance; gives their hash. */
  attach(bytes: number): Promise<string>;
  /** Answers the last question; gives how the run ends. */
  finish(): Promise<string>;
  /** What is stored of the file: its name and the hash of its bytes. */
  kept(): Promise<readonly [name: string, hash: string]>;
  /** The same of a copy that was exported and imported elsewhere. */
  moved(): Promise<readonly [name: string, hash: string]>;
}

declare global {
  var attachment: AttachmentPage;
}

const report: Workflow = {
  name: "report",
  blocks: [
    {
      id: "photo",
      type: "Form",
      inputs: {
        prompt: "What happened?",
        schema: { type: "object", properties: { file: { type: "object", format: "file" } }, required: ["file"] },
      },
    },
    { id: "where", type: "GetInput", inputs: { prompt: "Where?" }, dependsOn: ["photo"] },
  ],
};

/** Most bytes that browsers draw by chance in one call. */
const DRAWN_BYTES = 65_536;

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function fileOf(run: Run): Promise<readonly [string, string]> {
  const [photo] = await run.answers();
  const { name, bytes } = (photo!.answer as unknown as { file: { name: string; bytes: Uint8Array<ArrayBuffer> } }).file;
  return [name, await hashOf(bytes)];
}

let executor: Executor;
let run: Run;

globalThis.attachment = {
  async open() {
    executor = createExecutor({ store: indexedDbStore({ name: "reports" }), workflows: [report] });
    run = await executor.open("run_mine").catch(() => executor.start("report", {}, { id: "mine" }));
    await run.settled();
    return run.getSnapshot().pauses.map(({ prompt }) => prompt);
  },
  async attach(size) {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += DRAWN_BYTES) crypto.getRandomValues(bytes.subarray(at, at + DRAWN_BYTES));
    const file = { name: "crack.jpg", type: "image/jpeg", size, bytes };
    const result = await run.answer(run.getSnapshot().pauses[0]!.id, { file } as unknown as Value);
    if (result.status === "failure") throw new Error(result.error.message);
    return hashOf(bytes);
  },
  async finish() {
    return (await run.answer(run.getSnapshot().pauses[0]!.id, "In the cellar")).status;
  },
  kept: () => fileOf(run),
  async moved() {
    const text = await executor.runs.export(run.id);
    const elsewhere = createExecutor({ store: memoryStore(), workflows: [report] });
    return fileOf(await elsewhere.runs.import(text, { accept: true }));
  },
};
document.title = "ready";
