import { executorFor } from "./ours.mjs";

export const QUESTIONS = 30;
const CHANGED = "question_3";
/** Their prompts name the answer to question 3. */
const DEPENDENT = [4, 10, 20];
/** Asked for one answer to question 3, and for the other. */
const IF_YES = [11, 12];
const IF_NO = [13, 14];
const FIRST_DEPENDENT = Math.min(...DEPENDENT, ...IF_YES, ...IF_NO);

const ANSWERED = `\${blocks.${CHANGED}.answer}`;

function questionAt(number) {
  return {
    id: `question_${number}`,
    type: "Question",
    inputs: { prompt: DEPENDENT.includes(number) ? `Question ${number}, after ${ANSWERED}?` : `Question ${number}?` },
    // A question that was skipped keeps none of the later ones from being asked.
    dependsOn: number === 1 ? [] : [{ block: `question_${number - 1}`, required: false }, ...(number > FIRST_DEPENDENT ? [CHANGED] : [])],
    ...(IF_YES.includes(number) ? { condition: `${ANSWERED} == "yes"` } : {}),
    ...(IF_NO.includes(number) ? { condition: `${ANSWERED} == "no"` } : {}),
  };
}

/** Thirty questions one after another, of which some depend on what question 3 was answered. */
export const questionnaire = { name: "questionnaire", blocks: Array.from({ length: QUESTIONS }, (_, index) => questionAt(index + 1)) };

export function openQuestionnaire(store) {
  return executorFor(store, questionnaire);
}

/** Answers all that is asked until the last question stands, which stays open, since a run that is over is not revised. Gives how many those were. */
export async function answerAll(run, third) {
  let count = 0;
  for (let result = await run.settled(); ; count++) {
    if (result.status !== "paused") throw new Error(`The questionnaire should wait, but it is ${result.status}.`);
    const [{ id, path }] = result.pauses;
    if (path[0] === `question_${QUESTIONS}`) return count;
    result = await run.answer(id, path[0] === CHANGED ? third : "fine");
  }
}

/** The id of the pause at which question 3 was asked. */
export async function changedPause(run) {
  const items = await run.answers();
  return items.find(({ path }) => path[0] === CHANGED).pause;
}
