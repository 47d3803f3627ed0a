import { createHash } from "node:crypto";
import { closeSync, fdatasyncSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { chainWorkflow, executorFor, runThrough } from "../subjects/ours.mjs";
import { payload, PAYLOAD_BYTES } from "../subjects/payload.mjs";

const STEPS = 1_000;
const KILOBYTE = 1_000;
const WARMUPS = 2;

/** A run of 1,000 steps that waits for an answer, out of one store and into another one. */
export async function measure({ samples }) {
  const workflow = chainWorkflow([...Array(STEPS).fill("Payload"), "Gate"]);
  const from = newDirectory("from");
  const store = filesystemStore(from);
  const executor = executorFor(store, workflow);
  const { run } = await runThrough(executor, workflow);
  const file = await executor.runs.export(run);
  const raw = rawJournal();
  const times = await interleave(
    [
      {
        name: "export",
        async run() {
          await executor.runs.export(run);
        },
      },
      { name: "raw export", run: raw.export },
      importing(workflow, file),
      { name: "raw import", run: raw.import },
    ],
    { samples, warmups: WARMUPS },
  );
  raw.close();
  await executor.close();
  await store.close();
  removeDirectory(from);
  const what = `a run of ${STEPS.toLocaleString("en")} steps of ${PAYLOAD_BYTES / KILOBYTE} kB, filesystem`;
  return [
    line({
      what: `export of ${what}`,
      unit: "ms",
      ours: times.export,
      reference: times["raw export"],
      referenceName: "read, SHA-256",
      note: `the file has ${Math.round(file.length / KILOBYTE).toLocaleString("en")} kB`,
    }),
    line({
      what: `import of ${what}`,
      unit: "ms",
      ours: times.import,
      reference: times["raw import"],
      referenceName: "SHA-256, parse, write + fdatasync",
    }),
  ];
}

function importing(workflow, file) {
  return {
    name: "import",
    async prepare() {
      const directory = newDirectory("to");
      const store = filesystemStore(directory);
      const executor = executorFor(store, workflow);
      await executor.load(workflow);
      return { directory, store, executor };
    },
    async run({ executor }) {
      await executor.runs.import(file);
    },
    async finish({ directory, store, executor }) {
      await executor.close();
      await store.close();
      removeDirectory(directory);
    },
  };
}

/** The same outputs as lines of JSON, checked by a hash on both ways. */
function rawJournal() {
  const directory = newDirectory("raw");
  const path = join(directory, "journal");
  const text = Array.from({ length: STEPS }, (_, index) => `${JSON.stringify({ step: index, outputs: { data: payload(index) } })}\n`).join(
    "",
  );
  writeFileSync(path, text);
  return {
    export: () => void createHash("sha256").update(readFileSync(path, "utf8")).digest("hex"),
    import() {
      createHash("sha256").update(text).digest("hex");
      for (const record of text.split("\n")) if (record !== "") JSON.parse(record);
      const copy = openSync(join(directory, "copy"), "w");
      writeSync(copy, text);
      fdatasyncSync(copy);
      closeSync(copy);
    },
    close: () => removeDirectory(directory),
  };
}
