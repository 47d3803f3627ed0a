import { MAX_DURATION_MS } from "../model/limits.ts";
import { type BlockType, success } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";

/** Gives its message back, after a delay if one is asked for. Seed 2, "EchoBlock". */
export const echoBlock: BlockType = defineBlock({
  type: "EchoBlock",
  description: "Gives its message back, after a delay if one is asked for.",
  pure: true,
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        message: { type: "string", description: "The text to give back." },
        delay_ms: { type: "integer", minimum: 0, maximum: MAX_DURATION_MS, default: 0, description: "Milliseconds to wait first." },
      },
      required: ["message"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        echoed: { type: "string", description: "The message." },
        success: { type: "boolean", description: "`true`." },
      },
      required: ["echoed", "success"],
    },
  },
  async execute({ inputs, host, signal }) {
    if (inputs.delay_ms > 0) await host.sleep(inputs.delay_ms, signal);
    return success({ echoed: inputs.message, success: true });
  },
});
