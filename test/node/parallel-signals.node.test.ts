import { expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

test("many blocks that listen to the end of their run make Node warn of nothing", async () => {
  const warnings: string[] = [];
  const listen = ({ message }: Error): void => void warnings.push(message);
  process.on("warning", listen);
  const blocks = Array.from({ length: 30 }, (_, i) => ({ id: `b${i}`, type: "EchoBlock", inputs: { message: "x", delay_ms: 1 } }));
  const executor = createExecutor({ store: memoryStore(), workflows: [{ name: "flow", blocks }], maxParallel: 30 });
  expect((await (await executor.start("flow")).settled()).status).toBe("success");
  // Warnings come a turn later.
  await new Promise(setImmediate);
  process.off("warning", listen);
  expect(warnings).toEqual([]);
});
