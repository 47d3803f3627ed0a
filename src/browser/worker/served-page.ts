import type { Executor, Run } from "../../core/run/run.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { RunView } from "../../core/model/view.ts";
import type { RunEvent } from "../../core/ports/observer.ts";
import { cloneableOf } from "./structured-clone.ts";
import type { Call, Dropped, ToPage, ToWorker } from "./messages.ts";
import { packThrown } from "./thrown-errors.ts";
import { diffViews, type ViewPatch } from "../../core/model/view-patch.ts";

/** Changes are sent to a page at most this often: about once a frame. */
const NEWS_MS = 16;

const EXECUTOR_CALLS = [
  "load",
  "start",
  "open",
  "resume",
  "answer",
  "signal",
  "stop",
  "fork",
  "cleanup",
  "metrics",
  "recover",
  "runSchedules",
] satisfies (keyof Executor)[];
const RUNS_CALLS = ["list", "tree", "export", "import", "checkImport", "transfer", "delete"] satisfies (keyof Executor["runs"])[];
const CHECKPOINTS_CALLS = ["list", "get", "diff", "trim", "delete"] satisfies (keyof Executor["checkpoints"])[];
const RUN_CALLS = [
  ...(["settled", "answer", "decline", "saveDraft", "answers", "revise", "previewRevise", "back", "plan", "resume"] as const),
  ...(["signal", "stop", "cancel", "steps", "journal", "state", "context", "definition", "files", "readFile", "refresh"] as const),
] satisfies (keyof Run)[];

/** What a page may call: nothing else is looked up. */
const CALLS = {
  executor: new Set<string>(EXECUTOR_CALLS),
  runs: new Set<string>(RUNS_CALLS),
  checkpoints: new Set<string>(CHECKPOINTS_CALLS),
  run: new Set<string>(RUN_CALLS),
};

export interface PageRules {
  /** Whether the executor is closed when the page closes it, since no other page uses it. */
  readonly ownsExecutor: boolean;
  /** Called when the page is gone. */
  readonly onGone: () => void;
}

/** A run that the page holds. */
interface Followed {
  run: Run;
  /** As the page knows it. */
  sent: RunView;
  /** How often the page was given it. */
  count: number;
  end: () => void;
}

/** One page's side of an executor: takes its calls, and tells it how the runs stand that it holds. */
export class ServedPage {
  readonly #executor: Executor;
  readonly #port: MessagePort;
  readonly #rules: PageRules;
  readonly #followed = new Map<string, Followed>();
  readonly #changed = new Set<Followed>();
  readonly #aborts = new Map<number, AbortController>();
  /** Events since the last message to the page; absent where it does not listen. */
  #events: RunEvent[] | undefined;
  /** Runs that changed since then, and what ends the watching. */
  readonly #hints = new Set<string | undefined>();
  #unwatch: (() => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the page was sent changes last, in milliseconds of the performance clock. */
  #toldAt = -NEWS_MS;
  /** Whether the page has taken the changes it was sent last. A page that is busy or frozen is sent no more until then. */
  #hasTaken = true;

  constructor(executor: Executor, port: MessagePort, rules: PageRules) {
    this.#executor = executor;
    this.#port = port;
    this.#rules = rules;
    port.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => this.#hear(data));
    port.start();
  }

  tell(event: RunEvent): void {
    // What was thrown may be anything, and not all of that can be posted.
    this.#events?.push(event.type === "recorded" ? { ...event, cause: undefined } : event);
    this.#tellSoon();
  }

