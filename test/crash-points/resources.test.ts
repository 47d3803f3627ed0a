import { expect, test } from "vitest";
import { createExecutor, defineBlock, isWorkflowError, success, type Store, type Workflow } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { clearDatabase } from "../support/clear-database.ts";
import { stopAt, type StopPoint } from "./stop-at.ts";

const inPage = "document" in globalThis;

const FLOW: Workflow = {
  name: "flow",
  blocks: [
    { id: "a", type: "Use" },
    { id: "b", type: "Use" },
    { id: "c", type: "Use", dependsOn: ["a"], forEach: [1, 2] },
  ],
  outputs: { rooms: "${blocks.c.outputs.results}" },
};

async function opened(): Promise<{ readonly store: Store; remove(): Promise<void> }> {
  if (!inPage) return { store: memoryStore(), remove: async () => {} };
  const name = `resources-${crypto.randomUUID()}`;
  const store = indexedDbStore({ name });
  return {
    store,
    async remove() {
      await store.close();
      await clearDatabase(name);
    },
  };
}

/** A hotel that knows its guests by the keys they book with: a second booking with the same key is the first one. */
interface Hotel {
  readonly rooms: Map<string, { isOpen: boolean }>;
}

/** Runs the flow, or goes on with it, in a process that does nothing more once it has died. */
async function work(
  store: Store,
  hotel: Hotel,
  { seed, isDead = () => false }: { seed: number; isDead?: () => boolean },
): Promise<unknown> {
  const alive = async (): Promise<void> => {
    await Promise.resolve();
    if (isDead()) await new Promise(() => {});
  };
  const use = defineBlock({
    type: "Use",
    resources: {
      room: {
        async open({ idempotencyKey }) {
          await alive();
          const id = idempotencyKey.replace(/^run_\w+\//, "");
          if (!hotel.rooms.has(id)) hotel.rooms.set(id, { isOpen: true });
          return { live: id, reference: { id } };
        },
        async reconnect({ id }: { readonly id: string }) {
          await alive();
          if (!hotel.rooms.get(id)!.isOpen) throw new Error("It is closed.");
          return id;
        },
        async close({ id }: { readonly id: string }) {
          if (!isDead()) hotel.rooms.get(id)!.isOpen = false;
        },
      },
    },
    async execute({ resource }) {
      const room = await resource("room");
      if (!hotel.rooms.get(room)!.isOpen) throw new Error("The door is locked.");
      return success({ room });
    },
  });
  const executor = createExecutor({
    store,
    workflows: [FLOW],
    blocks: [use],
    policy: { durability: "sync" },
    host: fakeHost({ seed, autoAdvance: true }),
  });
  try {
    const [known] = (await store.runs({ workflow: "flow" })).items;
    const run = known ? await executor.open(known.id) : await executor.start("flow");
    const settled = known ? run.resume() : run.settled();
    const stopped = new Promise<undefined>((resolve) => {
      const look = (): unknown => (isDead() ? resolve(undefined) : setTimeout(look, 1));
      look();
    });
    const { outputs } = (await Promise.race([settled, stopped])) ?? {};
    settled.catch(() => {});
    return outputs;
  } catch (error) {
    if (!isWorkflowError(error) || !error.code.startsWith("STORE_")) throw error;
    return undefined;
  } finally {
    if (!isDead()) await executor.close();
  }
}

test("D1: a process that dies at any write: a resource is found again, and none is open once the run has ended", async () => {
  const whole = await opened();
  const counting = stopAt(whole.store);
  const outputs = await work(counting.store, { rooms: new Map() }, { seed: 1 });
  expect(outputs).toEqual({ rooms: [{ room: "Use.room" }, { room: "Use.room" }] });
  await whole.remove();
  let [reached, waiting] = [0, 0];
  for (let write = 1; write <= counting.writes(); write++) {
    for (const when of ["before", "after"] as const) {
      const point: StopPoint = { write, when };
      const { store, remove } = await opened();
      const hotel: Hotel = { rooms: new Map() };
      const doomed = stopAt(store, point);
      await work(doomed.store, hotel, { seed: 1, isDead: () => doomed.isReached() });
      await doomed.quiet();
      if (doomed.isReached()) reached += 1;
      if ([...hotel.rooms.values()].some(({ isOpen }) => isOpen)) waiting += 1;
      expect({ point, outputs: await work(store, hotel, { seed: 2 }) }).toMatchObject({ point, outputs: { rooms: [{}, {}] } });
      expect({ point, open: [...hotel.rooms.values()].filter(({ isOpen }) => isOpen) }).toEqual({ point, open: [] });
      await remove();
    }
  }
  expect(reached).toBeGreaterThan(6);
  expect(waiting).toBeGreaterThan(2);
});
