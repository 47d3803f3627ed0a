import type { RunEvent } from "../core/ports/observer.ts";

/** Characters of one text that are kept. Of a longer one, the end. */
const MAX_LENGTH = 262_144;
/** Entries after which a block no longer writes: its record holds its outputs. */
const ENDS: ReadonlySet<string> = new Set(["completed", "failed", "skipped", "paused", "waiting", "iterated", "attempted"]);
/** Entries with which all blocks of a run are. */
const ENDS_ALL: ReadonlySet<string> = new Set(["finished", "stopped", "suspended", "transferred"]);

/** The text that a block has written so far in its current execution. */
export interface OutputText {
  /** Tells it from all others of this process. */
  readonly id: number;
  readonly of: { readonly block: string; readonly item?: number; readonly stream: string };
  readonly text: string;
  /** How many characters before it are no longer kept. */
  readonly dropped: number;
}

/** The texts that blocks of this process are writing, for clients that connect in the middle. Kept in memory until the step is recorded. */
export class OutputTexts {
  readonly #runs = new Map<string, Map<string, OutputText>>();
  readonly #listeners = new Map<string, Set<(isOver: boolean) => void>>();
  #last = 0;

  onEvent(event: RunEvent): void {
    if (event.type === "output") this.#add(event);
    else if (event.type === "recorded") {
      const { entry, run } = event;
      if (ENDS_ALL.has(entry.type)) this.#forget(run, () => true);
      else if (ENDS.has(entry.type)) {
        const { block, item } = entry as { readonly block?: string; readonly item?: number };
        this.#forget(run, ({ of }) => of.block === block && (item === undefined || of.item === item));
      }
    }
  }

  of(run: string): Iterable<OutputText> {
    return this.#runs.get(run)?.values() ?? [];
  }

  /** Calls the listener after each change, and before texts go. */
  listen(run: string, listener: (isOver: boolean) => void): () => void {
    const listeners = this.#listeners.get(run) ?? new Set();
    this.#listeners.set(run, listeners.add(listener));
    return () => {
      if (listeners.delete(listener) && listeners.size === 0) this.#listeners.delete(run);
    };
  }

  #add({ run, block, item, stream, text }: Extract<RunEvent, { readonly type: "output" }>): void {
    const texts = this.#runs.get(run) ?? new Map<string, OutputText>();
    this.#runs.set(run, texts);
    const key = `${block} ${item ?? ""} ${stream}`;
    const before = texts.get(key) ?? { id: ++this.#last, of: { block, stream, ...(item !== undefined && { item }) }, text: "", dropped: 0 };
    const whole = before.text + text;
    const over = Math.max(0, whole.length - MAX_LENGTH);
    texts.set(key, { ...before, text: whole.slice(over), dropped: before.dropped + over });
    this.#tell(run, false);
  }

  #forget(run: string, isMeant: (text: OutputText) => boolean): void {
    const texts = this.#runs.get(run);
    if (!texts) return;
    this.#tell(run, true);
    for (const [key, text] of texts) if (isMeant(text)) texts.delete(key);
    if (texts.size === 0) this.#runs.delete(run);
  }

  #tell(run: string, isOver: boolean): void {
    for (const listener of this.#listeners.get(run) ?? []) listener(isOver);
  }
}
