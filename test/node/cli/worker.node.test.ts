import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createExecutor } from "wavepoint";
import { openCluster } from "wavepoint/cluster/dbos";
import { loadWorkflow } from "wavepoint/yaml";
import { hasPostgres, startPostgres } from "../../support/postgres-server.ts";
import { buildCommand, type BuiltCommand } from "./built-command.ts";

const SLEEP = `name: sleep
schedule: { cron: "0 8 * * *" }
blocks:
  - { id: rest, type: Wait, inputs: { duration_ms: 1500 } }
outputs: { said: "awake" }
`;

let wavepoint: BuiltCommand;
beforeAll(() => {
  wavepoint = buildCommand();
  wavepoint.write("sleep.yaml", SLEEP);
}, 120_000);
afterAll(() => wavepoint.remove());

test("D23: a worker goes on with what a killed process left, and ends when it is interrupted", async () => {
  const killed = wavepoint.start("run", "sleep.yaml");
  await killed.said("rest");
  killed.process.kill("SIGKILL");
  await killed.ended;
  const worker = wavepoint.start("worker", ".");
  await worker.said("with a schedule: 1");
  await worker.said("completed");
  worker.process.kill("SIGINT");
  const { code, err } = await worker.ended;
  expect(code, err).toBe(0);
  expect(err).toMatch(/run_[a-z0-9]+ completed/);
});

test("a worker says which file cannot be read, and works for the others", async () => {
  wavepoint.write("broken.yaml", SLEEP.replace("0 8", "0 25").replace("name: sleep", "name: broken"));
  const worker = wavepoint.start("worker", ".");
  await worker.said("with a schedule: 1");
  worker.process.kill("SIGINT");
  const { code, err } = await worker.ended;
  expect(code, err).toBe(0);
  expect(err).toContain('The schedule "0 25 * * *" cannot be read');
});

test.skipIf(!hasPostgres)("a worker of a cluster executes what another process only recorded", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.stop());
  const address = postgres.newPlace();
  const worker = wavepoint.start("worker", ".", "--store", address, "--cluster");
  await worker.said("with a schedule: 1");
  const store = await openCluster(address);
  const executor = createExecutor({ store, workflows: [loadWorkflow(SLEEP)] });
  const run = await executor.start("sleep");
  expect(await run.settled()).toMatchObject({ status: "success", outputs: { said: "awake" } });
  await worker.said(`${run.id} completed`);
  await executor.close();
  await store.close();
  worker.process.kill("SIGTERM");
  const { code, err } = await worker.ended;
  expect(code, err).toBe(0);
  const files = wavepoint.start("worker", ".", "--cluster");
  expect((await files.ended).err).toContain("--cluster needs a Postgres database");
});
