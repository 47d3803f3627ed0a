import { createExecutor, type Executor, type Run, type RunResult, type Value } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { longWorkflows, longRunExecutor, storedSignals, type LongRunShape } from "../../support/long-run.ts";
import type { Testimony } from "../../support/witness.ts";

/** A run as a tab shows it. */
export interface Shown {
  readonly status: string;
  /** Set where it was stopped for now. */
  readonly reason?: string | undefined;
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
  signal(name: string, id: string): Promise<void>;
  stop(): Promise<RunResult>;
  resume(): Promise<RunResult>;
  /** Goes on with runs that a dead process left, and gives which. */
  recover(): Promise<readonly string[]>;
  /** The names of the signals that the run took, as its journal has them. */
  signals(name: string): Promise<readonly string[]>;
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

let executor: Executor;
let run: Run;

globalThis.tab = {
  async open(name, shape) {
    const workflows = longWorkflows(shape);
    executor = longRunExecutor({ by, tell, store: indexedDbStore({ name }) }, workflows);
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
    const { status, reason, pauses, waves } = run.getSnapshot();
    const blocks = waves.flatMap((wave) => wave.blocks).filter((block) => block.status !== "pending");
    return {
      status,
      ...(reason === undefined ? {} : { reason }),
      open: Object.fromEntries(pauses.map(({ id, draft = null }) => [id, draft])),
      blocks: Object.fromEntries(blocks.map((block) => [block.id, block.status])),
    };
  },
  answer: (pause, response) => run.answer(pause, response),
  type: (pause, draft) => run.saveDraft(pause, draft),
  settle: () => run.settled(),
  signal: (name, id) => run.signal(name, name, { id }),
  stop: () => run.stop(),
  resume: () => run.resume(),
  async recover() {
    return (await executor.recover()).runs;
  },
  async signals(name) {
    const store = indexedDbStore({ name });
    const found = await storedSignals(store, run.id);
    await store.close();
    return found;
  },
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
