import { WorkflowError, isWorkflowError } from "../../core/model/errors.ts";

/** What a {@link SqliteDatabase} takes for the placeholders of a statement. */
export type SqliteValue = string | number | Uint8Array | null;

/** A prepared statement, as all synchronous SQLite packages have it. */
export interface SqliteStatement {
  run(...values: SqliteValue[]): { readonly changes: number | bigint };
  all(...values: SqliteValue[]): unknown[];
}

/** An open database: `Database` of `libsql`, `better-sqlite3` or `bun:sqlite`, or `DatabaseSync` of `node:sqlite`. */
export interface SqliteDatabase {
  prepare(sql: string): SqliteStatement;
  /** Whether a transaction is open, as `libsql` and `better-sqlite3` name it. A commit takes one call if this is known, else three. */
  readonly inTransaction?: boolean;
  /** The same, as `node:sqlite` calls it. */
  readonly isTransaction?: boolean;
  /** Whether it has not been closed, as `libsql` and `better-sqlite3` call it. */
  readonly open?: boolean;
}

/** Whether writes must survive a power cut, or only the death of the process. */
export type Durability = "strict" | "relaxed";

/** The statements of one database. Each rejects with the errors of the port. */
export interface Connection {
  /** Changes rows, and gives how many. */
  run(sql: string, values?: readonly SqliteValue[]): number;
  /** Reads rows. */
  all<Row>(sql: string, values?: readonly SqliteValue[]): readonly Row[];
  /** What several statements read belongs together. */
  reading<T>(read: () => T): T;
  /** What several statements write is there as a whole, or not at all. */
  writing<T>(durability: Durability, write: () => T): T;
  /** The same for a single statement, which is a separate transaction. */
  writingAlone<T>(durability: Durability, write: () => T): T;
}

/** Prepares each statement once. */
export function connectionTo(database: SqliteDatabase): Connection {
  const prepared = new Map<string, SqliteStatement>();
  /** Reads once more what could not be read for a lock. */
  let readAgain: (() => unknown) | undefined;
  /** Whether the database was opened so that whole numbers are read as `bigint`. */
  let readsBigInts: boolean | undefined;

  function statement(sql: string): SqliteStatement {
    let known = prepared.get(sql);
    if (known === undefined) prepared.set(sql, (known = database.prepare(sql)));
    return known;
  }

  function run(sql: string, values: readonly SqliteValue[] = []): number {
    if (readAgain) endReading();
    try {
      return Number(statement(sql).run(...values).changes);
    } catch (error) {
      if (isLocked(error)) endWriting(sql, values);
      throw sqliteFailure(error);
    }
  }

  function all<Row>(sql: string, values: readonly SqliteValue[] = []): readonly Row[] {
    if (readAgain) endReading();
    try {
      const rows = statement(sql).all(...values) as Row[];
      readsBigInts ??= givesBigInts(database);
      return readsBigInts ? rows.map(withNumbers) : rows;
    } catch (error) {
      if (isLocked(error)) readAgain = () => all(sql, values);
      throw sqliteFailure(error);
    }
  }

  // `libsql` leaves a statement that waited in vain for a lock under way until it is run again. Meanwhile it counts: what another statement writes is not
  // committed, though that one has ended, and is rolled back with it; or what is read stays as it was.

  /** Ends a statement that writes: it is run again while writes are forbidden, which refuses it at once. */
  function endWriting(sql: string, values: readonly SqliteValue[]): void {
    try {
      statement("pragma query_only = on").run();
      statement(sql).run(...values);
    } catch {
      // It has ended. Why it failed the first time is thrown.
    } finally {
      statement("pragma query_only = off").run();
    }
  }

  /** Ends a statement that reads, before any other begins. Throws if it still cannot get its lock. */
  function endReading(): void {
    const again = readAgain;
    readAgain = undefined;
    again?.();
  }

  function within<T>(begin: string, work: () => T): T {
    run(begin);
    try {
      const result = work();
      run("commit");
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  }

  /** Whether no transaction of yours is open; also false if the package does not say. */
  function isAlone(): boolean {
    // Asked this when it is closed, `libsql` ends the process.
    if (database.open === false) throw closed("The database connection is not open");
    try {
      return (database.inTransaction ?? database.isTransaction) === false;
    } catch (error) {
      throw sqliteFailure(error);
    }
  }

  function rollBack(): void {
    try {
      statement("rollback").run();
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full: the cause is thrown.
    }
  }

  return {
    run,
    all,
    reading: (read) => within("begin", read),
    writing: (durability, write) => as(durability, () => within("begin immediate", write)),
    writingAlone(durability, write) {
      // Within a transaction of yours it would be acknowledged before that is stored; SQLite refuses to begin another one.
      return as(durability, isAlone() ? write : () => within("begin immediate", write));
    },
  };

  function as<T>(durability: Durability, write: () => T): T {
    if (durability === "strict") return write();
    run("pragma synchronous = normal");
    try {
      return write();
    } finally {
      run("pragma synchronous = full");
    }
  }
}

/** Whether a database returns integers as `bigint`. Throws `STORE_FAILED` if it returns rows as lists of values. */
function givesBigInts(database: SqliteDatabase): boolean {
  const [row] = database.prepare("select 1 as one").all() as [{ readonly one?: number | bigint }];
  if (row.one !== undefined) return typeof row.one === "bigint";
  throw new WorkflowError(
    "STORE_FAILED",
    "The store reads rows as objects, and this database gives arrays. Open it without `returnArrays`.",
  );
}

/** Returns a row with a number in place of each `bigint`: all values of the store fit. */
function withNumbers<Row>(row: Row): Row {
  const entries = Object.entries(row as object).map(([name, value]) => [
    name,
    typeof value === "bigint" ? Number(value) : (value as unknown),
  ]);
  return Object.fromEntries(entries) as Row;
}

/** What the packages call the failures of SQLite, and SQLite itself by number (https://sqlite.org/rescode.html). */
const READ_ONLY = 8;
const FULL = 13;
const CANNOT_OPEN = 14;
const FORBIDDEN: ReadonlySet<number> = new Set([READ_ONLY, CANNOT_OPEN]);
const DAMAGED: ReadonlySet<number> = new Set([11, 26]);
const LOCKED: ReadonlySet<number> = new Set([5, 6]);
const CONSTRAINT = 19;
const MISMATCH = 20;
const REFUSED: ReadonlySet<number> = new Set([CONSTRAINT, MISMATCH]);
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ["SQLITE_BUSY", 5],
  ["SQLITE_LOCKED", 6],
  ["SQLITE_READONLY", READ_ONLY],
  ["SQLITE_CORRUPT", 11],
  ["SQLITE_FULL", FULL],
  ["SQLITE_CANTOPEN", CANNOT_OPEN],
  ["SQLITE_NOTADB", 26],
  ["SQLITE_CONSTRAINT", CONSTRAINT],
  ["SQLITE_MISMATCH", MISMATCH],
]);
/** What SQLite says of them, for packages that pass on no more than that. */
const SAID: readonly (readonly [said: RegExp, number: number])[] = [
  [/database (table )?is locked/, 5],
  [/readonly database/, READ_ONLY],
  [/disk image is malformed/, 11],
  [/database or disk is full/, FULL],
  [/unable to open database/, CANNOT_OPEN],
  [/file is not a database/, 26],
  [/constraint failed|does not stand as the writer saw it/, CONSTRAINT],
  [/datatype mismatch/, MISMATCH],
];
/** Its messages if you have a transaction or a statement open on the same connection: it refused before it did anything. */
const UNDER_WAY = /(within|inside) a transaction|busy executing a query/;
const CLOSED = /(database|connection) (is not open|has closed|is closed)/i;

