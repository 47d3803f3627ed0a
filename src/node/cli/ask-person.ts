import type { Readable, Writable } from "node:stream";
import type { PersonAnswer, PersonQuestion } from "./terminal.ts";

interface Place {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal;
}

/** Rows of a list that are shown at once; it scrolls beyond. */
const MAX_ROWS = 12;

/** Asks on a terminal. Returns nothing if the person pressed Ctrl-C or Escape, or the process is asked to stop. */
export async function askPerson(question: PersonQuestion, place: Place): Promise<PersonAnswer | undefined> {
  // Loaded here: what runs in scripts and pipelines never needs it.
  const prompts = await import("@clack/prompts");
  // Each question has its own signal: clack never removes its listener, and Node warns of too many listeners.
  const common = { message: question.text, ...place, signal: AbortSignal.any([place.signal]) };
  const answer = await askOne();
  return typeof answer === "symbol" ? undefined : answer;

  function askOne(): Promise<PersonAnswer | symbol> {
    const { kind, initial } = question;
    const options = question.choices.map((label, value) => ({ value, label }));
    switch (kind) {
      case "confirm":
        return prompts.confirm({ ...common, initialValue: initial === true });
      case "choice":
        return prompts.select<number>({
          ...common,
          options,
          maxItems: MAX_ROWS,
          ...(typeof initial === "number" ? { initialValue: initial } : {}),
        });
      case "choices":
        return prompts.multiselect<number>({
          ...common,
          options,
          maxItems: MAX_ROWS,
          required: false,
          initialValues: Array.isArray(initial) ? (initial as number[]) : [],
        });
      case "secret":
        // Not shown on the screen, nor in its scrollback.
        return prompts.password(common).then((typed: string | symbol | undefined) => typed ?? "");
      case "text":
        return prompts
          .text({ ...common, ...(typeof initial === "string" ? { initialValue: initial } : {}) })
          .then((typed: string | symbol | undefined) => typed ?? "");
    }
  }
}
