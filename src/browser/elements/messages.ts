import type { ErrorData } from "../../core/model/errors.ts";
import type { EarlierAnswer, RunProgress } from "../../core/model/run.ts";
import type { ReviewItem } from "../../core/model/review.ts";
import type { RevisionPreview } from "../../core/model/revision.ts";
import type { BlockStatus } from "../../core/model/view.ts";
import type { FieldError } from "../pause-form.ts";

/**
 * All that the elements say by themselves, in one language. For another wording: `{ ...en, send: "Next" }`. Numbers and instants come as
 * texts, written as the nearest `lang` has it.
 */
export interface Messages {
  /** The language of the texts, as `lang` names it. */
  readonly lang: string;

  readonly send: string;
  readonly sending: string;
  readonly back: string;
  readonly skip: string;
  readonly decline: string;
  readonly cancel: string;
  /** What stands in the place of the buttons once somebody pressed `cancel`. */
  readonly cancelQuestion: string;
  readonly cancelSurely: string;
  readonly cancelNot: string;

  readonly yes: string;
  readonly no: string;
  /** The line of a list that chooses nothing. */
  readonly choose: string;
  readonly optional: string;
  readonly json: string;
  readonly fileHint: string;
  readonly removeFile: string;
  addTo(list: string): string;
  remove(name: string): string;
  /** The name of one of several: "Person 2". */
  item(list: string, number: string): string;

  /** The heading of the list of what is wrong. */
  problems(count: number): string;
  /** What is wrong with a field, without its name. */
  fieldError(error: FieldError): string;
  /** The same as a sentence: `label` is empty for the answer as a whole. */
  fieldSentence(label: string, problem: string): string;
  error(error: ErrorData): string;

  earlier(answer: string, state: EarlierAnswer["state"]): string;
  deadline(instant: string): string;
  readonly draftKept: string;
  draftLost(problem: string): string;

  progress(progress: RunProgress): string;
  readonly progressLabel: string;
  /** What is read out where the focus did not go: a heading and how far the run is. */
  announce(heading: string, progress: string): string;
  readonly waitingToo: string;
  readonly working: string;
  readonly stopped: string;
  waitingUntil(instant: string): string;
  readonly goOn: string;
  readonly tryAgain: string;
  readonly runAnyway: string;
  readonly completed: string;
  readonly failed: string;
  readonly cancelled: string;
  transferred(to: string): string;

  readonly review: string;
  readonly leaveReview: string;
  readonly change: string;
  readonly keepAnswer: string;
  readonly preview: string;
  /** What a change leads to, by what is told of it. */
  readonly consequences: { readonly [kind in keyof RevisionPreview]: string };
  readonly noConsequences: string;
  readonly revise: string;
  readonly reviewStatus: { readonly [status in ReviewItem["status"]]: string };

  wave(number: string): string;
  readonly waves: string;
  readonly status: { readonly [status in BlockStatus]: string };

  readonly history: HistoryMessages;
}

/** What `<wavepoint-history>` says. */
export interface HistoryMessages {
  readonly title: string;
  readonly runs: string;
  readonly runStatus: { readonly [status: string]: string };
  readonly thisRun: string;
  readonly open: string;
  readonly checkpoints: string;
  readonly afterWave: string;
  readonly state: string;
  readonly fork: string;
  readonly compareFrom: string;
  readonly compareTo: string;
  readonly compare: string;
  readonly same: string;
  readonly nothing: string;
  readonly inputs: string;
  readonly answers: string;
  change(before: string, after: string): string;
}

/** English. */
export const en: Messages = {
  lang: "en",
  send: "Continue",
  sending: "Sending…",
  back: "Back",
  skip: "Skip this question",
  decline: "Decline to answer",
  cancel: "Cancel",
  cancelQuestion: "This ends all of it, and no more can be answered.",
  cancelSurely: "Yes, end it",
  cancelNot: "No, keep going",
  yes: "Yes",
  no: "No",
  choose: "Choose…",
  optional: "optional",
  json: "Written as JSON.",
  fileHint: "You may also drop it here.",
  removeFile: "Remove",
  addTo: (list) => `Add to ${list}`,
  remove: (name) => `Remove ${name}`,
  item: (list, number) => `${list} ${number}`,
  problems: (count) => (count > 1 ? `${count} answers need another look` : "One answer needs another look"),
  fieldError: ({ code, message }) =>
    code === "json" ? "is not valid JSON yet: check quotes, commas and brackets" : message.replace(/\.$/, ""),
  fieldSentence: (label, problem) => (/^[A-Z]/.test(problem) ? `${problem}.` : `${label || "The answer"} ${problem}.`),
  error: ({ message }) => message,
  earlier: (answer, state) =>
    `You answered: ${answer}.${{ ok: "", needs_review: " Please look at it again.", invalid: " It does not fit any more." }[state]}`,
  deadline: (instant) => `Please answer by ${instant}.`,
  draftKept: "What you typed is kept.",
  draftLost: (problem) => `What you typed is not kept: ${problem}`,
  progress: ({ answered, remaining: { min, max } }) => {
    const [least, most] = [Math.max(0, min - 1), max === undefined ? undefined : Math.max(0, max - 1)];
    if (most === 0) return `Question ${answered + 1}, the last one`;
    const more = most === undefined ? `at least ${least}` : least === most ? least : least === 0 ? `up to ${most}` : `${least} to ${most}`;
    return `Question ${answered + 1}${most === undefined && least === 0 ? "" : `, then ${more} more`}`;
  },
  progressLabel: "Progress",
  announce: (heading, progress) => `${heading}${/[.?!:…]$/.test(heading) ? "" : "."} ${progress}`,
  waitingToo: "These wait too:",
  working: "Working…",
  stopped: "This stopped before it was finished.",
  waitingUntil: (instant) => `This goes on at ${instant}.`,
  goOn: "Go on",
  tryAgain: "Try again",
  runAnyway: "Do it again",
  completed: "Done",
  failed: "This did not work",
  cancelled: "Ended",
  transferred: (to) => `This goes on elsewhere: ${to}.`,
  review: "Your answers",
  leaveReview: "Back to the question",
  change: "Change",
  keepAnswer: "Leave it as it is",
  preview: "See what would change",
  consequences: {
    kept: "Stays",
    asked: "Is asked",
    rerun: "Is done again",
    effects: "Changes something outside of this page",
    once: "Was meant to be done once only",
    skipped: "Is left out",
    uncertain: "Not certain yet",
  },
  noConsequences: "Nothing else changes.",
  revise: "Change the answer",
  reviewStatus: {
    answered: "Answered",
    open: "Waits for you",
    declined: "Declined",
    expired: "Nobody answered in time",
    skipped: "Not asked",
    pending: "Not asked yet",
  },
  wave: (number) => `Wave ${number}`,
  waves: "Waves",
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
  history: {
    title: "History",
    runs: "Runs",
    runStatus: { running: "running", paused: "asks", completed: "done", failed: "failed", cancelled: "ended", deleted: "deleted" },
    thisRun: "shown here",
    open: "Open",
    checkpoints: "Checkpoints",
    afterWave: "After wave",
    state: "Show",
    fork: "Fork from here",
    compareFrom: "From",
    compareTo: "to",
    compare: "Compare",
    same: "There is no difference.",
    nothing: "nothing",
    inputs: "Inputs",
    answers: "Answers",
    change: (before, after) => `${before} → ${after}`,
  },
};
