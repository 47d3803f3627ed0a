import { defineBlock, success } from "wavepoint";

/** A block type of your own: what it does is yours, and a run that is killed in its middle goes on without it running twice. */
export const badge = defineBlock({
  type: "Badge",
  inputs: {
    jsonSchema: { type: "object", properties: { name: { type: "string" }, meal: { type: "string" } }, required: ["name", "meal"] },
  },
  outputs: { jsonSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } },
  execute: ({ inputs }) => success({ text: `${inputs.name} · ${inputs.meal.toLowerCase()}` }),
});
