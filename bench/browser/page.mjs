import { indexedDbStore } from "../../dist/store/indexeddb.js";
import { interleave } from "../harness/interleave.mjs";
import { fillWithCheckpoints, listNewest } from "../subjects/checkpoint-rows.mjs";
import { chainWorkflow, executorFor, openWalk, runThrough, timeWave } from "../subjects/ours.mjs";
import { payload } from "../subjects/payload.mjs";
import * as xstate from "../subjects/xstate.mjs";
import { bytesReadBy, deleteDatabase, openDatabase, recordBytes } from "./raw-database.mjs";

let databases = 0;
const newName = (kind) => `${kind}-${databases++}`;

/** The executor always asks for strict commits; this lets the same work be measured without. */
function withDurability(store, durability) {
  return { ...store, commit: (commit) => store.commit({ ...commit, durability }) };
}

async function measureSteps({ prefix, samples, stretch, durability, withPeer }) {
  const name = newName("ours");
  const ours = await openWalk(withDurability(indexedDbStore({ name }), durability), {
    prefix,
    stretches: samples + 1,
    length: stretch,
    durability: "sync",
  });
  const raw = await openDatabase(newName("raw"));
  let put = 0;
  const subjects = [
    { name: "ours", run: () => ours.walk() },
    {
      name: "raw",
      async run() {
        for (let i = 0; i < stretch; i++)
          await raw.put([JSON.stringify({ step: put, outputs: { data: payload(put) } })], [put++], durability);
      },
    },
  ];
  const snapshots = await openDatabase(newName("xstate"));
  const walk = withPeer
    ? await xstate.openWalk((text) => snapshots.put([text], ["run"], durability), { prefix, stretches: samples + 1, length: stretch })
    : undefined;
  if (walk) subjects.push({ name: "xstate", run: () => walk.walk() });
  const times = await interleave(subjects, { samples });
  walk?.close();
  await ours.close();
  await deleteDatabase(name);
  await raw.close();
  await snapshots.close();
  return times;
}

async function measureTogether({ width, samples, durability }) {
  const subjects = [
    {
      name: "ours",
      prepare: () => newName("ours"),
      async run(name) {
        const store = withDurability(indexedDbStore({ name }), durability);
        const took = await timeWave(store, width);
        await store.close();
        return took;
      },
      finish: deleteDatabase,
    },
    {
      name: "raw",
      prepare: () => openDatabase(newName("raw")),
      run(raw) {
        const keys = Array.from({ length: width }, (_, index) => index);
        return raw
          .put(
            keys.map((key) => JSON.stringify({ step: key, outputs: { data: payload(key) } })),
            keys,
            durability,
          )
          .then(() => undefined);
      },
      finish: (raw) => raw.close(),
    },
    {
      name: "xstate",
      prepare: () => openDatabase(newName("xstate")),
      async run(raw) {
        let produced = 0;
        const actor = await xstate.runMachine(xstate.fanMachine(width, { keepAll: true, work: async () => payload(produced++) }), () => {});
        await raw.put([xstate.snapshotText(actor)], ["run"], durability);
      },
      finish: (raw) => raw.close(),
    },
  ];
  return interleave(subjects, { samples });
}

async function measureBytes({ steps }) {
  const name = newName("ours");
  const workflow = chainWorkflow(Array(steps).fill("Payload"));
  const executor = executorFor(indexedDbStore({ name }), workflow, { policy: { durability: "sync" } });
  await runThrough(executor, workflow);
  await executor.close();
  const bytes = { all: await recordBytes(name), definition: await recordBytes(name, ["blobs"]) };
  await deleteDatabase(name);
  return bytes;
}

async function measureList({ few, many, samples }) {
  const names = { few: newName("few"), many: newName("many") };
  const opened = {};
  for (const [name, count] of [
    ["few", few],
    ["many", many],
  ]) {
    opened[name] = indexedDbStore({ name: names[name] });
    await fillWithCheckpoints(opened[name], count);
    await opened[name].close();
  }
  const cold = (name) => ({
    name: `cold ${name}`,
    async run() {
      await opened[name].close();
      const start = performance.now();
      opened[name] = indexedDbStore({ name: names[name] });
      await listNewest(opened[name]);
      return performance.now() - start;
    },
  });
  const warm = (name) => ({ name: `warm ${name}`, run: () => listNewest(opened[name]) });
  const times = await interleave([cold("few"), cold("many"), warm("few"), warm("many")], { samples });
  const read = await bytesReadBy(() => listNewest(opened.many));
  for (const [name, store] of Object.entries(opened)) {
    await store.close();
    await deleteDatabase(names[name]);
  }
  return { times, read };
}

globalThis.measures = { measureSteps, measureTogether, measureBytes, measureList };
