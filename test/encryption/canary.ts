import { createExecutor, defineBlock, failure, pause, success } from "wavepoint";
import type { Store, Workflow } from "wavepoint";

/** What people say in the runs of {@link playCanaries}: each appears once, in a place of its own. */
export const CANARIES = {
  prompt: "c4nary-in-the-prompt",
  input: "c4nary-in-an-input",
  draft: "c4nary-in-a-draft",
  answer: "c4nary-in-the-answer",
  output: "c4nary-in-an-output",
  error: "c4nary-in-an-error",
  detail: "c4nary-in-a-detail",
} as const;

const WORKFLOW: Workflow = {
  name: "telltale",
  inputs: { secretly: { type: "string" } },
  blocks: [
    { id: "ask", type: "Ask", inputs: { prompt: `${CANARIES.prompt}?` } },
    { id: "tell", type: "Tell", inputs: { text: "${inputs.secretly}" }, dependsOn: ["ask"] },
    { id: "fail", type: "Fail", dependsOn: ["tell"] },
  ],
};

const ask = defineBlock({
  type: "Ask",
  execute: async ({ inputs }) => pause({ prompt: String(inputs["prompt"]), metadata: { note: CANARIES.prompt } }),
  resume: async ({ response }) => success({ answer: response }),
});
const tell = defineBlock({ type: "Tell", execute: async ({ inputs }) => success({ text: inputs["text"], more: CANARIES.output }) });
const fail = defineBlock({ type: "Fail", execute: async () => failure(CANARIES.error, { details: { more: CANARIES.detail } }) });

/** Runs a workflow that pauses, is answered and fails, and leaves a second run that waits. Gives what can be seen of both. */
export async function playCanaries(store: Store): Promise<string> {
  const executor = createExecutor({ store, workflows: [WORKFLOW], blocks: [ask, tell, fail] });
  const inputs = { secretly: CANARIES.input };
  const [run, waiting] = [await executor.start(WORKFLOW.name, inputs), await executor.start(WORKFLOW.name, inputs)];
  const seen: unknown[] = [await run.settled(), await waiting.settled()];
  await store.putNote(waiting.id, "draft.0", CANARIES.draft);
  seen.push(await run.answer(run.getSnapshot().pauses[0]!.id, CANARIES.answer));
  for (const one of [run, waiting]) seen.push(await store.head(one.id), await store.read(one.id), await store.notes(one.id));
  await executor.close();
  return JSON.stringify(seen);
}

/** The ways in which a text may stand in bytes that are read as Latin-1. */
export function formsOf(text: string): readonly string[] {
  const hex = [...text].map((letter) => letter.charCodeAt(0).toString(16)).join("");
  // What stands between other letters in base64 begins at one of three places; its first and last letters depend on those.
  const base64 = ["", "x", "xx"].map((before) => btoa(before + text).slice(4, -4));
  return [text, [...text].toReversed().join(""), hex, hex.toUpperCase(), ...base64, [...text].join("\0"), encodeURIComponent(text)];
}
