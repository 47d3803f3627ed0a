import type { Greeting, ToPage, ToWorker } from "./messages.ts";
import { unpackThrown } from "./thrown-errors.ts";

/** What an executor can work in: a worker of the page's own, one that several pages share, or one end of a `MessageChannel`. */
export type WorkerEnd = Worker | SharedEnd | MessagePort;

/** A `SharedWorker`, by a name that the types of a worker know too. */
interface SharedEnd extends EventTarget {
  readonly port: MessagePort;
}

export interface ConnectionEvents {
  readonly onMessage: (message: ToPage) => void;
  /** Called once, when the worker has ended. `wasReady`: whether it had begun to serve. */
  readonly onLost: (cause: unknown, wasReady: boolean) => void;
}

/** A channel to one worker, for as long as that lives. What is sent before it serves waits in the channel. */
export class Connection {
  readonly #worker: WorkerEnd;
  readonly #door: Worker | MessagePort;
  readonly #port: MessagePort;
  readonly #events: ConnectionEvents;
  #lifeLock: LifeLock | undefined;
  #isReady = false;
  #hasEnded = false;

  constructor(worker: WorkerEnd, events: ConnectionEvents) {
    const { port1, port2 } = new MessageChannel();
    this.#worker = worker;
    this.#door = "port" in worker ? worker.port : worker;
    this.#port = port1;
    this.#events = events;
    port1.addEventListener("message", ({ data }: MessageEvent<ToPage>) => events.onMessage(data));
    port1.addEventListener("messageerror", () => this.#lose("A message of the worker could not be read."));
    port1.start();
    this.#door.addEventListener("message", (event) => {
      const greeting = (event as MessageEvent<Greeting | null>).data;
      if (greeting?.wavepoint === "failed") this.#lose(unpackThrown(greeting.thrown));
      if (greeting?.wavepoint !== "ready" || this.#isReady) return;
      this.#isReady = true;
      void this.#connect(port2);
      if ("lock" in greeting) navigator.locks.request(greeting.lock!, () => this.#lose(undefined)).catch(() => {});
    });
    // Later errors are those of the code in the worker: it goes on.
    worker.addEventListener("error", (event) => {
      if (this.#isReady) return;
      // The callers get the error. WebKit would also report it as an error of the page.
      event.preventDefault();
      this.#lose((event as ErrorEvent).error ?? (event as ErrorEvent).message);
    });
    if ("start" in this.#door) this.#door.start();
    this.#door.postMessage({ wavepoint: "hello" } satisfies Greeting);
  }

  /** Throws `DataCloneError` for what cannot cross. */
  post(message: ToWorker, moved: Transferable[] = []): void {
    this.#port.postMessage(message, moved);
  }

  /** Ends a worker of the page's own; one that is shared is left. `afterMs`: how long it may still work; its messages are ignored. */
  end(afterMs = 0): void {
    this.#hasEnded = true;
    this.post({ say: "bye" });
    this.#port.close();
    const worker = this.#worker;
    if (!("terminate" in worker)) return;
    if (afterMs > 0) setTimeout(() => worker.terminate(), afterMs);
    else worker.terminate();
  }

  async #connect(port: MessagePort): Promise<void> {
    // A worker of the page's own ends with it.
    if (!("terminate" in this.#worker)) this.#lifeLock = await holdLifeLock();
    if (this.#hasEnded) this.#lifeLock?.release();
    const lock = this.#lifeLock?.lock;
    this.#door.postMessage({ wavepoint: "connect", ...(lock && { lock }) } satisfies Greeting, [port]);
  }

  #lose(cause: unknown): void {
    if (this.#hasEnded) return;
    this.end();
    this.#events.onLost(cause, this.#isReady);
  }
}

/** A Web Lock that tells others when its holder is gone. */
export interface LifeLock {
  readonly lock: string;
  /** Releases it earlier. */
  readonly release: () => void;
}

/**
 * Holds a lock until this page or worker ends: those who wait for the lock notice every kind of end. No event would tell them. Returns
 * nothing where there are no locks, or where they are refused.
 */
export function holdLifeLock(): Promise<LifeLock | undefined> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!locks) return Promise.resolve(undefined);
  const lock = `wavepoint-worker-${crypto.randomUUID()}`;
  return new Promise((resolve) => {
    const held = locks.request(lock, () => new Promise<void>((release) => resolve({ lock, release })));
    // Scopes without an origin of their own are refused.
    held.catch(() => resolve(undefined));
  });
}
