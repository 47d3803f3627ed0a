import { PGlite } from "@electric-sql/pglite";
import Database from "libsql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createExecutor, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { postgresStore } from "wavepoint/store/postgres";
import { sqliteStore } from "wavepoint/store/sqlite";
import { fakeHost, runWriter } from "wavepoint/testing";
import { BACK_TO_VERSION_1 } from "./older-sqlite-tables.ts";

let postgres: PGlite;
beforeAll(async () => {
  postgres = await PGlite.create();
}, 120_000);
afterAll(() => postgres.close());

/** Makes of the tables of today those of version 1, which knew of no search. */
const BACK_TO_VERSION_1_POSTGRES = [
  "drop table wavepoint_search",
  "alter table wavepoint_runs drop column search",
  "update wavepoint_version set version = 1",
  "drop function wavepoint_commit(text)",
  "create function wavepoint_commit(c json) returns json language sql as 'select null::json'",
];

function onSqlite(): { open(): Store; change(sql: string): void } {
  const database = new Database(":memory:");
  return { open: () => sqliteStore(database), change: (sql) => void database.exec(sql) };
}

function onPostgres(): { open(): Store; change(sql: string): Promise<unknown> } {
  return { open: () => postgresStore(postgres), change: (sql) => postgres.exec(sql) };
}

test.each([
  ["SQLite", onSqlite, BACK_TO_VERSION_1],
  ["Postgres", onPostgres, BACK_TO_VERSION_1_POSTGRES],
])("%s: tables from before runs were found by values are brought up to date, with all they hold", async (_, place, back) => {
  const { open, change } = place();
  const before = open();
  const writer = runWriter(before, "run_a");
  await writer.commit(["0"], { head: { status: "paused" } });
  await before.putNote("run_a", "draft.0", "typed");
  for (const sql of back) await change(sql);

  const store = open();
  expect([await store.read("run_a"), await store.head("run_a")]).toEqual([["0"], writer.head]);
  expect(await store.notes("run_a")).toEqual([{ key: "draft.0", text: "typed" }]);
  expect((await store.runs({ where: { plan: "team" } })).items).toEqual([]);
  const again = runWriter(store, "run_a", writer.head);
  await again.commit(["1"], { head: { status: "running", search: { plan: "team" } } });
  expect((await store.runs({ where: { plan: "team" } })).items).toEqual([again.head]);
  await again.commit(["2"], { head: { status: "completed", search: { plan: "solo" } } });
  expect((await store.runs({ where: { plan: "team" } })).items).toEqual([]);
  expect((await store.runs({ where: { plan: "solo" } })).items).toEqual([again.head]);
  await store.close();
});

test("a run goes on with the definition it was started with: it is found by values once it is moved to one that has search", async () => {
  const plain = { name: "order", blocks: [{ id: "dish", type: "GetInput", inputs: { prompt: "What?" } }] };
  const found = { ...plain, search: { dish: "${blocks.dish.outputs.input_value}", kind: "order" } };
  const store = memoryStore();
  const executor = (workflow: typeof plain) =>
    createExecutor({ store, workflows: [workflow], host: fakeHost({ seed: 1, autoAdvance: true }) });
  const first = executor(plain);
  const runs = [];
  for (const id of ["stays", "moves"]) {
    const run = await first.start("order", {}, { id });
    await run.settled();
    runs.push(run.id);
  }
  await first.close();

  const second = executor(found);
  for (const id of runs) {
    const run = await second.open(id);
    if (id === "run_moves") await run.resume({ definition: "latest" });
    const { pauses } = await run.settled();
    await run.answer(pauses![0]!.id, "soup");
  }
  expect((await second.runs.list({ status: "completed" })).items).toHaveLength(2);
  const ids = (await second.runs.list({ where: { dish: "soup", kind: "order" } })).items.map(({ id }) => id);
  expect(ids).toEqual(["run_moves"]);
  await second.close();
});
