import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, failure, pause, success, WorkflowError, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";

const DAY = 86_400_000;
const PHOTO = new Uint8Array(1_100_000).fill(7);
const SCAN = new Uint8Array(1_200_000).fill(8);

const album: Workflow = {
  name: "album",
  blocks: [
    { id: "photo", type: "Photo" },
    { id: "scan", type: "AskFile", dependsOn: ["photo"] },
    { id: "sure", type: "ConfirmOperation", inputs: { message: "Sure?" }, dependsOn: ["scan"] },
  ],
  outputs: { photo: "${blocks.photo.bytes}", scan: "${blocks.scan.bytes}" },
};

const blocks = [
  defineBlock({ type: "Photo", execute: async () => success({ bytes: PHOTO }) }),
  defineBlock({
    type: "AskFile",
    execute: () => pause({ prompt: "The scan, please", schema: {} }),
    resume: ({ response }) => success({ bytes: response }),
  }),
];

describe("D13: a cleanup", () => {
  test.each(["full", "latest"] as const)(
    "leaves the large values of runs that wait, and of their forks, retention %s",
    async (retention) => {
      const store = memoryStore();
      const host = fakeHost();
      const open = () => createExecutor({ store, blocks, workflows: [album], policy: { ttlMs: DAY, retention }, host });
      const run = await open().start("album");
      const asked = await run.settled();
      const sure = await run.answer(asked.pauses![0]!.id, SCAN as never);
      const fork = await open().fork(sure.pauses![0]!.id);
      await fork.settled();
      await store.putBlob("0".repeat(64), "of no run");
      await host.advance(5 * DAY);
      // The memory store dates blobs by the real clock, which may be anywhere beside this one.
      const swept = { ...store, sweepBlobs: (keep: ReadonlySet<string>) => store.sweepBlobs(keep, Number.MAX_SAFE_INTEGER) };
      const cleaner = createExecutor({ store: swept, blocks, workflows: [album], policy: { ttlMs: DAY, retention }, host });
      expect(await cleaner.cleanup()).toMatchObject({ runs: 0, blobs: 1 });
      for (const { id } of [run, fork]) {
        const again = await open().open(id);
        const result = await again.answer(again.getSnapshot().pauses[0]!.id, "yes");
        expect(result.status).toBe("success");
        const { photo, scan } = result.outputs as { readonly [name: string]: unknown } as { readonly [name: string]: Uint8Array };
        expect([photo!.length, photo!.at(-1), scan!.length, scan!.at(-1)]).toEqual([PHOTO.length, 7, SCAN.length, 8]);
      }
    },
  );
});

test.each(["full", "latest"] as const)(
  "D13: what a fork was answered outlives a crash right after the fork was made, and a cleanup, retention %s",
  async (retention) => {
    const store = memoryStore();
    const parts = { blocks, workflows: [album], policy: { retention, autoCleanup: false } };
    const run = await createExecutor({ ...parts, store }).start("album");
    const { pauses } = await run.settled();
    const pauseId = pauses![0]!.id;
    let hasCrashed = false;
    const crashing: Store = {
      ...store,
      async commit(commit) {
        if (hasCrashed) throw new WorkflowError("STORE_FAILED", "The process has ended.");
        await store.commit(commit);
        hasCrashed = commit.run !== run.id;
      },
    };
    const fork = await createExecutor({ ...parts, store: crashing }).fork(pauseId, { answers: { [pauseId]: SCAN as never } });
    await expect(fork.settled()).rejects.toMatchObject({ code: "STORE_FAILED" });
    const swept = { ...store, sweepBlobs: (keep: ReadonlySet<string>) => store.sweepBlobs(keep, Number.MAX_SAFE_INTEGER) };
    await createExecutor({ ...parts, store: swept }).cleanup();
    const again = await createExecutor({ ...parts, store }).open(fork.id);
    const result = await again.resume();
    expect(result).toMatchObject({ status: "paused", pauses: [{ path: ["sure"] }] });
    const { scan } = (await again.answer(result.pauses![0]!.id, "yes")).outputs as unknown as { readonly scan: Uint8Array };
    expect([scan.length, scan.at(-1)]).toEqual([SCAN.length, 8]);
  },
);

test.each(["running", "failed"] as const)("D13: a file that was attached and not sent outlives cleanups, run %s", async (status) => {
  const store = memoryStore();
  const work = defineBlock({
    type: "Work",
    execute: () => (status === "failed" ? failure("No.") : new Promise<never>(() => {})),
  });
  const parts = {
    blocks: [...blocks, work],
    workflows: [
      {
        name: "beside",
        blocks: [
          { id: "work", type: "Work" },
          { id: "scan", type: "AskFile" },
        ],
      },
    ],
  };
  const executor = createExecutor({ ...parts, store });
  const run = await executor.start("beside");
  const asked = new Promise<string>((resolve) => run.subscribe(({ pauses }) => pauses[0] && resolve(pauses[0].id)));
  await run.saveDraft(await asked, SCAN as never);
  await expect.poll(async () => (await store.head(run.id))!.status).toBe(status);
  await executor.close();
  const swept = { ...store, sweepBlobs: (keep: ReadonlySet<string>) => store.sweepBlobs(keep, Number.MAX_SAFE_INTEGER) };
  await createExecutor({ ...parts, store: swept }).cleanup();
  const [found] = (await createExecutor({ ...parts, store }).open(run.id)).getSnapshot().pauses;
  expect((found!.draft as unknown as Uint8Array | undefined)?.length).toBe(SCAN.length);
});
