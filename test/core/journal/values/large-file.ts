import { expect } from "vitest";
import { createExecutor, defineBlock, success, type Store } from "wavepoint";
import { bytesOf, inShort } from "./give-value.ts";

/** Bytes of the file (20 MB): twenty times the limit of a value in JSON. */
const LENGTH = 20_000_000;

const FLOW = {
  name: "file",
  blocks: [
    { id: "give", type: "GiveFile" },
    { id: "ask", type: "GetInput", inputs: { prompt: "Keep it?" }, dependsOn: ["give"] },
    { id: "measure", type: "Measure", inputs: { file: "${blocks.give.outputs.file}" }, dependsOn: ["ask"] },
  ],
  outputs: { length: "${blocks.measure.outputs.length}", file: "${blocks.give.outputs.file}" },
};

const blocks = [
  defineBlock({ type: "GiveFile", execute: async () => success({ file: bytesOf(LENGTH) }) }),
  defineBlock({
    type: "Measure",
    execute: async ({ inputs }) => success({ length: (inputs as { readonly file: Uint8Array }).file.length }),
  }),
];

/** A run with a large file goes on from the store in another process, and nothing of the file is in its journal. */
export async function keepLargeFile(open: () => Promise<Store> | Store): Promise<void> {
  const first = await open();
  const run = await createExecutor({ store: first, blocks }).start(FLOW);
  const { pauses } = await run.settled();
  await first.close();
  const second = await open();
  const again = await createExecutor({ store: second, blocks }).open(run.id);
  const result = await again.answer(pauses![0]!.id, "yes");
  expect(inShort(result.outputs)).toEqual(inShort({ length: LENGTH, file: bytesOf(LENGTH) }));
  expect((await second.head(run.id))!.blobs).toHaveLength(1);
  expect((await second.read(run.id)).join("").length).toBeLessThan(5_000);
  await second.close();
}
