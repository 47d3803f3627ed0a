import { openDB } from "idb";
import { WorkflowError } from "../../core/model/errors.ts";
import { beginReading } from "./begin-reading.ts";
import { databaseFailure, isLost } from "./failure.ts";
import { readMark, writeMark } from "./mark.ts";
import { VERSION, upgradeStores } from "./schema.ts";
import type { Database, Schema } from "./schema.ts";

/** How often a transaction is tried on a new connection before the store gives up. */
const ATTEMPTS = 3;

/** The one connection of a store: opened when it is needed, given up when another page wants to change the database, opened again when lost. */
export interface Connection {
  /** Runs a whole transaction, again on a new connection while connections get lost. `attempt` counts from 0. */
  use<T>(call: (database: Database, attempt: number) => Promise<T>): Promise<T>;
  /** Notes outside the database that something was committed to it. */
  mark(): void;
  close(): Promise<void>;
}

/** Opens nothing yet. */
export function databaseConnection(name: string, onReset: "fail" | "accept"): Connection {
  let opening: Promise<Database> | undefined;
  /** Which database is open, until the mark says so. */
  let unmarked: string | undefined;

  function forget(promise: Promise<Database> | undefined): void {
    if (opening === promise) opening = undefined;
  }

  function connect(): Promise<Database> {
    if (opening !== undefined) return opening;
    const promise: Promise<Database> = openDatabase(name, () => forget(promise)).then(compare);
    promise.catch(() => forget(promise));
    opening = promise;
    return promise;
  }

  /** Whether this is the database that the mark tells of; see {@link readMark}. */
  async function compare(database: Database): Promise<Database> {
    try {
      const [id, mark] = [await beginReading(database, ["meta"]).objectStore("meta").get("id"), readMark(name)];
      if (mark === undefined) unmarked = id;
      else if (mark !== id) await (await import("./later.ts")).settleReset(database, { mark, onReset });
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  return {
    async use(call) {
      for (let attempt = 0; ; attempt += 1) {
        const promise = connect();
        try {
          return await call(await promise, attempt);
        } catch (error) {
          if (!isLost(error) || attempt + 1 >= ATTEMPTS) throw databaseFailure(error);
          forget(promise);
          promise.then((database) => database.close()).catch(() => {});
        }
      }
    },
    mark() {
      if (unmarked === undefined) return;
      writeMark(name, unmarked);
      unmarked = undefined;
    },
    async close() {
      const promise = opening;
      opening = undefined;
      (await promise?.catch(() => undefined))?.close();
    },
  };
}

function openDatabase(name: string, lost: () => void): Promise<Database> {
  if (!("indexedDB" in globalThis) || !globalThis.indexedDB) return Promise.reject(unavailable());
  const opened = new Promise<Database>((resolve, reject) => {
    let refused = false;
    const request = openDB<Schema>(name, VERSION, {
      upgrade(database, oldVersion, _newVersion, transaction) {
        // Where it fails, so does the request.
        transaction.done.catch(() => {});
        upgradeStores(database, oldVersion);
      },
      blocked() {
        refused = true;
        reject(
          new WorkflowError(
            "STORE_BLOCKED",
            `Another tab keeps an older form of the database ${JSON.stringify(name)} open. Close the other tabs of this site and try again.`,
          ),
        );
      },
      blocking(_oldVersion, _newVersion, event) {
        lost();
        (event.target as IDBDatabase).close();
      },
      terminated: lost,
    });
    request.then((database) => (refused ? database.close() : resolve(database)), reject);
  });
  return opened.catch((error: unknown) => {
    throw openFailure(error);
  });
}

function openFailure(error: unknown): unknown {
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "VersionError") {
    return new WorkflowError("STORE_FAILED", "A newer version of this page has changed the database. Reload the page.", { cause: error });
  }
  return name === "SecurityError" || name === "InvalidStateError" ? unavailable(error) : error;
}

function unavailable(cause?: unknown): WorkflowError {
  return new WorkflowError(
    "STORE_UNAVAILABLE",
    "There is no IndexedDB here: this is Node, or a private window, or the site may keep no data. Use memoryStore() and tell people that nothing is kept, or filesystemStore() in Node.",
    { cause },
  );
}
