import { defineBlock, success, type BlockType } from "wavepoint";
import type { Effects } from "./effects.ts";

/** How long a block works on a letter after it has stamped it, in milliseconds: time enough to kill it. */
const WORK_MS = 4_000;

/** The block types that the demo adds to the built-in ones. */
export function demoBlockTypes(effects: Effects): readonly BlockType[] {
  return [stampLetter(effects)];
}

/** Has an effect first and works on afterwards, so that killing it in between leaves the effect done and no record of it. */
function stampLetter(effects: Effects): BlockType {
  return defineBlock({
    type: "StampLetter",
    description: "Stamps a letter in a database of its own, then works for four seconds.",
    effect: "repeatable",
    inputs: { jsonSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"], additionalProperties: false } },
    async execute({ inputs, run, block, item, idempotencyKey, mayHaveRun, host, signal }) {
      const { to } = inputs as { readonly to: string };
      const name = item ? `${block}[${item.index}]` : block;
      const stamped = await effects.stamp({ run, block: name, to, key: idempotencyKey });
      await host.sleep(WORK_MS, signal);
      return success({ to, stamped_now: stamped, second_try: mayHaveRun });
    },
  });
}
