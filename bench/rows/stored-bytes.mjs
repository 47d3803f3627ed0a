import { join } from "node:path";
import { directoryBytes, newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { STOPPED } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { chainWorkflow, executorFor, runThrough } from "../subjects/ours.mjs";
import { payload, PAYLOAD_BYTES } from "../subjects/payload.mjs";
import { replacedFile } from "../subjects/raw-file.mjs";
import { chainMachine, runMachine, snapshotText } from "../subjects/xstate.mjs";

const KILOBYTE = 1_000;
/** Beyond, snapshots of all that came before would fill the disk's time with gigabytes. */
const LONGEST_XSTATE = 1_000;

/** What a run of 1 kB steps leaves on the disk. Nothing is timed: one run tells. */
export async function measure({ sizes }) {
  const lines = [];
  for (const size of sizes) {
    const ours = await oursBytes(size);
    const peer = size <= LONGEST_XSTATE ? await xstateBytes(size) : undefined;
    const figure = (bytes) => ({ median: bytes / KILOBYTE, min: bytes / KILOBYTE, samples: 1 });
    lines.push(
      line({
        what: `stored bytes, filesystem, ${size.toLocaleString("en")} steps of 1 kB`,
        unit: "kB",
        ours: figure(ours.total - ours.definition),
        reference: figure(size * PAYLOAD_BYTES),
        referenceName: "payload",
        peer: peer ? figure(peer.written) : STOPPED,
        bar: "≤ 1.15 × payload",
        met: ({ reference }) => reference <= 1.15,
        note: `beside the definition, ${(ours.definition / KILOBYTE).toFixed(1)} kB, stored once for all runs${peer ? `; XState: what it wrote in all, the last snapshot is ${(peer.last / KILOBYTE).toFixed(0)} kB` : ""}`,
      }),
    );
  }
  return lines;
}

async function oursBytes(size) {
  const directory = newDirectory("ours");
  const workflow = chainWorkflow(Array(size).fill("Payload"));
  // Each step in a commit of its own: nothing saved by putting several together.
  const executor = executorFor(filesystemStore(directory), workflow, {
    policy: { durability: size > LONGEST_XSTATE ? "async" : "sync" },
  });
  await runThrough(executor, workflow);
  await executor.close();
  const bytes = { total: directoryBytes(directory), definition: directoryBytes(join(directory, "blobs")) };
  removeDirectory(directory);
  return bytes;
}

async function xstateBytes(size) {
  const directory = newDirectory("xstate");
  const file = replacedFile(join(directory, "snapshot"));
  let produced = 0;
  let last = 0;
  const machine = chainMachine(Array(size).fill("work"), { keepAll: true, work: async () => payload(produced++) });
  await runMachine(machine, (actor) => {
    const text = snapshotText(actor);
    last = text.length;
    file.replace(text);
  });
  file.close();
  removeDirectory(directory);
  return { written: file.bytesWritten, last };
}
