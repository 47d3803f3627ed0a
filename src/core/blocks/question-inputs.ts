import type { Value } from "../model/value.ts";
import type { Question } from "../ports/block.ts";

/** Inputs that all blocks which ask have in common. */
export const QUESTION_INPUTS = {
  title: { type: "string", minLength: 1, description: "A heading for the page that asks." },
  sensitive: {
    type: "boolean",
    default: false,
    description: "Whether the answer is private: pages hide it, and keep no draft of it.",
  },
} as const;

/** An input for the text that a control shows before anything is typed. */
export const PREFILL_TEXT = {
  type: "string",
  description: "What the control shows before anything is typed. An earlier answer goes first.",
} as const;

/** What these inputs say about a question. */
export function aboutQuestion({
  title,
  sensitive,
  prefill,
}: {
  readonly title?: string | undefined;
  readonly sensitive: boolean;
  readonly prefill?: Value | undefined;
}): Pick<Question, "title" | "sensitive" | "prefill"> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(sensitive ? { sensitive } : {}),
    ...(prefill === undefined ? {} : { prefill }),
  };
}
