import { defineBlock, defineWorkflow, success } from "wavepoint";
import type { BlockType, Workflow } from "wavepoint";

/** What a block tells the test when it begins, and what the test tells it. */
export type Word =
  | { readonly begun: string; readonly key: string; readonly mayHaveRun: boolean }
  | { readonly order: "finish" | "end worker" | "throw beside" };

/** On which they talk: it outlives the worker. */
export const TALK = "patient-blocks";

const blocks: readonly BlockType[] = [
  defineBlock({
    type: "Patient",
    async execute({ block, idempotencyKey: key, mayHaveRun, signal }) {
      const channel = new BroadcastChannel(TALK);
      const order = await new Promise<string>((resolve) => {
        channel.addEventListener("message", ({ data }: MessageEvent<Word>) => "order" in data && resolve(data.order));
        signal.addEventListener("abort", () => resolve("finish"));
        channel.postMessage({ begun: block, key, mayHaveRun } satisfies Word);
      });
      channel.close();
      if (order === "end worker") {
        self.close();
        // What it does in its last moment must not count.
        await new Promise(() => {});
      }
      if (order === "throw beside") reportError(new Error("Thrown beside the block."));
      return success({ order });
    },
  }),
];
export { blocks as patientBlocks };

/** A question, and work that takes until the test says so. */
export const patient: Workflow = defineWorkflow(
  {
    name: "patient",
    blocks: [
      { id: "ask", type: "GetInput", inputs: { prompt: "What?" } },
      { id: "work", type: "Patient", dependsOn: ["ask"] },
      { id: "more", type: "GetInput", inputs: { prompt: "More?" }, dependsOn: ["work"] },
    ],
    outputs: { said: "${blocks.ask.input_value}" },
  },
  { blocks },
);

/** The same where the work must not be done twice. */
export const careful: Workflow = defineWorkflow({ name: "careful", blocks: [{ id: "work", type: "Patient", effect: "once" }] }, { blocks });
