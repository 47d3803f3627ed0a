import { createExecutor, isWorkflowError, type Executor, type Run, type RunResult, type Value } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { openIn, PAYMENT } from "../../support/orders.ts";
import { putService } from "../../support/put-service.ts";

/** What a test can call in a page with a payment. */
export interface PaymentPage {
  /** Opens the run of this name, or starts it. A payment of this page stays under way until `pay` is called. */
  open(name: string): Promise<void>;
  pay(): void;
  answer(question: string, answer: Value): Promise<RunResult>;
  revise(question: string, answer: Value): Promise<RunResult>;
  resume(): Promise<RunResult>;
  /** The questions that wait, by their paths, with the outcomes that one about the payment takes. */
  look(): Promise<{ readonly open: readonly string[]; readonly outcomes: readonly Value[] }>;
}

declare global {
  var payment: PaymentPage;
}

const by = crypto.randomUUID();
let release = (): void => {};
const released = new Promise<void>((resolve) => (release = resolve));
const service = putService(async ({ unit, key, value }) => {
  await fetch("/witness", { method: "POST", body: JSON.stringify({ type: "began", run: run.id, block: unit, key, by, proof: value }) });
  await released;
});
let executor: Executor;
let run: Run;

async function pauseOf(question: string): Promise<string> {
  await run.refresh();
  const open = run.getSnapshot().pauses.find(({ path }) => path.join("/") === question);
  return open?.id ?? (await run.answers()).find(({ path }) => path.join("/") === question)!.pause!;
}

globalThis.payment = {
  async open(name) {
    executor = createExecutor({ store: indexedDbStore({ name }), workflows: [PAYMENT], blocks: service.blocks });
    try {
      run = await executor.start("payment", {}, { id: name });
      await run.settled();
    } catch (error) {
      if (!isWorkflowError(error) || error.code !== "RUN_EXISTS") throw error;
      run = await executor.open(`run_${name}`);
    }
  },
  pay: () => release(),
  answer: async (question, answer) => run.answer(await pauseOf(question), answer),
  revise: async (question, answer) => run.revise(await pauseOf(question), answer),
  resume: () => run.resume(),
  async look() {
    await run.refresh();
    const about = run.getSnapshot().pauses.find(({ path }) => path[0] === "pay");
    return { open: openIn(run), outcomes: about?.schema.properties?.["outcome"]?.oneOf?.map((choice) => choice.const!) ?? [] };
  },
};
document.title = "ready";
