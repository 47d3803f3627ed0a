import { openDB } from "idb";
import { isWorkflowError, type RunResult, type Value } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { expedition, expeditionExecutor, findOrStart, travel, watchStore, type ExpeditionOptions } from "../../support/expedition.ts";
import type { Testimony } from "../../support/witness.ts";

/** What a test can ask of a page on the expedition. */
export interface TravellerPage {
  /**
   * Opens the store, starts the run or finds it. Gives the run's id, and the one that the page noted before, in a database of its own; no run
   * where the store says that its database was lost.
   */
  open(name: string, shape: ExpeditionOptions, onReset?: "accept"): Promise<{ readonly run?: string; readonly noted?: string | undefined }>;
  /** Goes on until all is done, answering what is asked. Gives how it ended, or the code of what was thrown. */
  travel(): Promise<string>;
  /** Goes on until something is asked, and leaves it there. */
  rest(): Promise<RunResult>;
  answer(pause: string, response: Value): Promise<RunResult>;
  /** As the page shows it: the questions, and every block with its status. */
  look(): Promise<{ readonly status: string; readonly questions: readonly string[]; readonly blocks: Readonly<Record<string, string>> }>;
  /** Every completed step of every stored run with what its output proves; read anew. */
  steps(): Promise<readonly string[]>;
  /** The outputs, once the run has completed. */
  outputs(): Promise<unknown>;
}

declare global {
  var traveller: TravellerPage;
}

const by = crypto.randomUUID();

async function tell(line: Testimony): Promise<void> {
  await fetch("/witness", { method: "POST", body: JSON.stringify(line) });
}

function openExpedition(name: string, shape: ExpeditionOptions, onReset: "fail" | "accept" = "fail") {
  const workflows = expedition(shape);
  const traveller = { by, tell, store: indexedDbStore({ name, onReset }) };
  const executor = expeditionExecutor(traveller, workflows);
  const run = findOrStart(executor);
  run.then(
    () => watchStore(indexedDbStore({ name }), traveller, { workflows, stopped: () => false }),
    () => {},
  );
  return { traveller, executor, run };
}

let opened: ReturnType<typeof openExpedition>;

globalThis.traveller = {
  async open(name, shape, onReset) {
    opened = openExpedition(name, shape, onReset);
    let id: string;
    try {
      ({ id } = await opened.run);
    } catch (error) {
      if (isWorkflowError(error) && error.code === "STORE_RESET") return {};
      throw error;
    }
    const notes = await openDB("notes", 1, { upgrade: (created) => void created.createObjectStore("notes") });
    const noted = (await notes.get("notes", name)) as string | undefined;
    await notes.put("notes", id, name);
    notes.close();
    await tell({ type: "ready", run: id, by });
    return { run: id, noted };
  },
  async travel() {
    return (await travel(await opened.run, opened.traveller)).status;
  },
  async rest() {
    return (await opened.run).resume();
  },
  async answer(pause, response) {
    return (await opened.run).answer(pause, response);
  },
  async look() {
    const { status, pauses, waves } = (await opened.run).getSnapshot();
    const blocks = Object.fromEntries(waves.flatMap((wave) => wave.blocks.map((block) => [block.id, block.status])));
    return { status, questions: pauses.map(({ prompt }) => prompt), blocks };
  },
  async steps() {
    const { executor } = opened;
    const found: string[] = [];
    for (const head of (await executor.runs.list()).items) {
      for (const step of await (await executor.open(head.id)).steps()) {
        if (step.status === "completed")
          found.push(`${head.id}/${step.block} ${String(step.outputs?.["proof"] ?? step.outputs?.["input_value"])}`);
      }
    }
    return found;
  },
  async outputs() {
    return (await opened.run).getSnapshot().outputs;
  },
};
document.title = "ready";
