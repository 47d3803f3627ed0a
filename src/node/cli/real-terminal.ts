import { styleText } from "node:util";
import { askPerson } from "./ask-person.ts";
import type { Output, Terminal } from "./terminal.ts";

/** Where the size is not known. */
const DEFAULT_COLUMNS = 80;
const DEFAULT_ROWS = 24;

/** The terminal of this process. */
export function processTerminal(signal: AbortSignal): Terminal {
  // Terminals without a size exist, under `docker exec` for example; a prompt in them would be one character wide.
  if (process.stderr.isTTY && process.stderr.columns === 0) Object.assign(process.stderr, { columns: DEFAULT_COLUMNS, rows: DEFAULT_ROWS });
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
