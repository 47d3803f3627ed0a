import { WorkflowError } from "../../core/model/errors.ts";
import type { Listen } from "./changes.ts";
import type { PostgresPool } from "./connection.ts";

/** How long after a connection for calls was lost it is made anew, in milliseconds. */
const AGAIN_MS = 1_000;
/** How long a server may take to let a client in, in milliseconds. */
const CONNECT_MS = 30_000;

interface Client extends PostgresPool {
  connect(): Promise<unknown>;
  /** As a pool calls it. */
  connect(called: (error?: Error) => void): void;
  end(): Promise<void>;
  on(event: "error", failed: (error: Error) => void): unknown;
  on(event: "notification", called: (message: { readonly payload?: string }) => void): unknown;
}

interface Connection extends PostgresPool {
  on(event: "error", failed: (error: Error) => void): unknown;
  off(event: "error", failed: (error: Error) => void): unknown;
  release(broken?: Error): void;
}

/** A pool of the package `pg`, as far as it is used. */
export interface Pool extends PostgresPool {
  /** A connection for the caller alone, until it is released; with an error, it is closed. */
  connect(): Promise<Connection>;
  end(): Promise<void>;
  on(event: "error", failed: (error: Error) => void): unknown;
}

interface ClientOptions {
  readonly connectionString: string;
  readonly keepAlive: boolean;
  readonly connectionTimeoutMillis?: number;
}

type NewClient = new (options: ClientOptions) => Client;

/** What is used of the package `pg`. */
interface Package {
  readonly Pool: new (options: ClientOptions & { readonly Client: NewClient }) => Pool;
  readonly Client: NewClient;
}

/**
 * Opens a pool of the package `pg`, and a function that listens. Throws `STORE_UNAVAILABLE` without the package, and `STORE_ADDRESS_INVALID` for an address
 * that it cannot read.
 */
export async function openPool(address: string): Promise<{ readonly pool: Pool; readonly listen: Listen }> {
  // Bundlers do not look for a package that most programs do without.
  const name: string = "pg";
  const loaded = await import(/* @vite-ignore */ name).catch((cause: unknown) => {
    throw new WorkflowError("STORE_UNAVAILABLE", 'A Postgres database is asked by the package "pg". Install it: npm install pg', { cause });
  });
  const { default: pg } = loaded as { readonly default: Package };
  // A server that vanished without a word, as behind a router that forgot the connection, is noticed.
  const options = { connectionString: address, keepAlive: true };
  const Client = givingUp(pg.Client);
  const newClient = (): Client => new Client(options);
  try {
    // The pool reads the address only when it connects.
    newClient();
  } catch (cause) {
    const message =
      'This is no address of a Postgres database. Use "postgres://user:password@host:5432/name", with special characters as "%40".';
    throw new WorkflowError("STORE_ADDRESS_INVALID", message, { cause });
  }
  const pool = new pg.Pool({ ...options, Client });
  // A connection that rests and breaks is replaced by the pool; without a listener it would end the process.
  pool.on("error", () => {});
  return { pool, listen: listenOver(newClient) };
}

/**
 * Clients that give up a server that takes a connection and says nothing. They leave none open that they could not use, as where a password is missing: it would keep
 * the process alive until the server closes it. The time is the client's, not the pool's: those that wait for a free connection wait as long as it takes.
 */
function givingUp(Client: NewClient): NewClient {
  return class extends Client {
    constructor(options: ClientOptions) {
      super({ ...options, connectionTimeoutMillis: CONNECT_MS });
    }

    override connect(): Promise<unknown>;
    override connect(called: (error?: Error) => void): void;
    override connect(called?: (error?: Error) => void): Promise<unknown> | void {
      if (called === undefined) return super.connect();
      super.connect((error) => {
        if (error) void this.end();
        called(error);
      });
    }
  };
}

/** Listens over a separate connection, and opens it again when it breaks. */
function listenOver(newClient: () => Client): Listen {
  return async (channel, called) => {
    let isEnded = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    let client = await connect();

    async function connect(): Promise<Client> {
      const one = newClient();
      one.on("notification", ({ payload = "" }) => called(payload));
      one.on("error", tryAgain);
      try {
        await one.connect();
        await one.query(`listen "${channel}"`);
      } catch (error) {
        await one.end().catch(() => {});
        throw error;
      }
      return one;
    }

    function tryAgain(): void {
      if (isEnded || again !== undefined) return;
      again = setTimeout(async () => {
        again = undefined;
        try {
          client = await connect();
          if (isEnded) await client.end();
          // Notifications may have been missed.
          else called("");
        } catch {
          // The store looks now and then on its own, and reports what fails there.
          tryAgain();
        }
      }, AGAIN_MS);
      (again as { unref?(): void }).unref?.();
    }

    return async () => {
      isEnded = true;
      clearTimeout(again);
      await client.end().catch(() => {});
    };
  };
}
