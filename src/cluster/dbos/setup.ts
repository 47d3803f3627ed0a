import type { DBOS, DBOSClient, DBOSConfig } from "@dbos-inc/dbos-sdk";
import type { Query } from "../../store/postgres/connection.ts";
import type { Pool } from "../../store/postgres/open-pool.ts";
import type { Limits } from "./limits.ts";

/** The part of DBOS that is used. There is one for the whole process. */
export type Dbos = typeof DBOS;

/** What is used of the package. */
export interface Package {
  readonly DBOS: Dbos;
  readonly DBOSClient: typeof DBOSClient;
}

/** The pool, as DBOS takes it. */
export type SharedPool = NonNullable<DBOSConfig["systemDatabasePool"]>;

/** The logger of DBOS. */
export type Logger = NonNullable<DBOSConfig["logger"]>;

/** What a worker is made with. */
export interface WorkerSetup {
  readonly pool: Pool;
  readonly query: Query;
  readonly address: string;
  /** Where DBOS keeps its tables. */
  readonly schema: string;
  readonly concurrency: number;
  readonly pollMs: number;
  readonly leaseMs: number;
  readonly graceMs: number;
  readonly limits: Limits | undefined;
  readonly onWarning: (message: string) => void;
}
