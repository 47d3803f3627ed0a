import { WorkflowError } from "../../core/model/errors.ts";
import type { RedisClient } from "./connection.ts";

/** How long is waited at most before a connection is tried again, and how long for the answer to a command, in milliseconds. */
const AGAIN_MS = 500;
const COMMAND_MS = 30_000;
/** The error of `ioredis` after it has tried in vain for some ten seconds. */
const GIVEN_UP = /retries per request/;

interface Client extends RedisClient {
  disconnect(): void;
}

/** A client of the package `ioredis`. */
interface PackageClient extends Client {
  readonly options: { readonly db?: number };
  on(event: "error", failed: (error: Error) => void): unknown;
}

interface ClientOptions {
  readonly retryStrategy: (times: number) => number;
  readonly commandTimeout: number;
}

/** Connects with the package `ioredis`. Throws `STORE_UNAVAILABLE` without the package. */
export async function openClient(address: string): Promise<Client> {
  // Bundlers do not look for a package that most programs do without.
  const name: string = "ioredis";
  const loaded = await import(/* @vite-ignore */ name).catch((cause: unknown) => {
    throw new WorkflowError("STORE_UNAVAILABLE", 'Redis is asked by the package "ioredis". Install it: npm install ioredis', { cause });
  });
  const { Redis } = loaded as { readonly Redis: new (address: string, options: ClientOptions) => PackageClient };
  const client = new Redis(address, { retryStrategy: (times) => Math.min(times * 50, AGAIN_MS), commandTimeout: COMMAND_MS });
  const { db = 0 } = client.options;
  let failure: Error | undefined;
  let selected: Promise<unknown> | undefined;
  // What fails is thrown by the calls; without a listener it would be printed as well.
  client.on("error", (error) => (failure = error));

  async function select(index: number): Promise<void> {
    try {
      await client.call("select", [index]);
    } catch (error) {
      // The next command tries it again.
      selected = undefined;
      throw error;
    }
  }

  async function ask<T>(send: () => Promise<T>): Promise<T> {
    try {
      // `ioredis` continues in the first database if it could not select the one of the address.
      if (db !== 0) await (selected ??= select(db));
      return await send();
    } catch (error) {
      throw failure && GIVEN_UP.test((error as Error).message) ? failure : error;
    }
  }

  return {
    call: (command, args) => ask(() => client.call(command, args)),
    getBuffer: (key) => ask(() => client.getBuffer(key)),
    duplicate: () => client.duplicate(),
    disconnect: () => client.disconnect(),
  };
}
