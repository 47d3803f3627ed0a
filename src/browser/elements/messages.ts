import type { RunProgress } from "../../core/model/run.ts";
import type { GraphMessages } from "./graph/graph-messages.ts";
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

/** What the controls of rare kinds say: lists, orders, long lists of choices, signatures. */
export interface FieldMessages {
  moveUp(name: string): string;
  moveDown(name: string): string;
  /** Said once something was moved; `place` is "2 of 5". */
  moved(name: string, place: string): string;
  place(number: string, count: string): string;
  added(name: string): string;
  removed(name: string, left: string): string;
  /** Below the line in which one searches. */
  readonly searchHint: string;
  found(count: string): string;
  readonly nothingFound: string;
  readonly showAll: string;
  /** The choice of a text that is none of the choices. */
  readonly other: string;
  /** Above the line for that text. */
  readonly otherText: string;
  /** Above a choice that stands alone, such as “None of these”. */
  readonly or: string;
  /** Said once a choice that stands alone has cleared the others, or one of these has cleared it. */
  readonly cleared: string;
  /** Below a long text with a limit. */
  characters(used: string, most: string): string;
  /** In the place of `searchHint` and `nothingFound`, where other texts may be given. */
  readonly searchOther: string;
  readonly takenAsOther: string;
  readonly signHere: string;
  readonly typeName: string;
  readonly signed: string;
  readonly addFiles: string;
  /** The files that a field takes: their kinds, as `PDF or pictures`, and the size that one has at most. One of the two may be empty. */
  takes(kinds: string, size: string): string;
  /** What files of a whole kind are called, of the type `image/*` for example. */
  readonly kinds: { readonly [kind in "image" | "audio" | "video" | "text"]: string };
}
