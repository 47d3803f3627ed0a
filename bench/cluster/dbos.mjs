import process from "node:process";
import { DBOS, DBOSClient } from "@dbos-inc/dbos-sdk";
import pg from "pg";

const QUEUE = "orders";
const VERSION = "1";
const logger = { info() {}, debug() {}, warn: console.error, error: console.error };

/** Plain DBOS: a workflow that asks by an event and waits for a message stays alive in its worker until it comes. */
export async function openDbos(database) {
  await prepare(database);
  const dbos = await DBOSClient.create({ systemDatabaseUrl: database, logger });
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  let filled = 0;
  const count = async (sql, ids) => (await client.query(sql, [ids])).rows[0].count === ids.length;
  return {
    start: (id) => dbos.enqueue({ workflowName: "order", workflowClassName: "", queueName: QUEUE, workflowID: id, appVersion: VERSION }),
    isAsked: (ids) => count("select count(*)::integer as count from dbos.workflow_events where workflow_uuid = any($1)", ids),
    answer: (id) => dbos.send(id, "yes", "answer"),
    isCompleted: (ids) =>
      count("select count(*)::integer as count from dbos.workflow_status where workflow_uuid = any($1) and status = 'SUCCESS'", ids),
    list: async () =>
      (await dbos.listWorkflows({ workflowName: "order", status: "PENDING", sortDesc: true, limit: 20, loadInput: false })).length,
    /** Copies one that waits, of a worker that is not there: none of them is in the memory of the worker that is measured. */
    async fill(size) {
      if (filled === 0) {
        await this.start("seed");
        while (!(await this.isAsked(["seed"]))) await new Promise((resolve) => setTimeout(resolve, 5));
      }
      for (const table of ["workflow_status", "operation_outputs", "workflow_events"]) {
        const columns = await client.query(
          "select column_name as name from information_schema.columns where table_schema = 'dbos' and table_name = $1 and is_generated = 'NEVER'",
          [table],
        );
        const value = ({ name }) =>
          name === "workflow_uuid"
            ? "'copy' || n"
            : name === "executor_id"
              ? "'elsewhere'"
              : name === "created_at"
                ? "created_at - n"
                : `"${name}"`;
        const names = columns.rows.map(({ name }) => `"${name}"`).join(", ");
        await client.query(
          `insert into dbos.${table} (${names}) select ${columns.rows.map(value).join(", ")} from dbos.${table}, generate_series(${filled + 1}, ${size}) as n where workflow_uuid = 'seed'`,
        );
      }
      await client.query("vacuum analyze");
      filled = size;
    },
    async bytesOfRun() {
      const sql =
        "select (sum(pg_total_relation_size(c.oid)) / (select count(*) from dbos.workflow_status))::integer as bytes from pg_class c join pg_namespace n on n.oid = relnamespace where nspname = 'dbos' and relkind = 'r'";
      return (await client.query(sql)).rows[0].bytes;
    },
    async close() {
      await dbos.destroy();
      await client.end();
    },
  };
}

function configure(database) {
  DBOS.registerWorkflow(
    async () => {
      await DBOS.runStep(async () => ({ echoed: "before" }), { name: "before" });
      await DBOS.setEvent("question", "Go on?");
      const answer = await DBOS.recv("answer", 86_400);
      await DBOS.runStep(async () => ({ echoed: answer }), { name: "after" });
      return answer;
    },
    { name: "order", className: "" },
  );
  DBOS.setConfig({ name: "plain", systemDatabaseUrl: database, applicationVersion: VERSION, executorID: "worker", logger });
}

/** Makes the tables. */
async function prepare(database) {
  configure(database);
  await DBOS.launch();
  await DBOS.shutdown({ deregister: true });
}

async function work(database) {
  configure(database);
  await DBOS.launch();
  await DBOS.registerQueue(QUEUE, { minPollingIntervalMs: 20, onConflict: "always_update" });
  // With what measures it, it ends.
  process.once("disconnect", () => process.exit(0));
  process.send("ready");
  await new Promise((resolve) => process.once("SIGTERM", resolve));
  await DBOS.shutdown();
  process.exit(0);
}

if (process.argv[2] === "worker" && process.argv[1].endsWith("dbos.mjs")) await work(process.argv[3]);
