import { describe, expect, test } from "vitest";
import { createExecutor, type CheckpointPolicy, type Run, type Store, type Value, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";
import { stopAt } from "../../crash-points/stop-at.ts";

const before: Workflow = {
  name: "trip",
  blocks: [
    { id: "look", type: "Work", inputs: { value: "sea" } },
    { id: "each", type: "Ask", dependsOn: ["look"], forEach: ["a", "b"], inputs: { prompt: "${each.value}?" } },
    { id: "no", type: "Work", dependsOn: ["look"], condition: "1 == 2" },
    { id: "sleep", type: "Sleep", dependsOn: ["look"], inputs: { ms: 10 } },
    { id: "book", type: "Work", dependsOn: ["each", "sleep"], inputs: { value: "${blocks.each.results}" } },
    { id: "pay", type: "Ask", dependsOn: ["book"] },
  ],
};
/** `look` is `see` now, what came after the questions is another, and something new could have run at the start. */
const after: Workflow = {
  name: "trip",
  blocks: [
    { id: "new", type: "Work", inputs: { value: 1 } },
    { id: "see", type: "Work", inputs: { value: "lake" } },
    { id: "sleep", type: "Sleep", dependsOn: ["see"], inputs: { ms: 10 } },
    { id: "each", type: "Ask", dependsOn: ["see"], forEach: ["a", "b"], inputs: { prompt: "${each.value}?" } },
    { id: "no", type: "Work", dependsOn: ["see"], condition: "1 == 2" },
    { id: "tell", type: "Work", dependsOn: ["each", "sleep", "new"], inputs: { value: "${blocks.each.results[1].answer}" } },
    { id: "pay", type: "Ask", dependsOn: ["tell"] },
  ],
  outputs: { told: "${blocks.tell.value}", paid: "${blocks.pay.answer}", skipped: "${blocks.no.skipped}" },
};
const ANSWERS: { readonly [question: string]: Value } = { "each[0]": "A", "each[1]": "B", pay: "card" };

interface Process {
  readonly began: readonly string[];
  open(workflow: Workflow): Promise<Run | undefined>;
}

function startProcess(store: Store, seed: number, policy: CheckpointPolicy): Process {
  const shop = workshop();
  const host = fakeHost({ seed, autoAdvance: true });
  return {
    began: shop.began,
    async open(workflow) {
      const migrate = () => ({ blocks: { look: "see" } });
      const executor = createExecutor({ store, host, policy, blocks: shop.blocks, workflows: [workflow], migrate });
      const [head] = (await store.runs()).items;
      return head ? executor.open(head.id) : undefined;
    },
  };
}

async function answerUntilEnd(run: Run): Promise<Awaited<ReturnType<Run["settled"]>>> {
  let result = await run.settled();
  while (result.status === "paused") {
    const [pause] = result.pauses;
    result = await run.answer(pause!.id, ANSWERS[pause!.path.join("/")]!);
  }
  return result;
}

/** Begins with the old definition, answers one question, moves, and comes to the end. */
async function play(store: Store, policy: CheckpointPolicy): Promise<void> {
  const shop = workshop();
  const host = fakeHost({ seed: 1, autoAdvance: true });
  const run = await createExecutor({ store, host, policy, blocks: shop.blocks, workflows: [before] }).start("trip");
  const { pauses } = await run.settled();
  await run.answer(pauses![0]!.id, ANSWERS["each[0]"]!);
  await moveAndEnd(startProcess(store, 2, policy));
}

async function moveAndEnd(process: Process): Promise<unknown> {
  const run = await process.open(after);
  if (!run) return undefined;
  await run.resume({ definition: "latest" });
  return answerUntilEnd(run);
}

const END = { status: "success", outputs: { told: "B", paid: "card", skipped: true } };

async function endOf(store: Store): Promise<unknown> {
  const run = (await startProcess(store, 9, {}).open(after))!;
  const steps = (await run.steps()).map(({ block, item, status }) => `${block}${item === undefined ? "" : `[${item}]`} ${status}`);
  const { status, outputs } = await run.settled();
  return { status, outputs, steps: steps.toSorted() };
}

async function unbroken(policy: CheckpointPolicy): Promise<{ readonly store: Store; readonly end: unknown }> {
  const store = memoryStore();
  await play(store, policy);
  return { store, end: await endOf(store) };
}

describe("D5: a run that moved to another definition", () => {
  test("comes to the same end from every prefix of its journal", async () => {
    const { store, end } = await unbroken({});
    const [head] = (await store.runs()).items;
    const entries = await store.read(head!.id);
    expect(end).toMatchObject(END);
    expect(entries.length).toBeGreaterThan(12);
    for (let count = 1; count <= entries.length; count++) {
      const cut = memoryStore();
      for (const hash of [head!.definition, ...head!.blobs!]) await cut.putBlob(hash, (await store.getBlob(hash))!);
      const status = count === entries.length ? head!.status : "running";
      const beginning = { ...head!, revision: 1, entries: count, status, pauses: [] };
      await cut.commit({ run: head!.id, expected: undefined, head: beginning, entries: entries.slice(0, count), durability: "strict" });
      await moveAndEnd(startProcess(cut, 3, {}));
      expect(await endOf(cut), `after ${count} entries`).toEqual(end);
    }
  });

  test.each<CheckpointPolicy>([{ durability: "sync" }, { retention: "latest" }, { retention: "windowed", window: 1 }])(
    "comes to the same end whichever write is the last of a process, and repeats no step that was stored: %o",
    async (policy) => {
      const { end } = await unbroken(policy);
      let reached = true;
      for (let write = 1; reached; write++) {
        for (const when of ["before", "after"] as const) {
          const store = memoryStore();
          const doomed = stopAt(store, { write, when });
          await play(doomed.store, policy).catch(() => {});
          await doomed.quiet();
          reached = doomed.isReached();
          const known = await (await startProcess(store, 4, policy).open(after))?.steps();
          if (!known) continue;
          const second = startProcess(store, 3, policy);
          await moveAndEnd(second);
          expect(await endOf(store), `${when} write ${write}`).toEqual(end);
          const done = known
            .filter(({ status }) => status === "completed")
            .map(({ block, item }) => (item === undefined ? block : `${block}[${item}]`));
          expect(second.began.filter((unit) => done.includes(unit) || (unit === "see" && done.includes("look")))).toEqual([]);
        }
      }
    },
  );
});
