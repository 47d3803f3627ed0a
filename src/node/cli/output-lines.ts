import type { OutputEvent, RunEvent } from "../../index.ts";

/** A line that a block wrote while it worked. */
export interface OutputLine {
  readonly block: string;
  readonly text: string;
}

/** What blocks write while they work, cut into lines. */
export interface OutputLines {
  /** Takes what an executor tells. */
  take(event: RunEvent): void;
  /** Calls the listener with each line from now on, and with the lines before the first listener. */
  listen(listener: (line: OutputLine) => void): void;
  /** Passes on lines that have no end yet. */
  flush(): void;
}

/** Characters after which a line is cut: a program that writes no line ends must not fill the memory. */
const MAX_LINE = 2_000;

/** Collects lines until there is a listener. Empty lines are left out. */
export function outputLines(): OutputLines {
  const begun = new Map<string, { readonly block: string; text: string }>();
  const early: OutputLine[] = [];
  let tell = (line: OutputLine): void => void early.push(line);
  return {
    take(event) {
      if (event.type === "output") cut(event);
      // A block that has settled writes nothing more.
      else if (event.type === "recorded" && "block" in event.entry) flush(`${event.run}/${event.entry.block}/`);
    },
    listen(listener) {
      tell = listener;
      for (const line of early.splice(0)) listener(line);
    },
    flush: () => flush(""),
  };

  function flush(prefix: string): void {
    for (const [key, { block, text }] of begun) {
      if (!key.startsWith(prefix)) continue;
      if (text !== "") tell({ block, text });
      begun.delete(key);
    }
  }

  function cut({ run, block, stream, text }: OutputEvent): void {
    const key = `${run}/${block}/${stream}`;
    const line = begun.get(key) ?? { block, text: "" };
    const parts = (line.text + text).split(/[\r\n]+/);
    const rest = parts.pop()!;
    for (const part of parts) if (part !== "") tell({ block, text: part });
    if (rest.length > MAX_LINE) tell({ block, text: rest });
    line.text = rest.length > MAX_LINE ? "" : rest;
    begun.set(key, line);
  }
}
