import type { ErrorData } from "../../core/model/errors.ts";
import { isRecord } from "../../core/model/value.ts";
import { type ClaimHolder, claimHolder } from "./claims.ts";
import { type ChangeTeller, type PeerMessage, changeTeller } from "./announce-changes.ts";

/** A store's part in what all stores of its database do together. */
export interface Peers extends Pick<ClaimHolder, "claim">, Pick<ChangeTeller, "tell" | "tellFailure" | "watch"> {
  close(): Promise<void>;
}

/** Joins the other stores of a database. A store does not receive its own messages. Without `BroadcastChannel` it is alone. */
export function joinPeers(name: string): Peers {
  const channel = openChannel(`wavepoint:${name}`);
  let closed = false;
  const post = channel && ((message: PeerMessage) => closed || channel.postMessage(message));
  const changes = changeTeller(post);
  const claims = claimHolder(name, post);
  channel?.addEventListener("message", ({ data }: MessageEvent<Partial<Record<string, unknown>> | null>) => {
    if (Array.isArray(data?.["changed"])) changes.hear(data["changed"]);
    else if (isRecord(data?.["failed"])) changes.hearFailure(data["failed"] as unknown as ErrorData);
    else if (typeof data?.["asks"] === "string") claims.reply(data["asks"]);
    else if (typeof data?.["holds"] === "string") claims.hearOf(data["holds"]);
  });
  return {
    tell: changes.tell,
    tellFailure: changes.tellFailure,
    watch: changes.watch,
    claim: claims.claim,
    async close() {
      await claims.close();
      changes.close();
      closed = true;
      channel?.close();
    },
  };
}

function openChannel(name: string): BroadcastChannel | undefined {
  if (!("BroadcastChannel" in globalThis)) return undefined;
  const channel = new BroadcastChannel(name);
  // In Node, where tests have databases, the channel must not keep the process alive.
  (channel as { unref?(): void }).unref?.();
  return channel;
}
