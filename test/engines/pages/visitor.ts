// A form that is filled in over several visits. What the page does next depends only on what it finds stored, so that it may be loaded
// again, or its browser killed, between any two steps.
import { createExecutor, defineBlock, success, type Run, type Workflow } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { tell } from "./tell.ts";

const HALF = "half a wo";
const PLACE = "In the cel";
/** More than is kept within a record. */
const FILE_BYTES = 1_500_000;
/** Far longer than loading a page again. */
const WORK_MS = 60_000;
const by = crypto.randomUUID();

const work = defineBlock({
  type: "Work",
  async execute({ run, block, idempotencyKey: key, mayHaveRun, host, signal }) {
    await tell({ type: "began", run, block, key, by, proof: by });
    // The first time the page is loaded again in the middle of it.
    if (!mayHaveRun) {
      location.reload();
      await host.sleep(WORK_MS, signal);
    }
    return success({});
  },
});

const visit: Workflow = {
  name: "visit",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Name?" } },
    { id: "work", type: "Work", dependsOn: ["name"] },
    {
      id: "photo",
      type: "Form",
      inputs: {
        prompt: "Photo?",
        schema: { type: "object", properties: { file: { type: "object", format: "file" } }, required: ["file"] },
      },
      dependsOn: ["work"],
    },
    { id: "place", type: "GetInput", inputs: { prompt: "Where?" }, dependsOn: ["photo"] },
  ],
};

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function tellAnswers(run: Run): Promise<void> {
  const [name, photo, place] = (await run.answers()).map(({ answer }) => answer);
  const { file } = photo as unknown as { file: { name: string; bytes: Uint8Array<ArrayBuffer> } };
  await tell({ type: "finished", run: run.id, by: JSON.stringify([name, file.name, await hashOf(file.bytes), place]) });
}

async function attach(run: Run, pause: string): Promise<void> {
  const bytes = Uint8Array.from({ length: FILE_BYTES }, (_, at) => (at * 7_919) >> 3);
  const file = { name: "crack.jpg", type: "image/jpeg", size: FILE_BYTES, bytes };
  await tell({ type: "answering", run: run.id, pause, by, response: await hashOf(bytes) });
  await run.answer(pause, { file });
}

// Not at the top level: WebKit never executes a page again that was loaded anew while its script waited there.
async function goOn(): Promise<void> {
  const executor = createExecutor({
    store: indexedDbStore({ name: "visits" }),
    workflows: [visit],
    blocks: [work],
    policy: { durability: "sync" },
  });
  const run = await executor.open("run_mine").catch(() => executor.start("visit", {}, { id: "mine" }));
  if (run.getSnapshot().status === "running") await run.resume();
  const { pauses } = run.getSnapshot();
  const [pause] = pauses;
  await tell({ type: "ready", run: run.id, by: JSON.stringify([pause?.prompt, pause?.draft]) });
  if (pause?.prompt === "Name?" && pause.draft === undefined) {
    await run.saveDraft(pause.id, HALF);
    location.reload();
  } else if (pause?.prompt === "Name?") {
    await run.answer(pause.id, `${HALF}rd`);
  } else if (pause?.prompt === "Photo?") {
    await attach(run, pause.id);
    const [next] = run.getSnapshot().pauses;
    await run.saveDraft(next!.id, PLACE);
    // From here on its browser may be killed.
    await tell({ type: "answered", run: run.id, pause: next!.id, by, response: PLACE });
  } else if (pause) {
    await run.answer(pause.id, `${PLACE}lar`);
    await tellAnswers(run);
  }
}
void goOn();
