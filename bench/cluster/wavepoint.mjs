import process from "node:process";
import pg from "pg";
import { openCluster } from "../../dist/cluster/dbos.js";
import { createExecutor } from "../../dist/index.js";

const WORKFLOW = {
  name: "order",
  blocks: [
    { id: "before", type: "EchoBlock", inputs: { message: "before" } },
    { id: "sure", type: "GetInput", dependsOn: ["before"], inputs: { prompt: "Go on?" } },
    { id: "after", type: "EchoBlock", dependsOn: ["sure"], inputs: { message: "${blocks.sure.input_value}" } },
  ],
  outputs: { said: "${blocks.after.outputs.echoed}" },
};
const SEED = "seed";

/** What records runs and answers, and reads lists: the worker stands in another process. */
export async function openWavepoint(database) {
  const store = await openCluster(database);
  const executor = createExecutor({ store, workflows: [WORKFLOW] });
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  let filled = 0;
  const count = async (ids, status) => {
    const sql = "select count(*)::integer as count from wavepoint_runs where id = any($1) and status = $2";
    return (await client.query(sql, [ids.map((id) => `run_${id}`), status])).rows[0].count === ids.length;
  };
  return {
    start: (id) => executor.start("order", {}, { id }),
    isAsked: (ids) => count(ids, "paused"),
    async answer(id) {
      const run = await executor.open(id);
      await run.refresh();
      await run.answer(run.getSnapshot().pauses[0].id, "yes");
    },
    isCompleted: (ids) => count(ids, "completed"),
    list: async () => (await executor.runs.list({ status: "paused", limit: 20 })).items.length,
    /** Copies a run that waits: rows as real ones, made faster. */
    async fill(size) {
      if (filled === 0) await (await executor.start("order", {}, { id: SEED })).settled();
      const rows = `generate_series(${filled + 1}, ${size}) as n`;
      const renamed = (column) => `replace(${column}, 'run_${SEED}', 'run_copy' || n)`;
      for (const sql of [
        `insert into wavepoint_runs select 'run_copy' || n, workflow, status, called, changed_at - n, revision, epoch, entries, base, ${renamed("head")}, search from wavepoint_runs, ${rows} where id = 'run_${SEED}'`,
        `insert into wavepoint_entries select 'run_copy' || n, place, ${renamed("body")} from wavepoint_entries, ${rows} where run = 'run_${SEED}'`,
        `insert into wavepoint_checkpoints select 'run_copy' || n, kind, number, workflow, created_at - n, entries, sealed from wavepoint_checkpoints, ${rows} where run = 'run_${SEED}'`,
      ])
        await client.query(sql);
      await client.query("vacuum analyze");
      filled = size;
    },
    async bytesOfRun() {
      const { runs, bytes } = await store.usage();
      return Math.round(bytes / runs);
    },
    async close() {
      await executor.close();
      await store.close();
      await client.end();
    },
  };
}

async function work(database) {
  const store = await openCluster(database, { concurrency: 64, pollMs: 20, onWarning: console.error });
  const executor = createExecutor({ store, workflows: [WORKFLOW] });
  const ending = new AbortController();
  process.once("SIGTERM", () => ending.abort());
  const working = executor.recover({ watch: true, signal: ending.signal });
  // With what measures it, it ends.
  process.once("disconnect", () => process.exit(0));
  process.send("ready");
  await working.catch(() => {});
  await executor.close();
  await store.close();
  process.exit(0);
}

if (process.argv[2] === "worker" && process.argv[1].endsWith("wavepoint.mjs")) await work(process.argv[3]);
