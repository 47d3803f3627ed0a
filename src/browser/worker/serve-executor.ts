import type { Executor } from "../../core/engine/face.ts";
import type { RunEvent } from "../../core/ports/observer.ts";
import type { Greeting } from "./messages.ts";
import { ServedPage } from "./served-page.ts";

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
 * Lets pages use an executor by `workerExecutor`: called in a worker, once its executor is made. `port` is the scope of the worker unless given; in
 * a `SharedWorker` call it for the port of each connection. A page that closes its executor closes this one, but where it came by a given port.
 */
export function serveExecutor(executor: Executor, port?: ServedPort): ServedExecutor {
  const door = port ?? (globalThis as unknown as ServedPort);
  const pages = new Set<ServedPage>();
  const ready = holdLock();
  const greet = async (): Promise<void> => door.postMessage({ wavepoint: "ready", ...(await ready) } satisfies Greeting);
  door.addEventListener("message", ({ data, ports }: MessageEvent<Partial<Greeting> | null>) => {
    if (data?.wavepoint === "hello") void greet();
    if (data?.wavepoint !== "connect") return;
    const page = new ServedPage(executor, ports[0]!, { ownsExecutor: port === undefined, onGone: () => pages.delete(page) });
    pages.add(page);
  });
  door.start?.();
  void greet();
  return { onEvent: (event) => pages.forEach((page) => page.tell(event)) };
}

/** A lock that is held until the worker ends: pages that wait for it learn of that, whatever ended it. No event would tell them. */
function holdLock(): Promise<{ readonly lock?: string }> {
  const locks = globalThis.navigator?.locks as LockManager | undefined;
  if (!locks) return Promise.resolve({});
  const lock = `wavepoint-worker-${crypto.randomUUID()}`;
  return new Promise((resolve) => {
    void locks.request(lock, () => {
      resolve({ lock });
      return new Promise(() => {});
    });
  });
}
