import { parse, stringify } from "devalue";
import type { Greeting, ToWorker } from "../worker/messages.ts";

/** A way to the process that serves the page. */
export interface Wire {
  /** Sends a text; texts arrive in the order in which they were sent. */
  send(text: string): void;
  listen(listener: (text: string) => void): void;
}

/** What a page uses as the worker that its engine works in, where that is another process at the end of a wire. */
export function engineDoor(wire: Wire): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port2.addEventListener("message", ({ data, ports }: MessageEvent<Greeting>) => {
    if (data.wavepoint === "hello") port2.postMessage({ wavepoint: "ready" } satisfies Greeting);
    else if (data.wavepoint === "connect") connect(ports[0]!, wire);
  });
  port2.start();
  return port1;
}

function connect(port: MessagePort, wire: Wire): void {
  port.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => wire.send(stringify(data)));
  wire.listen((text) => port.postMessage(parse(text)));
  port.start();
}
