import { expect, test } from "vitest";
import { createExecutor, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { openStore } from "wavepoint/store/open";

// What the compiler would have found; not everybody has one.
const workflow = { name: "hello", blocks: [{ id: "hello", type: "EchoBlock", inputs: { message: "Hello" } }] };

test.each<readonly [what: string, give: () => unknown, advice: string]>([
  ["the promise of a store", () => openStore("memory:"), "await"],
  ["the function that makes a store", () => memoryStore, "call it"],
  ["nothing", () => undefined, "memoryStore()"],
])("who gives %s for a store is told so by the first start", async (_what, give, advice) => {
  const start = createExecutor({ store: give() as Store }).start(workflow);
  await expect(start).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", message: expect.stringContaining(advice) });
});

test("who forgot to give a block type is told where it goes; who misspelt one, what was meant", async () => {
  const start = (type: string) => createExecutor({ store: memoryStore() }).start({ ...workflow, blocks: [{ id: "hello", type }] });
  await expect(start("BookSeat")).rejects.toMatchObject({ code: "BLOCK_TYPE_UNKNOWN", message: expect.stringContaining("`blocks`") });
  await expect(start("EchoBlok")).rejects.toMatchObject({ message: expect.stringMatching(/EchoBlok". Did you mean "EchoBlock"\?$/) });
});
