import type { Store } from "../../core/ports/store.ts";
import type { Watchers } from "../watchers.ts";
import type { RedisClient, RedisSubscriber } from "./connection.ts";

/** Learns from messages what other stores changed. */
export interface ForeignChanges {
  readonly watch: NonNullable<Store["watch"]>;
  close(): void;
}

/** The message of a store that changed a run. */
export function messageOf(holder: string, run: string): string {
  return `${holder} ${run}`;
}

/** Listens over a separate connection while there is a watcher. */
export function foreignChanges(client: RedisClient, channel: string, holder: string, watchers: Watchers): ForeignChanges {
  let subscriber: RedisSubscriber | undefined;

  function start(): void {
    if (subscriber) return;
    const own = (subscriber = client.duplicate());
    own.on("message", (_, message) => {
      const [by, run] = message.split(" ");
      // One without a run is that of a store that was opened.
      if (by !== holder && run !== undefined) watchers.report([run]);
    });
    own.on("error", watchers.failed);
    own.on("ready", () => {
      // Whenever it listens anew, messages may have been missed before.
      own.subscribe(channel).then(() => watchers.report([undefined]), watchers.failed);
    });
    // What fails is an error of the connection, too.
    if (own.status === "wait") own.connect?.().catch(() => {});
  }

  function stop(): void {
    subscriber?.disconnect();
    subscriber = undefined;
  }

  return {
    watch(...watcher) {
      const end = watchers.add(...watcher);
      start();
      return () => {
        end();
        if (watchers.size === 0) stop();
      };
    },
    close: stop,
  };
}
