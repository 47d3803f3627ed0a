import { openDB } from "idb";
import { expect, test } from "vitest";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { createExecutor, type Workflow } from "wavepoint";

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const ask: Workflow = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Your name?" } }] };

test("a run begins without what a page that was left in that moment kept for a run that had been deleted", async () => {
  const name = "strays";
  const store = indexedDbStore({ name });
  const executor = createExecutor({ store, workflows: [ask] });
  expect((await executor.runs.list()).items).toEqual([]);
  const database = await openDB(name);
  await database.put("notes", '"Ada"', ["run_order-1", "draft.0"]);
  database.close();
  const run = await executor.start("ask", {}, { id: "order-1" });
  expect((await run.settled()).status).toBe("paused");
  expect(run.id).toBe("run_order-1");
  await run.refresh();
  expect(run.getSnapshot().pauses.map(({ draft }) => draft)).toEqual([undefined]);
  expect(await store.notes(run.id)).toEqual([]);
  await store.close();
});
