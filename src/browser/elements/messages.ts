import type { ErrorData } from "../../core/model/errors.ts";
import type { RunProgress } from "../../core/model/run.ts";
import type { FieldError } from "../pause-form.ts";
import type { HistoryMessages } from "./history-messages.ts";
import type { WizardMessages } from "./wizard-messages.ts";

/**
 * All that the elements say by themselves, in one language. For another wording: `{ ...en, send: "Next" }`; what is left out is English.
 * Numbers and instants come as texts, written as the nearest `lang` has it.
 */
export interface Messages extends Partial<WizardMessages> {
  /** The language of the texts, as `lang` names it. */
  readonly lang: string;
  readonly send: string;
  readonly sending: string;
  readonly back: string;
  readonly skip: string;
  readonly decline: string;
  readonly cancel: string;
  readonly yes: string;
  readonly no: string;
  /** The line of a list that chooses nothing. */
  readonly choose: string;
  readonly optional: string;
  /** What is wrong with a field, without its name. */
  fieldError(error: FieldError): string;
  error(error: ErrorData): string;
  deadline(instant: string): string;
  readonly draftKept: string;
  draftLost(problem: string): string;
  progress(progress: RunProgress): string;
  readonly progressLabel: string;
  /** What is read out where the focus did not go: a heading and how far the run is. */
  announce(heading: string, progress: string): string;
  readonly working: string;
  readonly review: string;
  readonly leaveReview: string;
  /** What `<wavepoint-history>` says. */
  readonly history?: Partial<HistoryMessages>;
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
  yes: "Yes",
  no: "No",
  choose: "Choose…",
  optional: "optional",
  fieldError: ({ message }) => message.replace(/\.$/, ""),
  error: ({ message }) => message,
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
  working: "Working…",
  review: "Your answers",
  leaveReview: "Back to the question",
};
