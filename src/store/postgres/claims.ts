import type { LeaseRows } from "../leases.ts";
import type { Query } from "./connection.ts";

/** The claims of one store, by the clock of the database: those of the machines around it may differ. */
export function claimRows(query: Query, leaseMs: number): LeaseRows {
  const holder = crypto.randomUUID();
  const end = "clock_timestamp() + $1 * interval '1 millisecond'";
  return {
    async take(run) {
      const rows = await query(
        `insert into wavepoint_claims as c (run, holder, until) values ($2, $3, ${end}) on conflict (run) do update set holder = excluded.holder, until = excluded.until where c.until < clock_timestamp() returning run`,
        [leaseMs, run, holder],
      );
      return rows.length > 0;
    },
    async renew(runs) {
      const rows = await query<{ readonly run: string }>(
        `update wavepoint_claims set until = ${end} where holder = $2 and run in (select jsonb_array_elements_text($3::text::jsonb)) returning run`,
        [leaseMs, holder, JSON.stringify(runs)],
      );
      return new Set(rows.map(({ run }) => run));
    },
    async drop(run) {
      await query("delete from wavepoint_claims where run = $1 and holder = $2", [run, holder]);
    },
  };
}
