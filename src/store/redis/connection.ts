import { WorkflowError, isWorkflowError } from "../../core/model/errors.ts";

/** What Redis takes as an argument. The store gives bytes as a `Buffer`. */
export type RedisValue = string | number | Uint8Array;

/** What listens for messages: `client.duplicate()` of `ioredis`. */
export interface RedisSubscriber {
  /** `wait` if it connects with its first command, as with `lazyConnect`. */
  readonly status?: string;
  connect?(): Promise<unknown>;
  subscribe(channel: string): Promise<unknown>;
  on(event: "message", called: (channel: string, message: string) => void): unknown;
  on(event: "ready", called: () => void): unknown;
  on(event: "error", failed: (error: Error) => void): unknown;
  disconnect(): void;
}

/** A client of the package `ioredis`, of one server or of a cluster. */
export interface RedisClient {
  /** Numbers may come as texts, as `stringNumbers` makes them. */
  call(command: string, args: RedisValue[]): Promise<unknown>;
  getBuffer(key: string): Promise<Uint8Array | null>;
  duplicate(): RedisSubscriber;
}

/** Calls the server. Each call rejects with the errors of the port. */
export interface Connection {
  /** The name before the colon of all keys. Its braces keep them in one slot of a cluster. */
  readonly place: string;
  call(command: string, ...args: RedisValue[]): Promise<unknown>;
  getBuffer(key: string): Promise<Uint8Array | null>;
  /** Runs a script, atomically. `KEYS[1]` is the place. */
  run(script: string, ...args: RedisValue[]): Promise<unknown>;
}

/** A connection over a client. */
export function connectionOver(client: RedisClient, place: string): Connection {
  /** Of the scripts that ran. */
  const hashes = new Map<string, string>();

  async function learnHash(script: string): Promise<string> {
    const hash = await sha1(script);
    hashes.set(script, hash);
    return hash;
  }

  async function call(command: string, ...args: RedisValue[]): Promise<unknown> {
    try {
      return answered(await client.call(command, args));
    } catch (error) {
      throw redisFailure(error, place);
    }
  }

  return {
    place,
    call,
    async getBuffer(key) {
      try {
        return await client.getBuffer(key);
      } catch (error) {
        throw redisFailure(error, place);
      }
    },
    async run(script, ...args) {
      try {
        return answered(await client.call("evalsha", [hashes.get(script) ?? (await learnHash(script)), "1", place, ...args]));
      } catch (error) {
        // The server does not know it yet, or forgot it as it was started anew.
        if (!reasonOf(error).startsWith("NOSCRIPT")) throw redisFailure(error, place);
        return call("eval", script, "1", place, ...args);
      }
    },
  };
}

/** Returns the answer of the server. Throws `STORE_FAILED` if the server only queued the command, because the caller has a `MULTI` open. */
function answered(answer: unknown): unknown {
  if (answer !== "QUEUED") return answer;
  const message =
    "A MULTI of yours is open on this connection, and what the store asks waits in it. Give the store a client of its own. Read the run again before going on: this write may or may not have happened.";
  throw new WorkflowError("STORE_FAILED", message);
}

async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The error codes of a server without room, and of a server that cannot be reached or is not ready. */
const NO_ROOM = /^OOM|No space left/;
const LOST =
  /^(LOADING|MASTERDOWN|CLUSTERDOWN|READONLY)|connect|closed|timed? ?out|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|EHOST|ENET|retries per request|isn't writeable/i;
/** The error codes of a command that was refused before it did anything. */
const REFUSED = /^(MISCONF|NOAUTH|NOPERM|WRONGPASS|ERR (invalid DB|DB index))/;
const NO_RIGHT = /^NOPERM/;

function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the error of a failed command: `STORE_QUOTA`, `STORE_LOST` or `STORE_FAILED`. A `WorkflowError` stays as it is. */
function redisFailure(thrown: unknown, place: string): WorkflowError {
  if (isWorkflowError(thrown)) return thrown;
  const reason = reasonOf(thrown).replace(/\.$/, "");
  const options = { cause: thrown };
  if (NO_ROOM.test(reason)) {
    const message = `Redis has no room: ${reason}. Delete runs or give it more (maxmemory) and try again; what was stored before is unharmed.`;
    return new WorkflowError("STORE_QUOTA", message, options);
  }
  if (REFUSED.test(reason)) {
    const rights = NO_RIGHT.test(reason)
      ? ` Its user needs "~${place}*", "&${place}:changes" and the commands of the store (+@all will do).`
      : "";
    return new WorkflowError("STORE_FAILED", `Redis refused: ${reason}.${rights} Nothing was changed.`, options);
  }
  const wayOut = "Read the run again before going on: this write may or may not have happened.";
  if (LOST.test(reason)) return new WorkflowError("STORE_LOST", `The connection to Redis was lost: ${reason}. ${wayOut}`, options);
  return new WorkflowError("STORE_FAILED", `Redis refused: ${reason}. ${wayOut}`, options);
}
