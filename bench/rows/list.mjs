import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { bytesMoved } from "../harness/process-io.mjs";
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
  const directories = { few: newDirectory("few"), many: newDirectory("many"), one: newDirectory("one") };
  await fillWithCheckpoints(stores.few, FEW);
  await fillWithCheckpoints(stores.many, MANY);
  for (const [name, count, aRun] of [
    ["few", FEW, FEW],
    ["many", MANY, FEW],
    ["one", MANY, MANY],
  ]) {
    const store = filesystemStore(directories[name]);
    await fillWithCheckpoints(store, count, aRun);
    await store.close();
  }
  let read = 0;
  const opened = {};
  const cold = (name) => ({
    name: `cold ${name}`,
    async run() {
      const before = bytesMoved().read;
      const start = performance.now();
      const store = filesystemStore(directories[name]);
      await listNewest(store);
      const took = performance.now() - start;
      read = bytesMoved().read - before;
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
      cold("one"),
      { name: "warm few", run: () => listNewest(opened.few) },
      { name: "warm many", run: () => listNewest(opened.many) },
    ],
    { samples },
  );
  for (const name of Object.keys(directories)) {
    await opened[name].close();
    removeDirectory(directories[name]);
  }
  const row = (what, kind, { of = "many", ...rest }) =>
    line({
      what: `newest 20 of ${MANY.toLocaleString("en")} checkpoints, ${what}`,
      unit: "ms",
      ours: times[`${kind} ${of}`],
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
    row("all of one run, filesystem, newly opened", "cold", {
      of: "one",
      bar: `≤ 3 × of ${FEW.toLocaleString("en")}`,
      met: ({ reference }) => reference <= 3,
    }),
    row("filesystem, opened before", "warm", { met: () => true, note: "rows are in memory" }),
  ];
}