  #hear(message: ToWorker): void {
    if ("call" in message) void this.#reply(message);
    else if ("abort" in message) this.#aborts.get(message.abort)?.abort();
    else if ("drop" in message) this.#drop(message);
    else if (message.say === "events") this.#events = [];
    else if (message.say === "watch") this.#watchRuns();
    else if (message.say === "unwatch") this.#unwatchRuns();
    else if (message.say === "bye") this.leave();
    else {
      this.#hasTaken = true;
      this.#tellSoon();
    }
  }

  async #reply(call: Call): Promise<void> {
    try {
      const value = await this.#perform(call);
      // A run that was deleted and came back is another one: the page that held it gets its changes, too.
      const held = isRun(value) ? this.#followed.get(value.id) : undefined;
      if (held) held.run = value as Run;
      // Its questions of one turn are seen together: of some alone, another one would be the first.
      if (isRun(value)) await turn();
      const news = this.#news();
      if (isRun(value)) this.#post({ done: call.call, ...news, view: this.#follow(value) });
      else this.#post({ done: call.call, ...news, value });
    } catch (error) {
      this.#post({ done: call.call, ...this.#news(), thrown: packThrown(error) });
    } finally {
      this.#aborts.delete(call.call);
    }
  }

  async #perform({ call, run, of, method, args, signal }: Call): Promise<unknown> {
    if (method === "close" && run === undefined) return this.#close();
    if (!CALLS[of ?? (run === undefined ? "executor" : "run")].has(method)) {
      throw new WorkflowError("WORKER_LOST", `The worker knows no ${JSON.stringify(method)}. Load the page and its worker from one build.`);
    }
    const target: unknown = of ? this.#executor[of] : run === undefined ? this.#executor : await this.#find(run);
    const withSignal = signal ? [...args.slice(0, -1), { ...(args.at(-1) as object), signal: this.#signalOf(call) }] : args;
    return (target as Record<string, (...args: readonly unknown[]) => unknown>)[method]!(...withSignal);
  }

  #signalOf(call: number): AbortSignal {
    const controller = new AbortController();
    this.#aborts.set(call, controller);
    return controller.signal;
  }

  async #find(run: string): Promise<Run> {
    return this.#followed.get(run)?.run ?? this.#executor.open(run);
  }

  async #close(): Promise<void> {
    if (this.#rules.ownsExecutor) await this.#executor.close();
    this.leave();
  }

  /** The page is gone, or wants no more. */
  leave(): void {
    for (const { end } of this.#followed.values()) end();
    this.#followed.clear();
    this.#changed.clear();
    this.#events = undefined;
    this.#unwatchRuns();
    this.#rules.onGone();
  }

  #follow(run: Run): RunView {
    const sent = run.getSnapshot();
    const count = (this.#followed.get(run.id)?.count ?? 0) + 1;
    this.#forget(run.id);
    const followed = { run, sent, count, end: () => {} };
    this.#followed.set(run.id, followed);
    this.#watch(followed);
    return sent;
  }

  #drop({ drop, count }: Dropped): void {
    const followed = this.#followed.get(drop);
    // The page may have been given it once more meanwhile.
    if (followed && (followed.count -= count) <= 0) this.#forget(drop);
  }

  #forget(run: string): void {
    const followed = this.#followed.get(run);
    if (!followed) return;
    followed.end();
    this.#changed.delete(followed);
    this.#followed.delete(run);
  }

  /** Waits for the next change. What follows it is not looked at one by one: making a view for each would cost more than the work. */
  #watch(followed: Followed): void {
    followed.end = followed.run.subscribe((view) => {
      if (view === followed.sent) return;
      this.#changed.add(followed);
      followed.end();
      this.#tellSoon();
    });
    if (this.#changed.has(followed)) followed.end();
  }

  #watchRuns(): void {
    this.#unwatch ??= this.#executor.runs.watch((run) => {
      this.#hints.add(run);
      this.#tellSoon();
    });
  }

  #unwatchRuns(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#hints.clear();
  }

  #tellSoon(): void {
    if (this.#timer !== undefined || !this.#hasTaken || this.#changed.size + this.#hints.size + (this.#events?.length ?? 0) === 0) return;
    // Not at once: what happens in one turn of the event loop is sent together.
    this.#timer = setTimeout(() => this.#tell(), Math.max(0, this.#toldAt + NEWS_MS - performance.now()));
  }

  #tell(): void {
    this.#timer = undefined;
    this.#toldAt = performance.now();
    const news = this.#news();
    if (Object.keys(news).length === 0) return;
    this.#hasTaken = false;
    this.#post(news);
  }

  /** What changed since the last message to the page, of all runs it holds. */
  #news(): ToPage {
    const news: [string, ViewPatch][] = [];
    for (const followed of this.#followed.values()) {
      const view = followed.run.getSnapshot();
      const patch = diffViews(followed.sent, view);
      followed.sent = view;
      if (patch) news.push([followed.run.id, patch]);
      if (this.#changed.delete(followed)) this.#watch(followed);
    }
    const events = this.#events?.splice(0) ?? [];
    const changed = [...this.#hints];
    this.#hints.clear();
    return {
      ...(news.length > 0 ? { news } : {}),
      ...(events.length > 0 ? { events } : {}),
      ...(changed.length > 0 ? { changed } : {}),
    };
  }

  #post(message: ToPage): void {
    try {
      this.#port.postMessage(message);
    } catch {
      this.#port.postMessage(cloneableOf(message));
    }
  }
}

/** Resolves in the next turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function isRun(value: unknown): value is Run {
  return typeof value === "object" && value !== null && "getSnapshot" in value;
}
