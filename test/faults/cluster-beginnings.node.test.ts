import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createExecutor } from "wavepoint";
import { openCluster } from "wavepoint/cluster/dbos";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { clusterBlocks, CLUSTER_WORKFLOWS } from "../support/cluster-runs.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres-server.ts";

// DBOS makes its tables in steps, and builds some indexes while others work.
describe.skipIf(!hasPostgres)("a database without tables", () => {
  let server: PostgresServer;
  let built: BuiltProcess;
  let folder: string;
  beforeAll(async () => {
    server = await startPostgres();
    built = await buildProcess(new URL("processes/cluster-worker.ts", import.meta.url));
    folder = mkdtempSync(join(tmpdir(), "wavepoint-cluster-"));
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    built.remove();
    rmSync(folder, { recursive: true });
  });

  function startWorker(address: string) {
    const child = spawn(process.execPath, [built.script, address, join(folder, "ledger"), "5000"], { stdio: ["ignore", "pipe", "pipe"] });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const ready = new Promise<string>((resolve) => {
      child.stdout.once("data", () => resolve("ready"));
      child.once("exit", () => resolve(`ended: ${errors}`));
    });
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await gone;
    });
    return { child, ready, gone };
  }

  async function connect(address: string) {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }

  /** A run is started here, and a worker brings it to its question. */
  async function runGoesOn(address: string, begin: () => { readonly ready: Promise<string> }): Promise<void> {
    const store = await openCluster(address);
    const executor = createExecutor({ store, workflows: CLUSTER_WORKFLOWS, blocks: clusterBlocks(join(folder, "ledger"), "here") });
    const run = await executor.start("trip");
    expect(await begin().ready).toBe("ready");
    expect((await run.settled()).status).toBe("paused");
    await executor.close();
    await store.close();
  }

  test("several processes begin on it at the same time", async () => {
    const address = server.newPlace();
    const [first, ...others] = [startWorker(address), startWorker(address), startWorker(address)];
    expect(await Promise.all(others.map(({ ready }) => ready))).toEqual(["ready", "ready"]);
    await runGoesOn(address, () => first!);
  }, 60_000);

  test("a process that is killed while it makes the tables leaves the rest to the next one", async () => {
    const address = server.newPlace();
    const other = await connect(address);
    // An index that is built while others work waits for transactions that began before.
    await other.query("begin isolation level repeatable read");
    await other.query("select 1 from pg_class limit 1");
    const killed = startWorker(address);
    const looker = await connect(address);
    const building = "select 1 from pg_stat_activity where query ilike 'create index concurrently%' and wait_event = 'virtualxid'";
    await expect.poll(async () => (await looker.query(building)).rows).toHaveLength(1);
    killed.child.kill("SIGKILL");
    await killed.gone;
    await other.query("rollback");

    await runGoesOn(address, () => startWorker(address));
  }, 60_000);
});
