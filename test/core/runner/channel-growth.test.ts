import { expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const TURNS = 1_000;
const PAYLOAD = "x".repeat(2_000);

const TURN = defineBlock({
  type: "Turn",
  channels: { reads: ["turns"], writes: ["log", "turns"] },
  execute({ channels, nextIteration }) {
    channels.write("log", PAYLOAD);
    channels.write("turns", 1);
    return (channels.get("turns") as number) < TURNS ? nextIteration() : success({});
  },
});

const byCode: Workflow = {
  name: "by-code",
  channels: { log: { reduce: "append" }, turns: { reduce: "sum" } },
  blocks: [{ id: "turn", type: "Turn", maxIterations: TURNS }],
};
const inYaml: Workflow = {
  ...byCode,
  name: "in-yaml",
  blocks: [
    {
      id: "turn",
      type: "EchoBlock",
      inputs: { message: "${channels.turns}" },
      writes: { log: PAYLOAD, turns: 1 },
      repeatWhile: `\${channels.turns} < ${TURNS}`,
      maxIterations: TURNS,
    },
  ],
};

/** A store that tells how many characters each entry took, and all else that was written. */
function counting() {
  const store = memoryStore();
  const entries: number[] = [];
  let notes = 0;
  const watched: Store = Object.assign(Object.create(store) as Store, {
    commit(commit: Parameters<Store["commit"]>[0]) {
      for (const entry of commit.entries) entries.push(entry.length);
      return store.commit(commit);
    },
    putNote(...note: Parameters<Store["putNote"]>) {
      notes += note[2]?.length ?? 0;
      return store.putNote(...note);
    },
  });
  return { store: watched, entries, notes: () => notes };
}

test.each([byCode, inYaml])(
  "a loop that appends 2 kB a turn stores hardly more than that, and no more at its end: $name",
  async (workflow) => {
    const { store, entries, notes } = counting();
    const executor = createExecutor({ store, workflows: [workflow], blocks: [TURN], host: fakeHost({ autoAdvance: true }) });
    const run = await executor.start(workflow.name);
    expect(await run.settled()).toMatchObject({ status: "success" });
    const { channels } = await run.state();
    expect(channels).toMatchObject({ turns: TURNS });
    expect((channels as { log: readonly string[] }).log).toHaveLength(TURNS);
    expect(entries.reduce((sum, length) => sum + length, notes())).toBeLessThan(1.2 * TURNS * PAYLOAD.length);
    // The numbers in it may have a digit more.
    const [early, late] = [entries[10]!, entries[TURNS - 10]!];
    expect(late - early).toBeLessThan(10);
  },
);
