import { Mastra } from "@mastra/core";
import { createStep, createWorkflow } from "@mastra/core/workflows";
import { z } from "zod";

const OK = z.object({ ok: z.boolean() });
const COUNT = z.object({ count: z.number() });

/** A workflow of Mastra: one step, `width` items beside each other, one more step. It stores nothing. */
export async function openMastraFan(width) {
  const first = createStep({
    id: "first",
    inputSchema: z.object({}),
    outputSchema: z.array(z.number()),
    execute: async () => Array.from({ length: width }, (_, index) => index),
  });
  const work = createStep({ id: "work", inputSchema: z.number(), outputSchema: OK, execute: async () => ({ ok: true }) });
  const last = createStep({
    id: "last",
    inputSchema: z.array(OK),
    outputSchema: COUNT,
    execute: async ({ inputData }) => ({ count: inputData.length }),
  });
  const fan = createWorkflow({ id: "fan", inputSchema: z.object({}), outputSchema: COUNT })
    .then(first)
    .foreach(work, { concurrency: width })
    .then(last)
    .commit();
  const mastra = new Mastra({ workflows: { fan }, logger: false });
  return {
    async run() {
      const run = await mastra.getWorkflow("fan").createRunAsync();
      const { status } = await run.start({ inputData: {} });
      if (status !== "success") throw new Error(`Mastra's run is ${status}.`);
    },
  };
}
