import { WorkflowError, isWorkflowError } from "../../core/model/errors.ts";

/** What answers queries: a `Pool` of `pg`, a `PGlite`, or anything else that speaks to one database and may do so over several connections. */
export interface PostgresPool {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
  /** Of a `Client` of `pg`: the state of the connection after the last answer; `I` means that no transaction is open. */
  getTransactionStatus?(): string | null;
}

/** Queries the database. Rejects with the errors of the port. */
export type Query = <Row = unknown>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** How often a query is sent again that the database took back for the sake of another one. */
const MOST_TRIES = 20;
/** What the database took back as a whole: another transaction changed the row first, or both waited for each other. */
const TAKEN_BACK = /^40(001|P01)$/;

/**
 * The queries of one pool. Each is a separate transaction, so one that was rolled back is sent again. That happens if the database or the role sets a
 * stricter isolation than usual.
 */
export function queriesTo(pool: PostgresPool): Query {
  /** Throws if a transaction of the caller is open: what the store writes in it would be acknowledged, and could be rolled back. */
  function assertAlone(): void {
    if ((pool.getTransactionStatus?.() ?? "I") !== "I") throw withinTransaction();
  }

  return async <Row>(text: string, values: readonly unknown[] = []) => {
    for (let tries = 1; ; tries += 1) {
      try {
        assertAlone();
        const { rows } = await pool.query(text, [...values]);
        // It may have begun while the query waited its turn.
        assertAlone();
        return rows as readonly Row[];
      } catch (error) {
        if (tries === MOST_TRIES || !TAKEN_BACK.test(codeOf(error))) throw postgresFailure(error);
      }
    }
  };
}

/** The error of what would be written within a transaction that the caller of the store has open on its connection. */
export function withinTransaction(): WorkflowError {
  const message =
    "A transaction of yours is open on this connection, and the writes of the store would be part of it. Give the store a pool, or a separate connection.";
  return new WorkflowError("STORE_FAILED", message);
}

function codeOf(thrown: unknown): string {
  return typeof thrown === "object" && thrown !== null && "code" in thrown ? String(thrown.code) : "";
}

/**
 * Classes of error codes (https://www.postgresql.org/docs/current/errcodes-appendix.html), and the codes of the packages if there is no answer. A read-only
 * server (25006) is no longer the primary.
 */
const LOST = /^(08|57P|25006|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/;
const DAMAGED = /^XX00[12]/;
const NO_ROOM = "53100";
const NOT_LET_IN = /^(28|3D)/;
/** A schema that a role may not use is none for it. */
const NO_RIGHT = /^(42501|3F000)$/;
const GONE = /terminated|closed|ended|timeout (exceeded|expired)|connection error/i;
/** The messages of `pg` for a missing password, and for a server that requires or lacks TLS. */
const WRONG_ADDRESS = /SASL|password must be|SSL/;

/**
 * Returns the error of a failed query or connection: `STORE_QUOTA`, `STORE_LOST`, `STORE_DATA_CORRUPT` or `STORE_FAILED`. A `WorkflowError` stays as it is.
 */
export function postgresFailure(thrown: unknown): WorkflowError {
  if (isWorkflowError(thrown)) return thrown;
  const code = codeOf(thrown);
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  const options = { cause: thrown };
  if (code === NO_ROOM) {
    const message = "The disk of the database is full. Make room and try again; what was stored before is unharmed.";
    return new WorkflowError("STORE_QUOTA", message, options);
  }
  if (DAMAGED.test(code)) {
    const message = `Postgres found the database damaged: ${reason}. It was left as it is: restore it from a copy.`;
    return new WorkflowError("STORE_DATA_CORRUPT", message, options);
  }
  if (NOT_LET_IN.test(code) || (code === "" && WRONG_ADDRESS.test(reason))) {
    const message = `Postgres does not let this process in: ${reason}. Correct user, password or database in the address. Nothing was changed.`;
    return new WorkflowError("STORE_FAILED", message, options);
  }
  if (NO_RIGHT.test(code)) {
    const message = `Postgres refused: ${reason}. Give the role of this process all rights to the tables and functions "wavepoint_…", and to create them in their schema. Nothing was changed.`;
    return new WorkflowError("STORE_FAILED", message, options);
  }
  if (LOST.test(code) || (code === "" && GONE.test(reason))) {
    const message = `The connection to the database was lost: ${reason}. Read the run again before going on: this write may or may not have happened.`;
    return new WorkflowError("STORE_LOST", message, options);
  }
  const message = `Postgres refused: ${reason}. Read the run again before going on: this write may or may not have happened.`;
  return new WorkflowError("STORE_FAILED", message, options);
}

/** Whether an error, or what led to it, is that of a connection that broke: also as other packages throw it that use the same pool. */
export function isLostConnection(thrown: unknown): boolean {
  if (typeof thrown !== "object" || thrown === null) return false;
  const { cause, error, errors } = thrown as { readonly cause?: unknown; readonly error?: unknown; readonly errors?: unknown };
  if (Array.isArray(errors) && errors.some(isLostConnection)) return true;
  return postgresFailure(thrown).code === "STORE_LOST" || isLostConnection(cause) || isLostConnection(error);
}