/** Whether a statement violated a constraint: it has written nothing, and the transaction continues. */
export function isRefused(error: unknown): boolean {
  return error instanceof Error && REFUSED.has(numberOf(error.cause));
}

/** Whether a statement waited in vain for a lock of another connection. */
function isLocked(thrown: unknown): boolean {
  return LOCKED.has(numberOf(thrown));
}

/** Returns the error of a failed statement: `STORE_QUOTA`, `STORE_DATA_CORRUPT` or `STORE_FAILED`. A `WorkflowError` stays as it is. */
function sqliteFailure(thrown: unknown): WorkflowError {
  if (isWorkflowError(thrown)) return thrown;
  const number = numberOf(thrown);
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const options = { cause: thrown };
  if (number === FULL) {
    const message = "The disk is full: SQLite could not write. Make room and try again; what was stored before is unharmed.";
    return new WorkflowError("STORE_QUOTA", message, options);
  }
  if (DAMAGED.has(number)) {
    const message = `SQLite found the database damaged: ${reason}. It was left as it is: restore it from a copy.`;
    return new WorkflowError("STORE_DATA_CORRUPT", message, options);
  }
  if (FORBIDDEN.has(number)) {
    const message = `SQLite refused: ${reason}. Give this process the right to write to the file of the database and to its directory. Nothing was changed.`;
    return new WorkflowError("STORE_FAILED", message, options);
  }
  if (CLOSED.test(reason)) return closed(reason, options);
  if (UNDER_WAY.test(reason)) {
    const message = `SQLite refused: ${reason}. End your transaction or statement on this connection first, or give the store a separate one. Nothing was changed.`;
    return new WorkflowError("STORE_FAILED", message, options);
  }
  const wayOut = isLocked(thrown)
    ? "Another process holds the database for long: end its transaction and try again."
    : "Read the run again before going on: this write may or may not have happened.";
  return new WorkflowError("STORE_FAILED", `SQLite refused: ${reason}. ${wayOut}`, options);
}

function closed(reason: string, options?: { readonly cause: unknown }): WorkflowError {
  const message = `SQLite refused: ${reason}. Close the executor or the store first, and the database behind it. Nothing was changed.`;
  return new WorkflowError("STORE_FAILED", message, options);
}

function numberOf(thrown: unknown): number {
  if (typeof thrown !== "object" || thrown === null) return 0;
  // `node:sqlite` returns the number, with details in its higher bits; the others return the name.
  if ("errcode" in thrown) return Number(thrown.errcode) & 0xff;
  const name = /^SQLITE_[A-Z]+/.exec("code" in thrown ? String(thrown.code) : "")?.[0];
  if (name !== undefined) return NUMBERS.get(name) ?? 0;
  const { message } = thrown as { readonly message?: unknown };
  return SAID.find(([said]) => said.test(String(message)))?.[1] ?? 0;
}
