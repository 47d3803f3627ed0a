import { readFileSync } from "node:fs";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { fillWithCheckpoints, listNewest } from "../subjects/checkpoint-rows.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { PAYLOAD_BYTES } from "../subjects/payload.mjs";
import { memoryStore } from "../subjects/wavepoint.mjs";

const MANY = 100_000;
const FEW = 1_000;
/** Reading the bodies would mean reading all of them; an index takes a fraction of it. */
const INDEX_SHARE = 0.1;

/** The newest 20 of many checkpoints. */
export async function measure({ samples }) {
  const stores = { few: memoryStore(), many: memoryStore() };
  const directories = { few: newDirectory("few"), many: newDirectory("many") };
  for (const [name, count] of [
    ["few", FEW],
    ["many", MANY],
  ]) {
    await fillWithCheckpoints(stores[name], count);
    const store = filesystemStore(directories[name]);
    await fillWithCheckpoints(store, count);
    await store.close();
  }
  let read = 0;
  const opened = {};
  const cold = (name) => ({
    name: `cold ${name}`,
    async run() {
      const before = bytesRead();
      const start = performance.now();
      const store = filesystemStore(directories[name]);
      await listNewest(store);
      const took = performance.now() - start;
      read = bytesRead() - before;
      await opened[name]?.close();
      opened[name] = store;
      return took;
    },
  });
  const times = await interleave(
    [
      { name: "memory few", run: () => listNewest(stores.few) },
      { name: "memory many", run: () => listNewest(stores.many) },
      cold("few"),
      cold("many"),
      { name: "warm few", run: () => listNewest(opened.few) },
      { name: "warm many", run: () => listNewest(opened.many) },
    ],
    { samples },
  );
  for (const name of ["few", "many"]) {
    await opened[name].close();
    removeDirectory(directories[name]);
  }
  const row = (what, kind, rest) =>
    line({
      what: `newest 20 of ${MANY.toLocaleString("en")} checkpoints, ${what}`,
      unit: "ms",
      ours: times[`${kind} many`],
      reference: times[`${kind} few`],
      referenceName: `of ${FEW.toLocaleString("en")}`,
      bar: "reads no checkpoint body",
      ...rest,
    });
  const bodies = MANY * PAYLOAD_BYTES;
  return [
    row("memory store", "memory", { met: () => true, note: "rows are kept apart from the journal" }),
    row("filesystem, newly opened", "cold", {
      met: () => read < bodies * INDEX_SHARE,
      note: `reads ${(read / 1e6).toFixed(1)} MB; the bodies are ${bodies / 1e6} MB`,
    }),
    row("filesystem, opened before", "warm", { met: () => true, note: "rows are in memory" }),
  ];
}

/** What this process has read from files so far, by the count of the system. */
function bytesRead() {
  return Number(/rchar: (\d+)/.exec(readFileSync("/proc/self/io", "utf8"))[1]);
}
