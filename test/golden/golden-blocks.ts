import { defineBlock, invalid, pause, success, type BlockType } from "wavepoint";
import { workshop } from "../support/workshop.ts";

const LARGE_BYTES = 20_000;
const LONG_TEXT = 4_000;

/**
 * The block types of the golden runs. `Work` fails until it is mended, so that a run may fail when it is written and go on when it is
 * read; `Hang` never ends. `Nap` is `Sleep` under the name that stored runs have for it.
 */
export function goldenBlocks(options: { readonly mended: boolean }): readonly BlockType[] {
  const shop = workshop();
  if (options.mended) shop.mend();
  return [
    ...shop.blocks,
    ...shop.blocks.filter(({ type }) => type === "Sleep").map((sleep) => ({ ...sleep, type: "Nap" })),
    defineBlock({
      type: "Values",
      execute: async () =>
        success({
          when: new Date(Date.UTC(2026, 10, 21)),
          names: new Map([["b", new Set([1, 2])]]),
          count: 12_345_678_901_234_567_890n,
          few: Uint8Array.of(1, 2, 255),
          many: new Uint8Array(LARGE_BYTES).fill(7),
          nothing: undefined,
          none: Number.NaN,
          long: "wave ".repeat(LONG_TEXT),
        }),
    }),
    defineBlock({
      type: "Count",
      execute: ({ carried, nextIteration }) => {
        const count = ((carried as number | undefined) ?? 0) + 1;
        return count < 3 ? nextIteration(count) : success({ count });
      },
    }),
    defineBlock({
      type: "Picky",
      execute: () => pause({ prompt: "The word?", schema: { type: "string" }, metadata: { hint: "wave" } }),
      resume: ({ response, pause: { metadata } }) =>
        response === metadata["hint"] ? success({ word: response }) : invalid("That is not the word."),
    }),
    defineBlock({ type: "Hang", execute: () => new Promise<never>(() => {}), resume: () => success({}) }),
    defineBlock({ type: "Charge", effect: "once", execute: () => new Promise<never>(() => {}) }),
  ];
}
