import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";

test("workflows run in the page that a test plays in Node", async () => {
  const blocks = [{ id: "say", type: "EchoBlock", inputs: { message: "hello" } }];
  const run = await createExecutor({ store: memoryStore() }).start({ name: "say", blocks });
  expect(document.body).toBeDefined();
  expect(await run.settled()).toMatchObject({ status: "success" });
});
