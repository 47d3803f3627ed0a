import { createExecutor, type Run, type RunResult, type Value } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { longWorkflows, longRunExecutor, type LongRunShape } from "../../support/long-run.ts";
import type { Testimony } from "../../support/witness.ts";

/** A run as a tab shows it. */
export interface Shown {
  readonly status: string;
  /** Open questions: their ids, with what has been typed. */
  readonly open: Readonly<Record<string, Value>>;
  /** Blocks with another status than pending. */
  readonly blocks: Readonly<Record<string, string>>;
}

/** What a test can call in a tab. */
export interface TabPage {
  /** Opens the run, or starts it where there is none, and goes on with it; gives its id. */
  open(name: string, shape: LongRunShape): Promise<string>;
  /** As it is shown: nothing is read for that. */
  look(): Shown;
  answer(pause: string, response: Value): Promise<RunResult>;
  type(pause: string, draft: Value): Promise<void>;
  settle(): Promise<RunResult>;
  /** The answers that are stored, read anew by an executor that never saw the run. */
  stored(name: string): Promise<readonly Value[]>;
}

declare global {
  var tab: TabPage;
}

const by = crypto.randomUUID();

async function tell(line: Testimony): Promise<void> {
  await fetch("/witness", { method: "POST", body: JSON.stringify(line) });
}

let run: Run;

globalThis.tab = {
  async open(name, shape) {
    const workflows = longWorkflows(shape);
    const executor = longRunExecutor({ by, tell, store: indexedDbStore({ name }) }, workflows);
    const start = (): Promise<Run> => executor.start("long", {}, { id: "shared" });
    run = await executor
      .open("run_shared")
      .catch(start)
      .catch(() => executor.open("run_shared"));
    run.subscribe(() => {});
    void run.resume().catch(() => {});
    return run.id;
  },
  look() {
    const { status, pauses, waves } = run.getSnapshot();
    const blocks = waves.flatMap((wave) => wave.blocks).filter((block) => block.status !== "pending");
    return {
      status,
      open: Object.fromEntries(pauses.map(({ id, draft = null }) => [id, draft])),
      blocks: Object.fromEntries(blocks.map((block) => [block.id, block.status])),
    };
  },
  answer: (pause, response) => run.answer(pause, response),
  type: (pause, draft) => run.saveDraft(pause, draft),
  settle: () => run.settled(),
  async stored(name) {
    const store = indexedDbStore({ name });
    const reader = createExecutor({ store });
    const items = await (await reader.open("run_shared")).answers();
    await reader.close();
    await store.close();
    return items.flatMap(({ answer }) => (answer === undefined ? [] : [answer]));
  },
};
document.title = "ready";
