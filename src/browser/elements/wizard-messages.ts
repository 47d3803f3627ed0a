import type { ErrorData } from "../../core/model/errors.ts";
import type { EarlierAnswer } from "../../core/model/run.ts";
import type { ReviewItem, RevisionPreview } from "../../core/model/history.ts";
import type { BlockStatus } from "../../core/model/view.ts";
import type { FieldError } from "../pause-form.ts";
import type { NamedField } from "./field-error-texts.ts";
import { fieldError } from "./field-errors.ts";

/** What the elements say after the first question has been shown. */
export interface WizardMessages {
  /** What to do about a field, as a whole sentence: it stands at the field, and above the form. */
  fieldError(error: FieldError, field: NamedField): string;
  /** What went wrong beside the fields, and what to do next. */
  error(error: ErrorData): string;
  /** On the menu that has `cancel` in it. */
  readonly more: string;
  /** What replaces the buttons once `cancel` was pressed. */
  readonly cancelQuestion: string;
  readonly cancelSurely: string;
  readonly cancelNot: string;
  /** The line of a list that chooses nothing. */
  readonly choose: string;
  /** On the button that takes back what was chosen, or how one signed. */
  readonly clear: string;
  readonly json: string;
  readonly chooseFile: string;
  /** Below that, for pages with a pointer. */
  readonly fileHint: string;
  readonly removeFile: string;
  /** On the button that adds an entry to a list, by the name that it will have. */
  add(name: string): string;
  remove(name: string): string;
  /** The name of one of several: "Person 2". `list` is empty where the list is the whole answer and has no title. */
  item(list: string, number: string): string;
  /** The heading of the list of what is wrong. */
  problems(count: number): string;
  earlier(answer: string, state: EarlierAnswer["state"]): string;
  deadline(instant: string): string;
  readonly draftKept: string;
  /** Behind that, where a file is picked: it is kept with the answer, not before. */
  readonly filesLater: string;
  /** On the button that saves a file that the run gave, by its name and size. */
  readonly saveFile: (file: string) => string;
  draftLost(problem: string): string;
  /** Above the text typed for a question that was answered, or ended, elsewhere. */
  unsent(question: string): string;
  readonly waitingToo: string;
  readonly working: string;
  /** Below that, in a run that asks nothing: how many of its blocks and items are done, and how many there are. */
  stepsDone(done: string, total: string): string;
  /** `time` is one of the clock. */
  tryingAgain(time: string): string;
  readonly offline: string;
  readonly stopped: string;
  readonly stoppedForNow: string;
  waitingUntil(instant: string): string;
  /** `events` are their names, as the workflow gives them. */
  waitingFor(events: string): string;
  readonly goOn: string;
  readonly tryAgain: string;
  readonly completed: string;
  readonly failed: string;
  readonly cancelled: string;
  transferred(to: string): string;
  readonly change: string;
  /** On the button below all answers, once they were looked at. */
  readonly sendAll: string;
  /** On the button that prints the answers, which browsers save as PDF too. */
  readonly print: string;
  readonly keepAnswer: string;
  /** On the button that shows what a change leads to. */
  readonly preview: string;
  /** The heading above that. */
  readonly whatChanges: string;
  /** What a change leads to, by the members of its preview. */
  readonly consequences: { readonly [kind in keyof RevisionPreview]: string };
  readonly noConsequences: string;
  readonly revise: string;
  /** Below the answers of a run that has ended. */
  readonly answersStay: string;
  readonly reviewStatus: { readonly [status in ReviewItem["status"]]: string };
  readonly status: { readonly [status in BlockStatus]: string };
}

/** The messages with the English ones in place of those that are left out. */
export function wordsOf<M extends Partial<WizardMessages>>(messages: M): M & WizardMessages {
  return { ...english, ...messages };
}

