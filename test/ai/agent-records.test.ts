import { createExecutor, defineBlock, type Store, success, type Workflow } from "wavepoint";
import { agentBlocks } from "wavepoint/ai";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { say, scripted, use } from "./mock-models.ts";

const FLOW: Workflow = {
  name: "help",
  blocks: [{ id: "agent", type: "Agent", inputs: { models: ["good"], prompt: "Refund 40.", tools: ["refund"] } }],
};

/** A run that waits for leave to pay, in a store whose records are changed then. */
async function paused(store: Store) {
  const paid: unknown[] = [];
  const refund = defineBlock({
    type: "Refund",
    effect: "once",
    inputs: { jsonSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] } },
    execute({ inputs }) {
      paid.push(inputs.amount);
      return success({});
    },
  });
  const open = (over: Store) =>
    createExecutor({
      store: over,
      workflows: [FLOW],
      blocks: agentBlocks({ tools: { refund: { block: refund } } }),
      grants: { models: { good: scripted([use(["1", "refund", { amount: 40 }]), say("Done.")]) } },
    });
  const first = open(store);
  const { pauses } = await (await first.start(FLOW, {}, { id: "1" })).settled();
  await first.close();
  return { paid, open, pause: pauses![0]!.id };
}

interface Entry {
  readonly type: string;
  readonly block?: string;
}

/** A store as it is once an entry was changed in it. */
function edited(
  store: Store,
  which: (entry: Entry) => boolean,
  change: (text: string) => string,
): Store & { readonly changed: () => number } {
  let count = 0;
  const read: Store["read"] = async (run, range) =>
    (await store.read(run, range)).map((text) => {
      const next = which(JSON.parse(text) as Entry) ? change(text) : text;
      if (next !== text) count += 1;
      return next;
    });
  return Object.assign(Object.create(store) as Store, { read, changed: () => count });
}

const ofTurn = ({ type, block }: Entry): boolean => type === "completed" && block === "turn_1";
const ofQuestion = ({ type, block }: Entry): boolean => type === "paused" && block === "turn_1_ask_1";

test.each([
  ["wants another amount than the question showed", ofTurn, (text: string) => text.replaceAll("40", "4000")],
  ["needs no leave", ofTurn, (text: string) => text.replace(/,?"ask":"turn_1_ask_1"/, "")],
  ["was asked about with another amount", ofQuestion, (text: string) => text.replaceAll("40", "4")],
] as const)("a record that says that the call %s does not have the tool called", async (_, which, change) => {
  const store = memoryStore();
  const { paid, open, pause } = await paused(store);
  const damaged = edited(store, which, change);
  const answered = await open(damaged)
    .answer(pause, { decision: "approve" })
    .catch((error: unknown) => error);
  expect(damaged.changed()).toBeGreaterThan(0);
  expect(paid).toEqual([]);
  expect(JSON.stringify(answered)).not.toContain('"status":"success"');
});

test("a question whose record says that it is approved still waits", async () => {
  const store = memoryStore();
  const { paid, open, pause } = await paused(store);
  const damaged = edited(store, ofQuestion, (text) =>
    text.replace('"kind":"tool_call"', '"kind":"tool_call","approved":true,"decision":"approve"'),
  );
  const run = await open(damaged).open("1");
  expect((await run.resume()).status).toBe("paused");
  expect(damaged.changed()).toBeGreaterThan(0);
  expect(paid).toEqual([]);
  expect((await run.answer(pause, { decision: "deny" })).status).toBe("success");
  expect(paid).toEqual([]);
});

test("in an encrypted store no record can take the place of another one", async () => {
  const inside = memoryStore();
  const { paid, open, pause } = await paused(await encryptedStore(inside, { key: new Uint8Array(32).fill(7) }));
  const swapped: Store = Object.assign(Object.create(inside) as Store, {
    read: async (...of: Parameters<Store["read"]>) => (await inside.read(...of)).toReversed(),
  });
  const again = open(await encryptedStore(swapped, { key: new Uint8Array(32).fill(7) }));
  await expect(again.answer(pause, { decision: "approve" })).rejects.toMatchObject({ code: "STORE_TAMPERED" });
  expect(paid).toEqual([]);
});
