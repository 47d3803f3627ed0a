import { openDB } from "idb";
import { isWorkflowError, type RunResult, type Value } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import {
  findOrStart,
  finishRun,
  longRunExecutor,
  type LongRunShape,
  longWorkflows,
  stepName,
  storedSignals,
  watchStore,
} from "../../support/long-run.ts";
import type { Testimony } from "../../support/witness.ts";

/** What a test can call in a page that goes on with a long run. */
export interface LongRunPage {
  /**
   * Opens the store, starts the run or finds it. Gives the run's id, and the one that the page noted before, in a database of its own; no run
   * where the store says that its database was lost.
   */
  open(name: string, shape: LongRunShape, onReset?: "accept"): Promise<{ readonly run?: string; readonly noted?: string | undefined }>;
  /** Goes on until the run has ended, and answers each question. Gives how it ended, or the code of what was thrown. */
  finish(): Promise<string>;
  /** Goes on until something is asked, and leaves it there. */
  untilAsked(): Promise<RunResult>;
  answer(pause: string, response: Value): Promise<RunResult>;
  /** As the page shows it: the questions, and every block with its status. */
  view(): Promise<{ readonly status: string; readonly questions: readonly string[]; readonly blocks: Readonly<Record<string, string>> }>;
  /** Every completed step of every stored run with what its output proves; read anew. */
  steps(): Promise<readonly string[]>;
  /** The answers that the run has, those in runs that it called included. */
  answers(): Promise<readonly Value[]>;
  /** The names of the signals that the run took, as its journal has them. */
  signals(): Promise<readonly string[]>;
  /** The names of the files of the run that are there with all their bytes. */
  files(): Promise<readonly string[]>;
  /** The outputs, once the run has completed. */
  outputs(): Promise<unknown>;
}

declare global {
  var longRun: LongRunPage;
}

const by = crypto.randomUUID();

async function tell(line: Testimony): Promise<void> {
  await fetch("/witness", { method: "POST", body: JSON.stringify(line) });
}

function openLongRun(name: string, shape: LongRunShape, onReset: "fail" | "accept" = "fail") {
  const workflows = longWorkflows(shape);
  const worker = { by, tell, store: indexedDbStore({ name, onReset }) };
  const executor = longRunExecutor(worker, workflows);
  const run = findOrStart(executor);
  run.then(
    () => watchStore(indexedDbStore({ name }), worker, { workflows, stopped: () => false }),
    () => {},
  );
  return { worker, executor, run };
}

let opened: ReturnType<typeof openLongRun>;

globalThis.longRun = {
  async open(name, shape, onReset) {
    opened = openLongRun(name, shape, onReset);
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
  async finish() {
    return (await finishRun(await opened.run, opened.worker)).status;
  },
  async untilAsked() {
    return (await opened.run).resume();
  },
  async answer(pause, response) {
    return (await opened.run).answer(pause, response);
  },
  async view() {
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
          found.push(`${head.id}/${stepName(step)} ${String(step.outputs?.["proof"] ?? step.outputs?.["input_value"])}`);
      }
    }
    return found;
  },
  async answers() {
    return (await (await opened.run).answers()).flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
  },
  async signals() {
    return storedSignals(opened.worker.store, (await opened.run).id);
  },
  async files() {
    const run = await opened.run;
    const names: string[] = [];
    for (const { name, size } of await run.files()) {
      const { bytes } = await run.readFile(name);
      if (bytes.length === size) names.push(name);
    }
    return names;
  },
  async outputs() {
    return (await opened.run).getSnapshot().outputs;
  },
};
document.title = "ready";
