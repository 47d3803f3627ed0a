import { join } from "node:path";
import { directoryBytes, newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { chainWorkflow, executorFor, runThrough, seen } from "../subjects/ours.mjs";
import { payload, PAYLOAD_BYTES } from "../subjects/payload.mjs";
import { replacedFile } from "../subjects/raw-file.mjs";

const STEPS = 1_000;
const KILOBYTE = 1_000;
const WARMUPS = 2;
const RETENTIONS = ["full", "latest"];

/** What it costs to keep the newest state alone, and what it saves. */
export async function measure({ samples }) {
  return [...(await wholeRuns(samples)), ...(await pauses(samples))];
}

/** Runs of 1,000 steps of 1 kB that go through without a question. */
async function wholeRuns(samples) {
  const workflow = chainWorkflow(Array(STEPS).fill("Payload"));
  const bytes = {};
  const subjects = RETENTIONS.map((retention) => ({
    name: retention,
    async prepare() {
      const opened = openStore(workflow, retention);
      await opened.executor.load(workflow);
      return opened;
    },
    async run({ executor }) {
      await runThrough(executor, workflow);
    },
    async finish({ directory, close }) {
      bytes[retention] = journalBytes(directory) / KILOBYTE;
      await close();
    },
  }));
  const times = await interleave(subjects, { samples, warmups: WARMUPS });
  const what = `run of ${STEPS.toLocaleString("en")} steps of ${PAYLOAD_BYTES / KILOBYTE} kB, \`retention: "latest"\`, filesystem`;
  const figure = (kilobytes) => ({ median: kilobytes, min: kilobytes, samples: 1 });
  return [
    line({ what, unit: "ms", ours: times.latest, reference: times.full, referenceName: '`retention: "full"`' }),
    line({
      what: `${what}, stored bytes`,
      unit: "kB",
      ours: figure(bytes.latest),
      reference: figure(bytes.full),
      referenceName: '`retention: "full"`',
    }),
  ];
}

/** Questions after 1,000 steps of 1 kB: at each the newest state is written once more, in the place of what came before. */
async function pauses(samples) {
  const workflow = chainWorkflow([...Array(STEPS).fill("Payload"), ...Array(samples + WARMUPS + 1).fill("Gate")]);
  const subjects = [...(await Promise.all(RETENTIONS.map((retention) => asking(workflow, retention)))), replacing()];
  const times = await interleave(subjects, { samples, warmups: WARMUPS });
  const bytes = Object.fromEntries(subjects.map(({ name, bytesOf }) => [name, bytesOf() / KILOBYTE]));
  for (const { close } of subjects) await close();
  const what = `pause → stored after ${STEPS.toLocaleString("en")} steps of ${PAYLOAD_BYTES / KILOBYTE} kB, \`retention: "latest"\`, filesystem`;
  return [
    line({
      what,
      unit: "ms",
      ours: times.latest,
      reference: times.raw,
      referenceName: "file of the same outputs, replaced + fdatasync",
      note: `${kilobytes(bytes.latest)} are stored then`,
    }),
    line({
      what: "the same, against keeping everything",
      unit: "ms",
      ours: times.latest,
      reference: times.full,
      referenceName: '`retention: "full"`',
      note: `${kilobytes(bytes.full)} are stored then`,
    }),
  ];
}

const kilobytes = (count) => `${Math.round(count).toLocaleString("en")} kB`;

function openStore(workflow, retention) {
  const directory = newDirectory("ours");
  const store = filesystemStore(directory);
  const executor = executorFor(store, workflow, { policy: { retention } });
  return {
    directory,
    executor,
    async close() {
      await executor.close();
      await store.close();
      removeDirectory(directory);
    },
  };
}

/** Beside the definition, which is stored once for all runs. */
function journalBytes(directory) {
  return directoryBytes(directory) - directoryBytes(join(directory, "blobs"));
}

async function asking(workflow, retention) {
  const { directory, executor, close } = openStore(workflow, retention);
  const run = await executor.start(workflow);
  let result = await run.settled();
  return {
    name: retention,
    async run() {
      result = await run.answer(result.pauses[0].id, "go");
      return performance.now() - seen.askedAt;
    },
    bytesOf: () => journalBytes(directory),
    close,
  };
}

function replacing() {
  const directory = newDirectory("raw");
  const file = replacedFile(join(directory, "state"));
  const outputs = Array.from({ length: STEPS }, (_, index) => [`step_${index}`, { data: payload(index) }]);
  return {
    name: "raw",
    run: () => file.replace(JSON.stringify(outputs)),
    bytesOf: () => directoryBytes(directory),
    close() {
      file.close();
      removeDirectory(directory);
    },
  };
}
