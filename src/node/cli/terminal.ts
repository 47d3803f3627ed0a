import type { styleText } from "node:util";

export type Style = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>;

/** One of the two streams a command writes to. */
export interface Output {
  /** Whether a person sees it at once, so that lines may be drawn over. */
  readonly live: boolean;
  /** Characters in a line. */
  readonly columns: number;
  write(text: string): void;
  /** Returns the text in a colour, if the terminal has colours. */
  paint(style: Style, text: string): string;
}

/** The terminal or pipe that a command was called from. */
export interface Terminal {
  /** Results. */
  readonly out: Output;
  /** Progress, questions and errors. */
  readonly err: Output;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
  /** Asks a person. Returns nothing if they cancel. */
  ask(question: PersonQuestion): Promise<PersonAnswer | undefined>;
  now(): number;
}

/** A question as a person is asked it. Texts are ready to be shown. */
export interface PersonQuestion {
  readonly kind: "confirm" | "choice" | "choices" | "text" | "secret";
  readonly text: string;
  /** The choices of a `choice`, which takes one, and of `choices`, which takes any number. */
  readonly choices: readonly string[];
  /** The answer shown at first. Default: no, the first choice, none of the choices, nothing. */
  readonly initial?: PersonAnswer;
}

/** Yes or no for `confirm`, the place in the list from 0 for `choice`, all such places for `choices`, what was typed for `text` and `secret`. */
export type PersonAnswer = boolean | number | readonly number[] | string;

/** Writes a line of progress or explanation. */
export function note({ err }: Terminal, line: string): void {
  err.write(`${line}\n`);
}
