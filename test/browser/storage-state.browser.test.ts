import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createExecutor, type Executor, type Run, type Store, type Workflow } from "wavepoint";
import { storageState } from "wavepoint/browser";
import { encryptedStore } from "wavepoint/encryption";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { clearDatabase } from "../support/clear-database.ts";

const two: Workflow = {
  name: "two",
  blocks: [
    { id: "a", type: "GetInput", inputs: { prompt: "a?" } },
    { id: "b", type: "GetInput", inputs: { prompt: "b?" }, dependsOn: ["a"] },
  ],
};

let name = "";
let tests = 0;
const stores: Store[] = [];

function openStore(): Store {
  const store = indexedDbStore({ name });
  stores.push(store);
  return store;
}

async function begin(store: Store): Promise<{ readonly executor: Executor; readonly run: Run }> {
  const executor = createExecutor({ store, workflows: [two] });
  const run = await executor.start("two");
  await run.settled();
  return { executor, run };
}

const answer = (run: Run, response: string): Promise<unknown> => run.answer(run.getSnapshot().pauses[0]!.id, response);

/** The browser gives no more room. */
function fillUp(): void {
  for (const method of ["add", "put"] as const) {
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(() => {
      throw new DOMException("Full.", "QuotaExceededError");
    });
  }
}

beforeEach(() => {
  name = `storage-state-${(tests += 1)}`;
  return async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await clearDatabase(name);
  };
});
afterEach(() => {
  vi.restoreAllMocks();
});

test("an answer for which there is no room degrades what is kept, without a word of the page, until something is stored again", async () => {
  const store = openStore();
  const { run } = await begin(store);
  const state = storageState(store);
  expect(state.getSnapshot().kept).toBe("kept");
  fillUp();
  await expect(answer(run, "1")).rejects.toMatchObject({ code: "STORE_QUOTA" });
  await expect.poll(() => state.getSnapshot()).toMatchObject({ kept: "degraded", error: { code: "STORE_QUOTA" } });
  vi.restoreAllMocks();
  await answer(run, "1");
  await expect.poll(() => state.getSnapshot().kept).toBe("kept");
  state.dispose();
});

test("so does a draft", async () => {
  const store = openStore();
  const { run } = await begin(store);
  const state = storageState(store);
  fillUp();
  await expect(run.saveDraft(run.getSnapshot().pauses[0]!.id, "x")).rejects.toMatchObject({ code: "STORE_QUOTA" });
  await expect.poll(() => state.getSnapshot().kept).toBe("degraded");
  state.dispose();
});

test("a page learns what its worker could not store, by a store of the same name", async () => {
  const { run } = await begin(openStore());
  const state = storageState(openStore());
  await state.refresh();
  fillUp();
  await expect(answer(run, "1")).rejects.toMatchObject({ code: "STORE_QUOTA" });
  await expect.poll(() => state.getSnapshot()).toMatchObject({ kept: "degraded", error: { code: "STORE_QUOTA" } });
  state.dispose();
});

test("an encrypted store says what the one inside could not do", async () => {
  const store = await encryptedStore(openStore(), { passphrase: "correct horse battery staple" });
  const { run } = await begin(store);
  const state = storageState(store);
  fillUp();
  await expect(answer(run, "1")).rejects.toMatchObject({ code: "STORE_QUOTA" });
  await expect.poll(() => state.getSnapshot().kept).toBe("degraded");
  state.dispose();
});

test("who comes too late with an answer has degraded nothing", async () => {
  const store = openStore();
  const { run } = await begin(store);
  const other = await createExecutor({ store: openStore(), workflows: [two] }).open(run.id);
  const state = storageState(store);
  const seen: string[] = [];
  state.subscribe(() => seen.push(state.getSnapshot().kept));
  const [first] = run.getSnapshot().pauses;
  await Promise.all([run.answer(first!.id, "1"), other.answer(first!.id, "2")]);
  await run.refresh();
  expect(seen).not.toContain("degraded");
  state.dispose();
});
