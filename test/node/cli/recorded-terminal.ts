import type { PersonAnswer, PersonQuestion, Terminal } from "../../../src/node/cli/terminal.ts";

/** A terminal that keeps what was written to it, with a person who answers from a list. */
export interface RecordedTerminal extends Terminal {
  readonly asked: readonly PersonQuestion[];
  readonly written: { out: string; err: string };
}

/** Makes one. Without answers there is no person; when the list is used up, the person presses Ctrl-C. */
export function recordedTerminal(answers?: readonly PersonAnswer[]): RecordedTerminal {
  const asked: PersonQuestion[] = [];
  const written = { out: "", err: "" };
  const output = (name: "out" | "err") => ({
    live: false,
    columns: 80,
    write(text: string) {
      written[name] += text;
    },
    paint: (_style: unknown, text: string) => text,
  });
  return {
    out: output("out"),
    err: output("err"),
    interactive: answers !== undefined,
    signal: new AbortController().signal,
    ask: async (question) => answers?.[asked.push(question) - 1],
    now: () => Date.now(),
    asked,
    written,
  };
}
