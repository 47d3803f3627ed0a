import type { BlockView, Run, RunView } from "../../index.ts";
import { blockLine, waveLine, undoLine } from "./run-lines.ts";
import type { OutputLine, OutputLines } from "./output-lines.ts";
import { plainText, shorten } from "./plain-text.ts";
import type { Terminal } from "./terminal.ts";

/** Shows what happens to a run while it happens. */
export interface Progress {
  /** Writes the remaining lines, and frees the last line for something else. */
  rest(): void;
  end(): void;
}

const CLEAR_LINE = "\r\u001b[2K";

/** How often the line of running blocks is drawn anew, for its spinner. */
const FRAME_MS = 100;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

export interface ProgressOptions {
  /** Only what differs from this view is shown. */
  readonly since?: RunView;
  /** What blocks write while they work. */
  readonly output?: OutputLines;
}

/** Stands for the wave of the blocks that undo something. */
const UNDOING = Infinity;

/**
 * Writes a line for each settled block, under the number of its wave, and the output of blocks as they write it. On a terminal, the last line names the
 * running blocks.
 */
export function showProgress(run: Run, { err }: Terminal, { since, output }: ProgressOptions = {}): Progress {
  const shown = new Map<string, BlockView["status"]>();
  for (const { blocks } of since?.waves ?? []) for (const { id, status } of blocks) shown.set(id, status);
  let waves = since?.waves ?? [];
  let header = -1;
  let frame = 0;
  let hasStatusLine = false;
  const unsubscribe = run.subscribe(draw);
  output?.listen(drawOutput);
  const timer = err.live ? setInterval(() => drawStatusLine(run.getSnapshot()), FRAME_MS) : undefined;
  return {
    rest() {
      output?.flush();
      draw(run.getSnapshot());
      clearStatusLine();
    },
    end() {
      unsubscribe();
      clearInterval(timer);
      clearStatusLine();
    },
  };

  function draw(view: RunView): void {
    for (const [index, wave] of view.waves.entries()) {
      if (wave === waves[index]) continue;
      for (const block of wave.blocks) drawBlock(block, index, view.waves.length);
    }
    waves = view.waves;
    for (const block of view.compensations ?? []) drawBlock(block, UNDOING, view.waves.length);
    drawStatusLine(view);
  }

  function drawBlock(block: BlockView, wave: number, count: number): void {
    const { id, status } = block;
    if (status === "pending" || status === "running" || shown.get(id) === status) return;
    shown.set(id, status);
    clearStatusLine();
    if (wave !== header) err.write(`${wave === UNDOING ? undoLine(err) : waveLine(wave, count, err)}\n`);
    header = wave;
    err.write(`${blockLine(block, err)}\n`);
  }

  function drawOutput({ block, text }: OutputLine): void {
    clearStatusLine();
    const line = `  ${block} │ ${plainText(text).replaceAll("\t", "    ")}`;
    err.write(`${err.paint("dim", err.live ? shorten(line, err.columns - 1) : line)}\n`);
  }

  function drawStatusLine(view: RunView): void {
    if (!err.live) return;
    clearStatusLine();
    const blocks = [...view.waves.flatMap((wave) => wave.blocks), ...(view.compensations ?? [])];
    const running = blocks.filter(({ status }) => status === "running").map(({ id }) => id);
    if (running.length === 0) return;
    frame = (frame + 1) % FRAMES.length;
    const text = `${FRAMES[frame]!} ${running.length === 1 ? "" : `${running.length} blocks: `}${running.join(", ")}`;
    err.write(err.paint("cyan", shorten(text, err.columns - 1)));
    hasStatusLine = true;
  }

  function clearStatusLine(): void {
    if (hasStatusLine) err.write(CLEAR_LINE);
    hasStatusLine = false;
  }
}
