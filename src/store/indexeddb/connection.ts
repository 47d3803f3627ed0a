import { openDB } from "idb";
import type { IDBPDatabase } from "idb";
import { WorkflowError } from "../../core/model/errors.ts";
import { databaseFailure, isLost } from "./failure.ts";
import { VERSION, createStores } from "./schema.ts";
import type { Schema } from "./schema.ts";

/** How often a transaction is tried on a new connection before the store gives up. */
const ATTEMPTS = 3;

/** The one connection of a store: opened when it is needed, given up when another page wants to change the database, opened again when lost. */
export interface Connection {
  /** Runs a whole transaction, again on a new connection while connections get lost. `attempt` counts from 0. */
  use<T>(call: (database: IDBPDatabase<Schema>, attempt: number) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens nothing yet. */
export function databaseConnection(name: string): Connection {
  let opening: Promise<IDBPDatabase<Schema>> | undefined;

  function forget(promise: Promise<IDBPDatabase<Schema>> | undefined): void {
    if (opening === promise) opening = undefined;
  }

  function connect(): Promise<IDBPDatabase<Schema>> {
    if (opening !== undefined) return opening;
    const promise: Promise<IDBPDatabase<Schema>> = openDatabase(name, () => forget(promise));
    promise.catch(() => forget(promise));
    opening = promise;
    return promise;
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
    async close() {
      const promise = opening;
      opening = undefined;
      (await promise?.catch(() => undefined))?.close();
    },
  };
}

function openDatabase(name: string, lost: () => void): Promise<IDBPDatabase<Schema>> {
  if (!("indexedDB" in globalThis) || !globalThis.indexedDB) return Promise.reject(unavailable());
  return new Promise((resolve, reject) => {
    let refused = false;
    const request = openDB<Schema>(name, VERSION, {
      upgrade: createStores,
      blocked() {
        refused = true;
        reject(
          new WorkflowError(
            "STORE_BLOCKED",
            `Another tab keeps an older form of the database ${JSON.stringify(name)} open. Close the other tabs of this site and try again.`,
          ),
        );
      },
      blocking(_current, _blocked, event) {
        lost();
        (event.target as IDBDatabase).close();
      },
      terminated: lost,
    });
    request.then(
      (database) => (refused ? database.close() : resolve(database)),
      (error: unknown) => reject(openFailure(error)),
    );
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
