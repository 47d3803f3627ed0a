import type { Condition } from "./condition.ts";

/** A text for people: one, or one a language. */
export type Text = string | { readonly [language: string]: string };

/** Something that the form of another tool says and the workflow does not. */
export interface ConversionNote {
  /** Where it stands in the form, as a JSON pointer. */
  readonly pointer: string;
  /** What was left out, and what to write for it where there is a way. */
  readonly message: string;
}

/** What becomes of a list of texts or numbers. */
export const ITEM_NOTE = 'Each of its items is an object here, with the answer as "value".';

/** Takes down a {@link ConversionNote}. */
export type Note = (pointer: string, message: string) => void;

/** A field of a `Form`, as YAML writes it, but for the questions in it. */
export interface DraftField {
  readonly name: string;
  /** Of a group, or of a list of groups: what is asked in it. */
  readonly fields?: readonly DraftLine[];
  readonly [key: string]: unknown;
}

/** What stands between the questions. */
export interface DraftContent {
  readonly heading?: Text;
  readonly text?: Text;
  readonly showIf?: Condition;
  /** Where it stands in the form of the other tool. */
  readonly pointer: string;
}

export interface DraftQuestion {
  readonly field: DraftField;
  readonly showIf?: Condition;
  /** When a question that may be left out has to be answered all the same. */
  readonly requiredIf?: Condition;
  /** Whether nothing but yes is an answer. */
  readonly mustAgree?: boolean;
  /** Where it stands in the form of the other tool. */
  readonly pointer: string;
}

export type DraftLine = DraftQuestion | DraftContent;

export function isQuestion(line: DraftLine): line is DraftQuestion {
  return "field" in line;
}

/** A page: one `Form`. */
export interface DraftPage {
  readonly id: string;
  readonly pointer: string;
  readonly title?: Text;
  readonly prompt?: Text;
  readonly lines: readonly DraftLine[];
  readonly showIf?: Condition;
  /** The pages that may follow: the first whose condition holds. Without it: the next one in the list. */
  readonly next?: readonly { readonly to: string; readonly when?: Condition }[];
  /** Whether the page shows all answers before they are sent, and what is declared there. */
  readonly review?: { readonly declaration?: Text };
  /** Services that this page needs answers of before it is asked. */
  readonly calls?: readonly DraftCall[];
}

/** Whether a page asks anything. */
export function isAsking({ lines, review }: DraftPage): boolean {
  return review !== undefined || lines.some(isQuestion);
}

/** A call of a service. */
export interface DraftCall {
  readonly id: string;
  readonly url: string;
}

/** What the reader of a format finds in a form. */
export interface Draft {
  readonly name: string;
  readonly description?: string;
  readonly pages: readonly DraftPage[];
}

/** A reference that a reader wrote itself. All other texts are the form's own: a `${` in them is a plain text. */
export class Reference {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Names that workflows take, each once, made of those of another tool. */
export class Names {
  readonly #taken = new Set<string>();
  readonly #given = new Map<string, string>();

  /** The name for one of the other tool: the same each time it is asked for. */
  of(foreign: string): string {
    const known = this.#given.get(foreign);
    if (known !== undefined) return known;
    const name = this.fresh(foreign);
    this.#given.set(foreign, name);
    return name;
  }

  /** A name that nothing has yet. */
  fresh(wanted: string): string {
    const words = wanted
      .slice(0, 200)
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .split(/[^A-Za-z0-9-]/)
      .filter(Boolean);
    const plain = words.join("_").slice(0, 100);
    const base = /^[A-Za-z]/.test(plain) ? plain : plain === "" ? "question" : `q_${plain}`;
    let name = base;
    for (let i = 2; this.#taken.has(name); i++) name = `${base}_${i}`;
    this.#taken.add(name);
    return name;
  }
}
