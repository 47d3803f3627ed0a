import { WorkflowError } from "../../core/model/errors.ts";
import type { RedisClient } from "./connection.ts";

/** A client of the package `ioredis`. */
interface Client extends RedisClient {
  on(event: "error", failed: (error: Error) => void): unknown;
  disconnect(): void;
}

/** Connects with the package `ioredis`. Throws `STORE_UNAVAILABLE` without the package. */
export async function openClient(address: string): Promise<Client> {
  // Bundlers do not look for a package that most programs do without.
  const name: string = "ioredis";
  const loaded = await import(/* @vite-ignore */ name).catch((cause: unknown) => {
    throw new WorkflowError("STORE_UNAVAILABLE", 'Redis is asked by the package "ioredis". Install it: npm install ioredis', { cause });
  });
  const { Redis } = loaded as { readonly Redis: new (address: string) => Client };
  const client = new Redis(address);
  // What fails is thrown by the calls; without a listener it would be printed as well.
  client.on("error", () => {});
  return client;
}
