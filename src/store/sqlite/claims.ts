import { hostname } from "node:os";
import { isAlive, nameOfProcess } from "../process-name.ts";
import type { LeaseRows } from "../leases.ts";
import type { Connection } from "./connection.ts";
import { NOW } from "./schema.ts";

/** The claims of one store, by the clock of SQLite. Those of a process that has died on this machine count no longer. */
export function claimRows(connection: () => Connection, leaseMs: number): LeaseRows {
  const place = hostname();
  const holder = `${crypto.randomUUID()} ${place} ${nameOfProcess()}`;

  function isFree(row: { readonly holder: string; readonly over: number } | undefined): boolean {
    if (row === undefined || row.over === 1) return true;
    const [, where, ...name] = row.holder.split(" ");
    return where === place && !isAlive(name.join(" "));
  }

  return {
    async take(run) {
      const open = connection();
      return open.writing("relaxed", () => {
        const [row] = open.all<{ readonly holder: string; readonly over: number }>(
          `select holder, until < ${NOW} as over from wavepoint_claims where run = ?`,
          [run],
        );
        if (!isFree(row)) return false;
        open.run(`insert or replace into wavepoint_claims (run, holder, until) values (?, ?, ${NOW} + ?)`, [run, holder, leaseMs]);
        return true;
      });
    },
    async renew(runs) {
      const open = connection();
      const held = "holder = ? and run in (select value from json_each(?))";
      const whose = [holder, JSON.stringify(runs)];
      open.writing("relaxed", () => open.run(`update wavepoint_claims set until = ${NOW} + ? where ${held}`, [leaseMs, ...whose]));
      const rows = open.all<{ readonly run: string }>(`select run from wavepoint_claims where ${held}`, whose);
      return new Set(rows.map(({ run }) => run));
    },
    async drop(run) {
      const open = connection();
      open.writing("relaxed", () => open.run("delete from wavepoint_claims where run = ? and holder = ?", [run, holder]));
    },
  };
}
