import { diffViews } from "../core/model/view-patch.ts";
import type { RunView } from "../core/model/view.ts";
import type { Run } from "../core/run/run.ts";
import { eventStream, type EventSender } from "./event-stream.ts";
import type { OutputTexts } from "./output-texts.ts";
import { encodeWire } from "./protocol/wire-values.ts";

/** Changes are sent at most this often, in milliseconds. */
const NEWS_MS = 40;

export interface RunEventsOptions {
  readonly versions: ViewVersions;
  readonly texts: OutputTexts;
  /** Returns the part of the run that the client may see. */
  readonly view: (view: RunView) => RunView;
  /** The last event that the client received, if it connects again. */
  readonly lastId: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Streams the changes of a run: `view` is all of it, `patch` the changes since the last event, `output` a text that a block writes. A client that connects
 * again receives what it lacks. Another process does not know the texts that it has: there they begin again, or are in the record.
 */
export function runEvents(run: Run, { versions, texts, view, lastId, signal }: RunEventsOptions): Response {
  return eventStream(signal, (sender) => {
    const news = new RunNews(run, sender, { versions, texts, view, known: readCursor(lastId, versions.process) });
    news.send();
    return { end: () => news.end(), onReady: () => news.sendSoon() };
  });
}

/** What a client has: the version of its view, and the length of each text. */
interface Cursor {
  readonly version: string;
  readonly lengths: Map<number, number>;
}

/** `process.number` and the lengths behind it: `a1b2c3d4.7:12=340,13=20`. Nothing for an id of another process. */
function readCursor(id: string | undefined, process: string): Cursor | undefined {
  const [version = "", lengths = ""] = (id ?? "").split(":");
  if (!version.startsWith(`${process}.`)) return undefined;
  const pairs = lengths.split(",").flatMap((pair) => {
    const [, text, length] = /^(\d{1,15})=(\d{1,15})$/.exec(pair) ?? [];
    return text === undefined ? [] : [[Number(text), Number(length)] as const];
  });
  return { version, lengths: new Map(pairs) };
}

interface NewsOptions extends Pick<RunEventsOptions, "versions" | "texts" | "view"> {
  readonly known: Cursor | undefined;
}

/** The events of a run for one client. */
class RunNews {
  readonly #run: Run;
  readonly #sender: EventSender;
  readonly #options: NewsOptions;
  /** How much of each text it has. */
  readonly #lengths: Map<number, number>;
  readonly #ends: readonly (() => void)[];
  /** The view that it has. */
  #sent: RunView | undefined;
  #version = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sentAt = 0;

  constructor(run: Run, sender: EventSender, options: NewsOptions) {
    this.#run = run;
    this.#sender = sender;
    this.#options = options;
    this.#lengths = options.known?.lengths ?? new Map<number, number>();
    const view = options.view(run.getSnapshot());
    if (options.known?.version === options.versions.of(view)) {
      this.#sent = view;
      this.#version = options.known.version;
    }
    const onText = (isOver: boolean): void => (isOver ? this.#sendTexts() : this.sendSoon());
    this.#ends = [run.subscribe(() => this.sendSoon()), options.texts.listen(run.id, onText)];
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const end of this.#ends) end();
  }

  sendSoon(): void {
    if (this.#timer !== undefined || !this.#sender.isReady) return;
    this.#timer = setTimeout(() => this.send(), Math.max(0, this.#sentAt + NEWS_MS - performance.now()));
  }

  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sentAt = performance.now();
    this.#sendTexts();
    this.#sendView();
  }

  #sendView(): void {
    const view = this.#options.view(this.#run.getSnapshot());
    if (view === this.#sent) return;
    const patch = this.#sent && diffViews(this.#sent, view);
    const isSame = this.#sent !== undefined && patch === undefined;
    this.#sent = view;
    if (isSame) return;
    this.#version = this.#options.versions.of(view);
    const told = patch ? { patch: encodeWire(patch) } : { view: encodeWire(view) };
    this.#sender.send(patch ? "patch" : "view", { version: this.#version, ...told }, this.#cursor());
  }

  #sendTexts(): void {
    for (const { id, of, text, dropped } of this.#options.texts.of(this.#run.id)) {
      const length = dropped + text.length;
      const known = Math.max(this.#lengths.get(id) ?? 0, dropped);
      if (known >= length) continue;
      this.#lengths.set(id, length);
      this.#sender.send("output", { ...of, text: text.slice(known - dropped) }, this.#cursor());
    }
  }

  #cursor(): string {
    const current = new Set([...this.#options.texts.of(this.#run.id)].map(({ id }) => id));
    for (const id of this.#lengths.keys()) if (!current.has(id)) this.#lengths.delete(id);
    const lengths = [...this.#lengths].map(([id, length]) => `${id}=${length}`).join(",");
    return `${this.#version}:${lengths}`;
  }
}

/** Numbers the views that this process gives away, so that clients can tell which of two is the newer one. */
export class ViewVersions {
  readonly process: string = crypto.randomUUID().slice(0, 8);
  readonly #numbers = new WeakMap<RunView, number>();
  #last = 0;

  /** Called with the newest view of its run only. */
  of(view: RunView): string {
    let number = this.#numbers.get(view);
    if (number === undefined) this.#numbers.set(view, (number = ++this.#last));
    return `${this.process}.${number}`;
  }
}
