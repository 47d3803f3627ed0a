import { styleText } from "node:util";
import { askPerson } from "./ask-person.ts";
import type { Output, Terminal } from "./terminal.ts";

/** Where the width is not known. */
const DEFAULT_COLUMNS = 80;

/** The terminal of this process. */
export function processTerminal(signal: AbortSignal): Terminal {
  return {
    out: output(process.stdout),
    err: output(process.stderr),
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    signal,
    ask: (question) => askPerson(question, { input: process.stdin, output: process.stderr, signal }),
    now: () => Date.now(),
  };
}

function output(stream: NodeJS.WriteStream): Output {
  const colours = stream.isTTY && !process.env["NO_COLOR"];
  return {
    live: stream.isTTY,
    get columns() {
      return stream.columns || DEFAULT_COLUMNS;
    },
    write: (text) => void stream.write(text),
    paint: (style, text) => (colours ? styleText(style, text) : text),
  };
}
