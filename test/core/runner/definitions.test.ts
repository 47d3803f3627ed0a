import { expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { fakeHost } from "wavepoint/testing";
import { workshop } from "../../support/workshop.ts";

const flow: Workflow = { name: "flow", blocks: [{ id: "a", type: "Ask" }] };

/** Opens a run of the workflow in a new executor, with this workflow loaded, and tells what was hashed for that. */
async function openWith(loaded: Workflow, spoil = (text: string): string => text): Promise<readonly unknown[]> {
  const store = memoryStore();
  const first = createExecutor({ store, host: fakeHost(), workflows: [flow], blocks: workshop().blocks });
  const run = await first.start("flow");
  await run.settled();
  await first.close();
  const hashed: unknown[] = [];
  const host = fakeHost();
  const hash = async (content: string | Uint8Array<ArrayBuffer>): Promise<string> => {
    hashed.push(content);
    return host.hash(content);
  };
  const getBlob: typeof store.getBlob = async (key) => spoil(String(await store.getBlob(key)));
  await createExecutor({
    store: { ...store, getBlob },
    host: { ...host, hash },
    workflows: [loaded],
    blocks: workshop().blocks,
  }).open(run.id);
  return hashed;
}

test("a definition that is loaded as it is stored is not hashed again when a run of it is opened", async () => {
  expect(await openWith({ ...flow })).toEqual([]);
});

test("a stored definition that is not the one that is loaded is hashed before it is used", async () => {
  const changed: Workflow = { name: "flow", blocks: [{ id: "b", type: "Ask" }] };
  expect(await openWith(changed)).toContain(JSON.stringify({ blocks: flow.blocks, name: flow.name }));
  await expect(openWith(changed, (text) => text.replace("Ask", "Say"))).rejects.toMatchObject({ code: "RUN_CORRUPT" });
  await expect(openWith(flow, (text) => text.replace("Ask", "Say"))).rejects.toMatchObject({ code: "RUN_CORRUPT" });
});

test("a workflow that was refused leaves its name to the one that is mended", async () => {
  const executor = createExecutor({ store: memoryStore(), host: fakeHost(), blocks: workshop().blocks });
  const wrong: Workflow = { name: "flow", blocks: [{ id: "a", type: "Ask", dependsOn: ["b"] }] };
  await expect(executor.load(wrong)).rejects.toMatchObject({ code: "DEPENDENCY_UNKNOWN" });
  await expect(executor.start("flow")).rejects.toMatchObject({ code: "WORKFLOW_NOT_FOUND" });
  await executor.load(flow);
  expect((await (await executor.start("flow")).settled()).status).toBe("paused");
  await expect(executor.load(wrong)).rejects.toMatchObject({ code: "WORKFLOW_DUPLICATE" });
});
