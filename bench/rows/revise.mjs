import { join } from "node:path";
import { newDirectory, removeDirectory } from "../harness/data-directory.mjs";
import { interleave } from "../harness/interleave.mjs";
import { line } from "../harness/line.mjs";
import { filesystemStore } from "../subjects/filesystem.mjs";
import { answerAll, changedPause, openQuestionnaire, questionnaire, QUESTIONS } from "../subjects/questionnaire.mjs";
import { replacedFile } from "../subjects/raw-file.mjs";
import { memoryStore } from "../subjects/wavepoint.mjs";
import * as xstate from "../subjects/xstate.mjs";

/** Questions are quick: more samples cost little and steady the median. */
const SAMPLES_A_ROUND = 3;
const WARMUPS = 3;

/** Another answer to question 3 of 30, and everything that follows from it, against answering all of them once more. */
export async function measure({ samples }) {
  const directory = newDirectory("ours");
  const files = filesystemStore(directory);
  const stores = [await onStore("files", files), await onStore("memory", memoryStore())];
  const subjects = [...stores.flatMap((store) => store.subjects), xstateAgain()];
  const times = await interleave(subjects, { samples: samples * SAMPLES_A_ROUND, warmups: WARMUPS });
  for (const { close } of stores) await close();
  await files.close();
  removeDirectory(directory);
  return stores.flatMap(({ name, counts }) => {
    const where = name === "files" ? "filesystem" : "memory store";
    const shared = { unit: "ms", reference: times[`${name} again`], referenceName: `all ${counts.all} once more` };
    const peer = name === "files" ? { peer: times.xstate } : {};
    return [
      line({
        ...shared,
        ...peer,
        what: `question 3 of ${QUESTIONS} answered otherwise, until the last one is asked again, ${where}`,
        ours: times[`${name} revise`],
        bar: "≤ 1 × all once more",
        met: ({ reference }) => reference <= 1,
        readme: where === "filesystem",
        note: `asks ${counts.asked} of ${counts.all} again${peer.peer ? "; XState: all of them once more" : ""}`,
      }),
      line({ ...shared, what: `what that would ask again, told beforehand, ${where}`, ours: times[`${name} preview`] }),
    ];
  });
}

async function onStore(name, store) {
  const executor = openQuestionnaire(store);
  const run = await executor.start(questionnaire);
  const counts = { all: await answerAll(run, "yes"), asked: 0 };
  const pause = await changedPause(run);
  let answer = "yes";
  return {
    name,
    counts,
    subjects: [
      {
        name: `${name} revise`,
        async run() {
          // Each sample changes the answer to the other one.
          answer = answer === "yes" ? "no" : "yes";
          await run.revise(pause, answer);
          counts.asked = await answerAll(run, answer);
        },
      },
      {
        name: `${name} preview`,
        async run() {
          await run.previewRevise(pause, answer === "yes" ? "no" : "yes");
        },
      },
      {
        name: `${name} again`,
        async run() {
          await answerAll(await executor.start(questionnaire), "no");
        },
      },
    ],
    close: () => executor.close(),
  };
}

/** It has no way to change one answer, so all questions are asked: a machine that waits for an event in each state, saved after each. */
function xstateAgain() {
  const machine = xstate.chainMachine(Array(QUESTIONS - 2).fill("gate"), { keepAll: true, work: async () => {} });
  return {
    name: "xstate",
    prepare() {
      const directory = newDirectory("xstate");
      return { directory, file: replacedFile(join(directory, "snapshot")) };
    },
    run({ file }) {
      return xstate.runGates(machine, (actor) => file.replace(xstate.snapshotText(actor))).then(() => undefined);
    },
    finish({ directory, file }) {
      file.close();
      removeDirectory(directory);
    },
  };
}
