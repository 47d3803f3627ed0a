import type { Query } from "../../store/postgres/connection.ts";
import { SEGMENT } from "./database.ts";

/** How the workers of a database are. */
export interface ClusterHealth {
  /** Workers that give signs of life. */
  readonly workers: number;
  /** Those that gave none for the time of a lease, and had begun something that is not taken over yet. */
  readonly gone: number;
  /** Orders that are being executed. */
  readonly executing: number;
  /** Orders that wait for a worker. */
  readonly waiting: number;
  /** How long the oldest of them has waited, in milliseconds; absent if none waits. */
  readonly waitingMs?: number;
  /** Orders for later: runs that wait for an instant. */
  readonly later: number;
}

/** Counts workers and orders. */
export async function readHealth(query: Query, schema: string): Promise<ClusterHealth> {
  type Row = { readonly [count in Exclude<keyof ClusterHealth, "waitingMs">]: number } & { readonly waited: number | null };
  const [row] = await query<Row>(
    `select (select count(*)::integer from wavepoint_workers where until >= clock_timestamp()) as workers,
      (select count(*)::integer from wavepoint_workers where until < clock_timestamp()) as gone,
      count(*) filter (where status = 'PENDING')::integer as executing,
      count(*) filter (where status = 'ENQUEUED')::integer as waiting,
      count(*) filter (where status = 'DELAYED')::integer as later,
      extract(epoch from clock_timestamp()) * 1000 - min(created_at) filter (where status = 'ENQUEUED') as waited
      from "${schema}".workflow_status where name = '${SEGMENT}' and status in ('PENDING', 'ENQUEUED', 'DELAYED')`,
  );
  const { waited, ...counts } = row!;
  return { ...counts, ...(waited !== null && { waitingMs: Math.max(0, Math.round(Number(waited))) }) };
}
