import { expect, test } from "vitest";
import { createExecutor, type RunHead, type Store, type Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { checkWorkflow, loadWorkflow } from "wavepoint/yaml";

const ORDER = loadWorkflow(`
name: order
search:
  customer: \${inputs.customer}
  seats: \${inputs.seats}
  dish: \${blocks.dish.outputs.input_value}
  tags: \${inputs.tags}
inputs:
  customer: { type: string }
  seats: { type: integer, default: 2 }
  tags: { type: array, default: [late] }
blocks:
  - { id: dish, type: GetInput, inputs: { prompt: "What?" } }
`);

function executorOn(store: Store, workflow: Workflow = ORDER) {
  return createExecutor({ store, workflows: [workflow], host: fakeHost({ seed: 7, autoAdvance: true }) });
}

const idsOf = (items: readonly RunHead[]): readonly string[] => items.map(({ id }) => id);

/** Two orders, of which one was answered. */
async function order(store: Store) {
  const executor = executorOn(store);
  const ann = await executor.start("order", { customer: "ann" }, { id: "ann" });
  await ann.settled();
  const bob = await executor.start("order", { customer: "bob", seats: 4 }, { id: "bob" });
  const { pauses } = await bob.settled();
  await bob.answer(pauses![0]!.id, "soup");
  return executor;
}

test("runs are found by inputs and answers that their workflow names, once they are known", async () => {
  const executor = await order(memoryStore());
  const found = async (where: NonNullable<Parameters<typeof executor.runs.list>[0]>["where"]) =>
    idsOf((await executor.runs.list({ where: where! })).items);
  expect(await found({ customer: "ann" })).toEqual(["run_ann"]);
  expect(await found({ seats: 4 })).toEqual(["run_bob"]);
  expect(await found({ seats: "4" })).toEqual([]);
  expect(await found({ dish: "soup" })).toEqual(["run_bob"]);
  expect(await found({ dish: "soup", customer: "ann" })).toEqual([]);
  expect(await found({})).toEqual(["run_bob", "run_ann"]);
  expect(await found({ toString: "ann" } as never)).toEqual([]);
  // A list is no value to be found by.
  expect((await executor.runs.list({ where: { dish: "soup" } })).items[0]!.search).toEqual({ customer: "bob", seats: 4, dish: "soup" });
  await executor.close();
});

test("a page that looks at all runs goes on where it stopped", async () => {
  const executor = executorOn(memoryStore());
  for (let number = 0; number < 7; number += 1) {
    await (await executor.start("order", { customer: number % 3 === 0 ? "ann" : "bob" }, { id: `n${number}` })).settled();
  }
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await executor.runs.list({ where: { customer: "ann" }, limit: 2, ...(after !== undefined && { after }) });
    seen.push(...idsOf(page.items));
    after = page.next;
  } while (after !== undefined);
  expect(seen).toEqual(["run_n6", "run_n3", "run_n0"]);
  await executor.close();
});

test("an encrypted store seals the values, and is no index of them; its runs are looked at one by one", async () => {
  const inner = memoryStore();
  const store = await encryptedStore(inner, { key: new Uint8Array(32) });
  const executor = await order(store);
  expect(JSON.stringify((await inner.runs()).items)).not.toMatch(/soup|"bob"/);
  await expect(store.runs({ where: { dish: "soup" } })).rejects.toMatchObject({
    code: "STORE_QUERY_INVALID",
    message: expect.stringContaining("sealed"),
  });
  expect(idsOf((await executor.runs.list({ where: { dish: "soup" } })).items)).toEqual(["run_bob"]);
  await executor.close();
});

test.each([[""], ["x".repeat(257)], [Number.POSITIVE_INFINITY], [null], [["ann"]]])(
  "what no run can be found by is refused: %j",
  async (value) => {
    const executor = executorOn(memoryStore());
    await expect(executor.runs.list({ where: { customer: value as string } })).rejects.toMatchObject({ code: "STORE_QUERY_INVALID" });
    await executor.close();
  },
);

test.each([
  [
    "a secret input",
    "search: { code: '${inputs.code}' }\ninputs: { code: { type: string, secret: true } }\nblocks: []",
    "SECRET_MISPLACED",
  ],
  [
    "a private answer",
    "search: { pin: '${blocks.pin.outputs.input_value}' }\nblocks: [{ id: pin, type: GetInput, inputs: { prompt: PIN, sensitive: true } }]",
    "SECRET_MISPLACED",
  ],
  ["a name that is none", "search: { 'a b': x }\nblocks: []", "ID_INVALID"],
  ["what is not there", "search: { a: '${inputs.none}' }\nblocks: []", "REFERENCE_UNKNOWN"],
  ["too many values", `search: { ${Array.from({ length: 17 }, (_, number) => `v${number}: x`).join(", ")} }\nblocks: []`, "LIMIT_EXCEEDED"],
])("a workflow is not found by %s", async (_, text, code) => {
  const { problems } = await checkWorkflow(`name: w\n${text}\n`);
  expect(problems.map((problem) => problem.code)).toContain(code);
  expect(problems.find((problem) => problem.code === code)).toMatchObject({ path: expect.stringMatching(/^search/), line: 2 });
});
