import type { RunProgress } from "../../core/model/run.ts";
import type { GraphMessages } from "./graph/graph-messages.ts";
import type { FieldMessages } from "./field-messages.ts";
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
  readonly optional: string;
  progress(progress: RunProgress): string;
  readonly progressLabel: string;
  readonly review: string;
  readonly leaveReview: string;
  /** What the controls of lists, orders and other rare kinds say. */
  readonly fields?: Partial<FieldMessages>;
  /** What `<wavepoint-history>` says. */
  readonly history?: Partial<HistoryMessages>;
  /** What `<wavepoint-waves>` says. */
  readonly graph?: Partial<GraphMessages>;
}

/** All of them in one language: the compiler tells what is missing. */
export type Translation = Messages &
  WizardMessages & { readonly history: HistoryMessages; readonly graph: GraphMessages; readonly fields: FieldMessages };

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
  optional: "optional",
  progress: ({ answered, remaining: { min, max } }) => {
    const [least, most] = [Math.max(0, min - 1), max === undefined ? undefined : Math.max(0, max - 1)];
    if (most === 0) return `Question ${answered + 1}, the last one`;
    const more = most === undefined ? `at least ${least}` : least === most ? least : least === 0 ? `up to ${most}` : `${least} to ${most}`;
    return `Question ${answered + 1}${most === undefined && least === 0 ? "" : `, then ${more} more`}`;
  },
  progressLabel: "Progress",
  review: "Your answers",
  leaveReview: "Back to the question",
};