/** The errors that people see; the others are shown as they are, for the developer of the page. */
const ERRORS: { readonly [code in ErrorData["code"]]?: string } = {
  RESPONSE_REQUIRED: "An answer is needed here.",
  PAUSE_ALREADY_ANSWERED: "This question was answered elsewhere in the meantime.",
  PAUSE_DECLINED: "A question was not answered. Change that among your answers, or try again.",
  PAUSE_TIMEOUT: "No answer came in time.",
  PAUSE_EXPIRED: "No answer came in time, so there is none to change.",
  CHECKPOINT_PRUNED: "Nothing was kept of what lies so far back.",
  PAUSE_WITHDRAWN: "An earlier answer was changed in the meantime, so this is not asked now. What you typed is kept.",
  RUN_ENDED: "This is finished. Its answers can no longer be changed.",
  RUN_NOT_FOUND: "This was deleted in the meantime. Reload the page to begin anew.",
  RUN_TRANSFERRED: "This does not go on here: it was handed over to another place.",
  STORE_QUOTA: "This device has no room left. Make some room, then try again.",
  STORE_LOST: "The browser's storage could not be reached. Try again.",
  STORE_UNREACHABLE: "The connection is gone. What you typed is still here: try again in a moment.",
  STORE_UNAVAILABLE: "The browser lets nothing be stored here.",
  STORE_RESET: "What was kept in this browser is gone: its data was cleared. Start again, or open a file that you exported.",
  STORE_CONFLICT: "It went on in another window in the meantime. Try again.",
};

const english: WizardMessages = {
  fieldError,
  error: ({ code, message }) => ERRORS[code] ?? message,
  more: "More",
  cancelQuestion: "This ends all of it, and no more can be answered.",
  cancelSurely: "Yes, end it",
  cancelNot: "No, keep going",
  choose: "Choose…",
  clear: "Clear",
  json: "Written as JSON.",
  chooseFile: "Choose a file",
  fileHint: "or drop it here",
  removeFile: "Remove",
  add: (name) => `Add ${name}`,
  remove: (name) => `Remove ${name}`,
  item: (list, number) => `${list || "Entry"} ${number}`,
  problems: (count) => (count > 1 ? `${count} answers need another look` : "One answer needs another look"),
  earlier: (answer, state) => {
    const then = {
      ok: "",
      needs_review: "Something before it has changed, so please look at it again.",
      invalid: "Something before it has changed, and it does not fit any more.",
    }[state];
    // A group has a line for each of its members.
    return (answer.includes("\n") ? `You answered:\n${answer}\n${then}` : `You answered: ${answer}. ${then}`).trim();
  },
  deadline: (instant) => `Please answer by ${instant}.`,
  draftKept: "Saved",
  filesLater: "Files are kept once you continue.",
  saveFile: (file) => `Save ${file}`,
  draftLost: (problem) => `Not saved yet. ${problem}`,
  unsent: (question) => `“${question}” no longer waits for an answer. What you typed there was not sent:`,
  waitingToo: "These wait too:",
  working: "Working…",
  stepsDone: (done, total) => `${done} of ${total} steps`,
  tryingAgain: (time) => `This did not work yet. It is tried again at ${time}.`,
  offline: "This device is offline.",
  stopped: "This stopped before it was finished.",
  stoppedForNow: "This was stopped for now.",
  waitingUntil: (instant) => `This continues on ${instant}.`,
  waitingFor: (events) => `This continues once it hears of: ${events}.`,
  goOn: "Go on",
  tryAgain: "Try again",
  completed: "Done",
  failed: "This did not work",
  cancelled: "Ended",
  transferred: (to) => `This goes on elsewhere: ${to}.`,
  change: "Change",
  sendAll: "Send",
  print: "Print or save these answers",
  keepAnswer: "Leave it as it is",
  preview: "See what would change",
  whatChanges: "What this would change",
  consequences: {
    kept: "Stays",
    asked: "Will be asked",
    rerun: "Is done again",
    effects: "Changes something outside of this page",
    once: "Is done only once: you are asked before it is done again",
    leftDone: "Was done already and is not undone",
    skipped: "Is left out",
    uncertain: "May be asked or done again",
  },
  noConsequences: "Nothing else changes.",
  revise: "Change the answer",
  answersStay: "This is finished, so its answers stay as they are.",
  reviewStatus: {
    answered: "Answered",
    open: "Waits for you",
    declined: "Declined",
    expired: "Closed without an answer",
    skipped: "Not asked",
    pending: "Not asked yet",
  },
  status: {
    pending: "not begun",
    running: "running",
    completed: "done",
    failed: "failed",
    paused: "asks",
    waiting: "waiting",
    skipped: "skipped",
    stopped: "stopped",
  },
};
