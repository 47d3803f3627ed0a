import { openDB } from "idb";
import { beginReading } from "./transactions.ts";
import { type Refusal, databaseFailure, isLost, openFailure } from "./failure.ts";
import { readMark, settleReset, writeMark } from "./database-mark.ts";
import { type Database, type Schema, VERSION, makeStores } from "./schema.ts";

/** How often a transaction is tried on a new connection before the store gives up. */
const ATTEMPTS = 3;

/**
 * How many seconds a database may take to open before an error is reported. Behind a deletion or an upgrade that never completes, browsers keep all calls
 * waiting without an error, as WebKit does if a worker died during a commit. Counted one by one, so the time of a frozen page does not count.
 */
const OPEN_SECONDS = 15;

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
      else if (mark !== id) await settleReset(database, { mark, onReset });
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

async function openDatabase(name: string, lost: () => void): Promise<Database> {
  try {
    return await requestDatabase(name, lost);
  } catch (thrown) {
    throw openFailure(name, thrown);
  }
}

function requestDatabase(name: string, lost: () => void): Promise<Database> {
  return new Promise((resolve, reject) => {
    if (!("indexedDB" in globalThis) || !globalThis.indexedDB) return reject(new Error("unavailable" satisfies Refusal));
    let refused = false;
    const refuse = (): void => {
      refused = true;
      clearInterval(clock);
      reject(new Error("held up" satisfies Refusal));
    };
    const request = openDB<Schema>(name, VERSION, {
      upgrade(database, _oldVersion, _newVersion, transaction) {
        // From here on there is no time limit.
        clearInterval(clock);
        // Where it fails, so does the request.
        transaction.done.catch(() => {});
        makeStores(database);
      },
      blocked: refuse,
      blocking(_oldVersion, _newVersion, event) {
        lost();
        (event.target as IDBDatabase).close();
      },
      terminated: lost,
    });
    let seconds = 0;
    const clock = setInterval(() => ++seconds < OPEN_SECONDS || refuse(), 1_000);
    request.then((database) => (refused ? database.close() : resolve(database)), reject).finally(() => clearInterval(clock));
  });
}
