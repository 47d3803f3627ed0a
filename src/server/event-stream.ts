/** So often something is sent at least, so that proxies keep the connection, in milliseconds. */
const HEARTBEAT_MS = 15_000;
/** A stream ends after so long, and its client comes again: then it is asked anew whether it may. */
const MAX_STREAM_MS = 900_000;

/** Sends server-sent events to one client. */
export interface EventSender {
  send(event: string, data: unknown, id?: string): void;
  /** Whether the client can take more. A slow client gets a later state, once it can. */
  readonly isReady: boolean;
}

/**
 * Returns a response that is a stream of events. Calls `begin` at once, which returns how to end it, and `onReady` each time the client can take more. The
 * stream ends when the signal aborts.
 */
export function eventStream(
  signal: AbortSignal,
  begin: (sender: EventSender) => { readonly end: () => void; readonly onReady?: () => void },
): Response {
  const encoder = new TextEncoder();
  let leave = (): void => {};
  let source: ReturnType<typeof begin>;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string): void => controller.enqueue(encoder.encode(text));
      const heartbeat = setInterval(() => write(": still here\n\n"), HEARTBEAT_MS);
      const tooLong = setTimeout(() => finish(), MAX_STREAM_MS);
      const finish = (): void => {
        leave();
        controller.close();
      };
      let hasLeft = false;
      leave = () => {
        if (hasLeft) return;
        hasLeft = true;
        clearInterval(heartbeat);
        clearTimeout(tooLong);
        signal.removeEventListener("abort", finish);
        source.end();
      };
      write("retry: 1000\n\n");
      source = begin({
        send: (event, data, id) =>
          hasLeft || write(`event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
        get isReady() {
          return (controller.desiredSize ?? 0) > 0;
        },
      });
      if (signal.aborted) finish();
      else signal.addEventListener("abort", finish, { once: true });
    },
    pull: () => source.onReady?.(),
    cancel: () => leave(),
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
    },
  });
}
