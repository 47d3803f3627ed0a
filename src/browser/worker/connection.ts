import type { Greeting, ToPage, ToWorker } from "./messages.ts";

/** What an executor can work in: a worker of the page's own, one that several pages share, or one end of a `MessageChannel`. */
export type WorkerEnd = Worker | SharedWorker | MessagePort;

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
      const greeting = (event as MessageEvent<Partial<Greeting> | null>).data;
      if (greeting?.wavepoint !== "ready" || this.#isReady) return;
      this.#isReady = true;
      this.#greet("connect", [port2]);
      if ("lock" in greeting) void navigator.locks.request(greeting.lock!, () => this.#lose(undefined));
    });
    // Later errors are those of the code in the worker: it goes on.
    worker.addEventListener("error", (event) => this.#isReady || this.#lose((event as ErrorEvent).error ?? (event as ErrorEvent).message));
    if ("start" in this.#door) this.#door.start();
    this.#greet("hello", []);
  }

  /** Throws `DataCloneError` for what cannot cross. */
  post(message: ToWorker, moved: Transferable[] = []): void {
    this.#port.postMessage(message, moved);
  }

  /** Ends a worker of the page's own; one that is shared is left. */
  end(): void {
    this.#hasEnded = true;
    this.post({ say: "bye" });
    this.#port.close();
    if ("terminate" in this.#worker) this.#worker.terminate();
  }

  #greet(word: "hello" | "connect", ports: Transferable[]): void {
    this.#door.postMessage({ wavepoint: word } satisfies Greeting, ports);
  }

  #lose(cause: unknown): void {
    if (this.#hasEnded) return;
    this.end();
    this.#events.onLost(cause, this.#isReady);
  }
}
