import { createExecutor, defineBlock, success, type Executor, type Run, type Store, type Workflow } from "wavepoint";

const passport: Workflow = {
  name: "passport",
  blocks: [
    { id: "number", type: "GetInput", inputs: { prompt: "Its number?" } },
    { id: "valid", type: "ConfirmOperation", inputs: { message: "Is ${blocks.number.input_value} valid?" }, dependsOn: ["number"] },
  ],
  outputs: { number: "${blocks.number.input_value}", valid: "${blocks.valid.confirmed}" },
};
const application: Workflow = {
  name: "application",
  inputs: { who: { type: "string" } },
  blocks: [
    { id: "photo", type: "Photo", inputs: { of: "${inputs.who}" } },
    { id: "where", type: "GetInput", inputs: { prompt: "Where to, ${inputs.who}?" }, dependsOn: ["photo"] },
    { id: "papers", type: "ExecuteWorkflow", inputs: { workflow: "passport" }, dependsOn: ["where"] },
    { id: "stamp", type: "Stamp", inputs: { photo: "${blocks.photo.pixels}", on: "${blocks.photo.day}" }, dependsOn: ["papers"] },
  ],
  outputs: {
    where: "${blocks.where.input_value}",
    number: "${blocks.papers.number}",
    valid: "${blocks.papers.valid}",
    stamp: "${blocks.stamp.text}",
  },
};

/** Bytes of a photo: more than an entry holds. */
const PHOTO_BYTES = 1_200_000;

const photo = defineBlock({
  type: "Photo",
  async execute({ inputs }) {
    const seed = String(inputs["of"]).length;
    const pixels = new Uint8Array(PHOTO_BYTES).map((_, i) => (i * seed) % 253);
    return success({ pixels, day: new Date(Date.UTC(2026, 1, 3)), note: "\u{1f4f7} Grüße, \u0000 and \u2028" });
  },
});
const stamp = defineBlock({
  type: "Stamp",
  async execute({ inputs }) {
    const { photo: pixels, on } = inputs as { readonly photo: Uint8Array; readonly on: Date };
    return success({ text: `${pixels.length} bytes, ${pixels.reduce((sum, byte) => sum + byte, 0)} in all, of ${on.toISOString()}` });
  },
});

/** What the wizard gives where it was answered with these, wherever that was. */
export const ANSWERS: readonly string[] = ["Rome", "A 12", "yes"];
export const OUTPUTS = {
  where: "Rome",
  number: "A 12",
  valid: true,
  stamp: "1200000 bytes, 151197984 in all, of 2026-02-03T00:00:00.000Z",
};

/** An executor on a store that knows the wizard: the same in a page and in Node. */
export function wizardExecutor(store: Store): Executor {
  return createExecutor({ store, workflows: [application, passport], blocks: [photo, stamp] });
}

/** Begins the wizard and answers its first questions. */
export async function beginWizard(executor: Executor, answers: number): Promise<Run> {
  const run = await executor.start("application", { who: "Ada" });
  await run.settled();
  await answerWizard(run, ANSWERS.slice(0, answers));
  return run;
}

/** Gives answers to the questions that are open, one after another. Gives how the run stands then. */
export async function answerWizard(run: Run, answers: readonly string[]): Promise<string> {
  for (const response of answers) await run.answer(run.getSnapshot().pauses[0]!.id, response);
  return (await run.settled()).status;
}
