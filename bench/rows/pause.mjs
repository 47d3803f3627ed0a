import { join } from "node:path";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { chainWorkflow, executorFor, seen } from "../subjects/ours.mjs";
import { payload } from "../subjects/payload.mjs";
import { appendFile, replacedFile } from "../subjects/raw-file.mjs";
import * as xstate from "../subjects/xstate.mjs";

const STEPS = 100;
/** A pause is short: more samples cost little and steady the median. */
const SAMPLES_A_ROUND = 3;

/** From the moment a block asks until its question is safe, and from its answer to the next step, in a run that has done 100 steps. */
export async function measure({ samples }) {
  const rounds = samples * SAMPLES_A_ROUND;
  const subjects = [
    await ours("sync", { durability: "sync", rounds, took: ({ askedAt }) => performance.now() - askedAt }),
    await ours("async", { durability: "async", rounds, took: ({ askedAt }) => performance.now() - askedAt }),
    await ours("answer", { durability: "async", rounds, took: ({ answeredAt, askedAt }) => askedAt - answeredAt }),
    raw(),
    await xstateSubject(rounds),
  ];
  const times = await interleave(subjects, { samples: rounds });
  for (const { close } of subjects) await close();
  const shared = {
    unit: "ms",
    reference: times.raw,
    referenceName: "append + fdatasync",
    peer: times.xstate,
    bar: "≤ 1.5 × raw",
    met: ({ reference }) => reference <= 1.5,
  };
  return [
    line({
      ...shared,
      what: `pause → stored, filesystem, \`sync\`, run of ${STEPS} steps`,
      ours: times.sync,
      readme: "question → stored, filesystem, `sync`",
    }),
    line({ ...shared, what: `the same, \`async\``, ours: times.async, note: "in one write with the step before it" }),
    line({
      ...shared,
      what: `answer → next step, filesystem, \`async\`, run of ${STEPS} steps`,
      ours: times.answer,
      peer: undefined,
      note: "the answer is stored before",
      readme: "answer → next step, filesystem (the answer is stored before)",
    }),
  ];
}

async function ours(name, { durability, rounds, took }) {
  const directory = newDirectory("ours");
  const workflow = chainWorkflow([...Array(STEPS).fill("Payload"), ...Array(rounds + 2).fill("Gate")]);
  const executor = executorFor(filesystemStore(directory), workflow, { policy: { durability } });
  const run = await executor.start(workflow);
  let result = await run.settled();
  return {
    name,
    async run() {
      const answeredAt = performance.now();
      result = await run.answer(result.pauses[0].id, "go");
      return took({ answeredAt, askedAt: seen.askedAt });
    },
    async close() {
      await executor.close();
      removeDirectory(directory);
    },
  };
}

function raw() {
  const directory = newDirectory("raw");
  const file = appendFile(join(directory, "journal"));
  return {
    name: "raw",
    run: () => file.append(`${payload(0)}\n`),
    close() {
      file.close();
      removeDirectory(directory);
    },
  };
}

async function xstateSubject(rounds) {
  const directory = newDirectory("xstate");
  const file = replacedFile(join(directory, "snapshot"));
  const walk = await xstate.openWalk((snapshot) => file.replace(snapshot), { prefix: STEPS, stretches: rounds + 1, length: 0 });
  return {
    name: "xstate",
    run: () => walk.walk(),
    close() {
      walk.close();
      file.close();
      removeDirectory(directory);
    },
  };
}
