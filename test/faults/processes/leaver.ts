import { readdirSync } from "node:fs";
import { createExecutor, defineBlock, success, type Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { filesystemStore } from "wavepoint/store/filesystem";

// A process that works on runs, in one of several ways, closes its executor and its store, and tells what is left. It must end by itself.
const [directory, way] = process.argv.slice(2) as [
  string,
  (
    | "finished"
    | "paused"
    | "tidied"
    | "moved"
    | "encrypted"
    | "cancelled"
    | "closed at work"
    | "waiting for others"
    | "asleep"
    | "timed"
    | "read only"
    | "not closed"
  ),
];

const steady = process.getActiveResourcesInfo().toSorted();
const listeners = process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`);

let begin = (): void => {};
const begun = new Promise<void>((resolve) => (begin = resolve));
const slow = defineBlock({
  type: "Slow",
  async execute({ host, signal }) {
    begin();
    await host.sleep(60_000, signal);
    return success({});
  },
});
const flows: Record<string, Workflow> = {
  quick: { name: "quick", blocks: [{ id: "a", type: "EchoBlock", inputs: { message: "a", delay_ms: 5 } }] },
  ask: { name: "ask", blocks: [{ id: "a", type: "GetInput", inputs: { prompt: "?" } }] },
  asleep: {
    name: "asleep",
    blocks: [
      { id: "a", type: "Wait", inputs: { duration_ms: 604_800_000 } },
      { id: "call", type: "ExecuteWorkflow", inputs: { workflow: "later" } },
      {
        id: "again",
        type: "PopulateTemplate",
        inputs: { template: "{{ missing }}", strict: true },
        retry: { maxAttempts: 2, delayMs: 50_000 },
      },
    ],
  },
  later: { name: "later", blocks: [{ id: "a", type: "Wait", inputs: { duration_ms: 604_800_000 } }] },
  timed: { name: "timed", blocks: [{ id: "a", type: "Deaf", timeoutMs: 604_800_000 }] },
  slow: {
    name: "slow",
    blocks: [
      { id: "a", type: "Slow" },
      { id: "b", type: "EchoBlock", inputs: { message: "b" } },
    ],
  },
};

const deaf = defineBlock({
  type: "Deaf",
  execute() {
    begin();
    return new Promise<never>(() => {});
  },
});

const files = filesystemStore(directory);
const store = way === "encrypted" ? await encryptedStore(files, { passphrase: "correct horse battery staple" }) : files;
const executor = createExecutor({ store, blocks: [slow, deaf], workflows: Object.values(flows) });
const otherStore = filesystemStore(directory);
const other = createExecutor({ store: otherStore, blocks: [slow], workflows: Object.values(flows) });

if (way === "finished") await (await executor.start("quick")).settled();
if (way === "paused") await (await executor.start("ask")).settled();
if (way === "tidied" || way === "moved" || way === "encrypted") {
  await (await executor.start("quick")).settled();
  const run = await executor.start("ask");
  const [question] = (await run.settled()).pauses!;
  await run.saveDraft(question!.id, "half an answ");
  if (way === "tidied") await executor.cleanup({ ttlMs: 1, maxPerWorkflow: 1 });
  if (way === "moved") {
    const file = await executor.runs.transfer(run.id, { to: "another store and back", drafts: true, passphrase: "correct horse" });
    await executor.runs.import(file, { passphrase: "correct horse" });
  }
  await run.answer(question!.id, "an answer");
  await run.revise(question!.id, "another");
}
if (way === "asleep") {
  const run = await executor.start("asleep");
  void run.settled().catch(() => {});
  const isWaiting = (): boolean => run.getSnapshot().waves[0]!.blocks.every(({ status }) => status === "waiting");
  while (!isWaiting() || run.getSnapshot().active) await new Promise((resolve) => setTimeout(resolve, 5));
}
if (way === "timed") {
  await executor.start("timed");
  await begun;
}
if (way === "read only") await executor.runs.list();
if (way === "cancelled" || way === "closed at work" || way === "waiting for others" || way === "not closed") {
  const run = await executor.start("slow");
  await begun;
  if (way === "cancelled") await run.cancel();
  if (way === "waiting for others") {
    const again = await other.open(run.id);
    void again.resume().catch(() => {});
    void again.settled().catch(() => {});
  }
}
if (way !== "not closed") {
  await executor.close();
  await other.close();
  await Promise.all([store.close(), otherStore.close()]);
}

// Ended timers and closed files are gone after a turn.
await new Promise(setImmediate);
const resources = process.getActiveResourcesInfo().toSorted();
const left = {
  resources: resources.length === steady.length ? [] : resources,
  listeners: process
    .eventNames()
    .map((name) => `${String(name)} ${process.listenerCount(name)}`)
    .filter((line) => !listeners.includes(line)),
  files: ["claims", "temp"].flatMap((folder) => readFiles(`${directory}/${folder}`)),
};
process.stdout.write(JSON.stringify(left));
if (way === "not closed") process.exit();

function readFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
