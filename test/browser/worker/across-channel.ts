import { onTestFinished } from "vitest";
import type { Executor } from "wavepoint";
import { serveExecutor, workerExecutor, type ServedExecutor, type WorkerExecutor, type WorkerExecutorOptions } from "wavepoint/worker";

export interface AcrossChannel {
  readonly client: WorkerExecutor;
  readonly served: ServedExecutor;
  /** What the executor's side sent, the greetings left out. */
  readonly sent: readonly unknown[];
}

/** An executor on the other side of a channel, in the same thread. */
export function acrossChannel(executor: Executor | Promise<Executor>, options?: WorkerExecutorOptions): AcrossChannel {
  const { port1, port2 } = new MessageChannel();
  const sent: unknown[] = [];
  const channels: MessagePort[] = [port1, port2];
  onTestFinished(() => channels.forEach((port) => port.close()));
  port1.addEventListener("message", ({ ports: [page] }) => {
    if (!page) return;
    channels.push(page);
    const post = page.postMessage.bind(page);
    page.postMessage = (message: unknown) => {
      post(message);
      sent.push(message);
    };
  });
  const served = serveExecutor(executor, port1);
  return { client: workerExecutor(() => port2, options), served, sent };
}
