import type { Pause } from "wavepoint";
import { askPause } from "../../../src/node/cli/ask-pause.ts";
import { pauseLines } from "../../../src/node/cli/run-lines.ts";
import type { Output, Terminal } from "../../../src/node/cli/terminal.ts";

const CONTROL = /[^\n\P{Cc}]|[\u202a-\u202e\u2066-\u2069]/u;

/** Shows a question as the command line does, listed and asked; a terminal must get nothing that it obeys. */
export async function showInTerminal(pause: Pause): Promise<string | undefined> {
  const written: string[] = [];
  const output: Output = { live: true, columns: 80, write: (text) => void written.push(text), paint: (_style, text) => text };
  const terminal: Terminal = {
    out: output,
    err: output,
    interactive: true,
    signal: new AbortController().signal,
    ask: async ({ text, choices }) => {
      written.push(text, ...choices);
      return undefined;
    },
    now: () => 0,
  };
  written.push(...pauseLines(pause, output));
  await askPause(pause, { terminal, keep: async () => {} });
  const obeyed = written.find((text) => CONTROL.test(text));
  return obeyed === undefined ? undefined : `the terminal is given ${JSON.stringify(obeyed)}`;
}
