import { createExecutor, defineBlock, isWorkflowError, success, type Run, type Workflow } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";

/** What a test can call in a page that stores more than there may be room for. */
export interface HoarderPage {
  /** Starts a run of blocks that each give as many random characters; gives how it came to rest: a status or the code of an error. */
  start(name: string, options: { readonly blocks: number; readonly characters: number }): Promise<string>;
  /** Goes on with it. */
  resume(): Promise<string>;
  /** Blocks with their number of characters, as the store has them, read by an executor of its own. */
  stored(): Promise<readonly string[]>;
  /** What the page shows. */
  look(): { readonly status: string; readonly error: string | undefined; readonly active: boolean };
  /** How often each block was executed. */
  executions(): Readonly<Record<string, number>>;
  /** Before this block ends the database is deleted, as someone does who clears the data of a site. */
  deleteDuring(block: string): void;
}

declare global {
  var hoarder: HoarderPage;
}

const CHARACTERS = Array.from({ length: 90 }, (_, i) => String.fromCodePoint(33 + i));

/** Random, since values are compressed before they count. */
function noise(length: number): string {
  let text = "";
  while (text.length < length) text += Array.from(crypto.getRandomValues(new Uint8Array(10_000)), (byte) => CHARACTERS[byte % 90]).join("");
  return text.slice(0, length);
}

const executions: Record<string, number> = {};
let deleted: string | undefined;
let database = "";
let flow: Workflow;
let run: Run;

const hoard = defineBlock({
  type: "Hoard",
  async execute({ inputs, block, host }) {
    executions[block] = (executions[block] ?? 0) + 1;
    await host.sleep(1);
    if (block === deleted) {
      await new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(database);
        request.addEventListener("success", () => resolve());
        request.addEventListener("error", () => reject(request.error!));
      });
    }
    return success({ text: noise(Number(inputs["characters"])) });
  },
});

const openExecutor = () => createExecutor({ store: indexedDbStore({ name: database }), blocks: [hoard], workflows: [flow] });

async function outcome(result: Promise<{ readonly status: string }>): Promise<string> {
  try {
    return (await result).status;
  } catch (error) {
    return isWorkflowError(error) ? error.code : String(error);
  }
}

globalThis.hoarder = {
  async start(name, { blocks, characters }) {
    database = name;
    flow = {
      name: "hoard",
      blocks: Array.from({ length: blocks }, (_, i) => ({
        id: `b${i}`,
        type: "Hoard",
        inputs: { characters },
        ...(i > 0 ? { dependsOn: [`b${i - 1}`] } : {}),
      })),
    };
    run = await openExecutor().start("hoard");
    return outcome(run.settled());
  },
  resume: () => outcome(run.resume()),
  async stored() {
    const executor = openExecutor();
    const { items } = await executor.runs.list();
    const steps = await Promise.all(items.map(async ({ id }) => (await executor.open(id)).steps()));
    return steps.flat().map(({ block, outputs }) => `${block} ${String(outputs?.["text"]).length}`);
  },
  look() {
    const { status, error, active } = run.getSnapshot();
    return { status, error: error?.code, active };
  },
  executions: () => executions,
  deleteDuring(block) {
    deleted = block;
  },
};
document.title = "ready";
