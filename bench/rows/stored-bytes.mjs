import { join } from "node:path";
import { directoryBytes, newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { STOPPED } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { bytesMoved } from "../harness/process-io.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { chainWorkflow, executorFor, runThrough } from "../subjects/ours.mjs";
import { payload, PAYLOAD_BYTES } from "../subjects/payload.mjs";
import { replacedFile } from "../subjects/raw-file.mjs";
import { chainMachine, runMachine, snapshotText } from "../subjects/xstate.mjs";

const KILOBYTE = 1_000;
/** The size that the README shows. */
const SHOWN = 1_000;
/** Beyond, snapshots of all that came before would fill the disk's time with gigabytes. */
const LONGEST_XSTATE = 1_000;

/** What a run of 1 kB steps leaves on the disk, and what was written for it. Nothing is timed: one run tells. */
export async function measure({ sizes }) {
  const lines = [];
  for (const size of sizes) {
    const ours = await oursBytes(size);
    const peer = size <= LONGEST_XSTATE ? await xstateBytes(size) : undefined;
    const figure = (bytes) => ({ median: bytes / KILOBYTE, min: bytes / KILOBYTE, samples: 1 });
    const steps = `${size.toLocaleString("en")} steps of 1 kB`;
    const shared = { unit: "kB", reference: figure(size * PAYLOAD_BYTES), referenceName: "payload" };
    lines.push(
      line({
        ...shared,
        what: `bytes kept, filesystem, ${steps}`,
        ours: figure(ours.kept - ours.definition),
        peer: peer ? figure(peer.kept) : STOPPED,
        bar: "≤ 1.15 × payload",
        met: ({ reference }) => reference <= 1.15,
        note: `beside the definition, ${(ours.definition / KILOBYTE).toFixed(1)} kB, which is kept once for all runs; XState's is code`,
        readme: size === SHOWN && `bytes kept, filesystem, ${steps}`,
      }),
      line({
        ...shared,
        what: `bytes written, filesystem, ${steps}, ${size > LONGEST_XSTATE ? "in the background" : "one durable write a step"}`,
        ours: figure(ours.written),
        peer: peer ? figure(peer.written) : STOPPED,
        readme: size === SHOWN && "bytes written for it, one durable write a step",
      }),
    );
  }
  return lines;
}

async function oursBytes(size) {
  const directory = newDirectory("ours");
  const workflow = chainWorkflow(Array(size).fill("Payload"));
  const before = bytesMoved().written;
  // Each step in a commit of its own: nothing saved by putting several together.
  const store = filesystemStore(directory);
  const executor = executorFor(store, workflow, { policy: { durability: size > LONGEST_XSTATE ? "async" : "sync" } });
  await runThrough(executor, workflow);
  await executor.close();
  // Else the room that a file was given for more steps is counted too.
  await store.close();
  const bytes = {
    kept: directoryBytes(directory),
    definition: directoryBytes(join(directory, "blobs")),
    written: bytesMoved().written - before,
  };
  removeDirectory(directory);
  return bytes;
}

async function xstateBytes(size) {
  const directory = newDirectory("xstate");
  const file = replacedFile(join(directory, "snapshot"));
  let produced = 0;
  const machine = chainMachine(Array(size).fill("work"), { keepAll: true, work: async () => payload(produced++) });
  const before = bytesMoved().written;
  await runMachine(machine, (actor) => file.replace(snapshotText(actor)));
  file.close();
  const bytes = { kept: directoryBytes(directory), written: bytesMoved().written - before };
  removeDirectory(directory);
  return bytes;
}
