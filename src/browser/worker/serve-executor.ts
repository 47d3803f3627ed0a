import type { Executor } from "../../core/run/run.ts";
import type { RunEvent } from "../../core/ports/observer.ts";
import { holdLifeLock } from "./connection.ts";
import type { Greeting } from "./messages.ts";
import { ServedPage } from "./served-page.ts";
import { packThrown } from "./thrown-errors.ts";

/** Where pages come in: the scope of a dedicated worker, or one end of a `MessageChannel`, such as the port of a `SharedWorker`. */
export interface ServedPort {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  /** Ports of channels deliver nothing before. */
  start?(): void;
}

/** An executor that pages use. */
export interface ServedExecutor {
  /** Passes an event on to the pages that listen: `createExecutor({ onEvent: (event) => served.onEvent(event) })`. */
  onEvent(event: RunEvent): void;
}

/**
 * Lets pages use an executor by `workerExecutor`: called in a worker with its executor, or with the promise of one; where that rejects, calls of the
 * pages throw `WORKER_LOST` with the reason. `port` is the scope of the worker unless given; in a `SharedWorker` call it for the port of each
 * connection. A page that closes its executor closes this one, but where it came by a given port.
 */
export function serveExecutor(executor: Executor | Promise<Executor>, port?: ServedPort): ServedExecutor {
  const door = port ?? (globalThis as unknown as ServedPort);
  const pages = new Set<ServedPage>();
  const ready = holdLifeLock();
  let made: Executor | undefined;
  const greet = async (): Promise<void> => {
    try {
      made = await executor;
      const { lock } = (await ready) ?? {};
      door.postMessage({ wavepoint: "ready", ...(lock && { lock }) } satisfies Greeting);
    } catch (thrown) {
      door.postMessage({ wavepoint: "failed", thrown: packThrown(thrown) } satisfies Greeting);
    }
  };
  door.addEventListener("message", ({ data, ports }: MessageEvent<Partial<Greeting> | null>) => {
    if (data?.wavepoint === "hello") void greet();
    if (data?.wavepoint !== "connect" || !made) return;
    const page = new ServedPage(made, ports[0]!, { ownsExecutor: port === undefined, onGone: () => pages.delete(page) });
    pages.add(page);
    // One that is gone says no word, and a worker that several share outlives it.
    if (data.lock) void navigator.locks.request(data.lock, () => page.leave());
  });
  door.start?.();
  void greet();
  return { onEvent: (event) => pages.forEach((page) => page.tell(event)) };
}
