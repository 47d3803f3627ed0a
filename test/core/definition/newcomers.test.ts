import { expect, test } from "vitest";
import { createExecutor, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { openStore } from "wavepoint/store/open";

// What the compiler would have found; not every user has one.
const workflow = { name: "hello", blocks: [{ id: "hello", type: "EchoBlock", inputs: { message: "Hello" } }] };

test.each<readonly [what: string, give: () => unknown, advice: string]>([
  ["the promise of a store", () => openStore("memory:"), "await"],
  ["the function that makes a store", () => memoryStore, "call it"],
  ["nothing", () => undefined, "memoryStore()"],
])("who gives %s for a store learns it where the executor is made", (_what, give, advice) => {
  const make = () => createExecutor({ store: give() as Store });
  expect(make).toThrow(expect.objectContaining({ code: "STORE_UNAVAILABLE", message: expect.stringContaining(advice) }));
});

test("the error for a missing block type says where it goes, and for a misspelt one what was meant", async () => {
  const start = (type: string) => createExecutor({ store: memoryStore() }).start({ ...workflow, blocks: [{ id: "hello", type }] });
  await expect(start("BookSeat")).rejects.toMatchObject({ code: "BLOCK_TYPE_UNKNOWN", message: expect.stringContaining("`blocks`") });
  await expect(start("EchoBlok")).rejects.toMatchObject({ message: expect.stringMatching(/EchoBlok". Did you mean "EchoBlock"\?$/) });
});
