import Database from "libsql";
import { createExecutor, type Store, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { sqlQuery, sqlWrite } from "../../examples/recipes/sql.ts";
import { everyStopPoint, stopAt } from "../crash-points/stop-at.ts";

const flow: Workflow = {
  name: "book",
  inputs: { name: { type: "string" } },
  blocks: [
    { id: "add", type: "SqlWrite", inputs: { sql: "INSERT INTO guests VALUES (?)", params: ["${inputs.name}"] } },
    { id: "all", type: "SqlQuery", dependsOn: ["add"], inputs: { sql: "SELECT name FROM guests" } },
  ],
  outputs: { rows: "${blocks.all.outputs.rows}" },
};

function world() {
  const database = new Database(":memory:");
  database.exec("CREATE TABLE guests (name TEXT)");
  return { database, blocks: [sqlQuery(database), sqlWrite(database)] };
}

test("a row is written once wherever the process dies, and values are never a part of a statement", async () => {
  const name = "Ada'); DROP TABLE guests; --";
  let deaths = 0;
  for (const point of everyStopPoint(8)) {
    const { blocks } = world();
    const store: Store = memoryStore();
    const doomed = stopAt(store, point);
    const open = (over: Store) => createExecutor({ store: over, workflows: [flow], blocks, policy: { durability: "sync" } });
    try {
      await (await open(doomed.store).start("book", { name }, { id: "1" })).settled();
    } catch {
      deaths += 1;
    }
    await doomed.quiet();
    const after = open(store);
    const run = (await store.head("run_1")) ? await after.open("1") : await after.start("book", { name }, { id: "1" });
    const result = run.getSnapshot().status === "running" ? await run.resume() : await run.settled();
    expect({ point, rows: result.outputs?.["rows"] }).toEqual({ point, rows: [{ name }] });
  }
  expect(deaths).toBeGreaterThan(2);
});

test("a statement with a reference in it is refused at load", async () => {
  const { blocks } = world();
  const sly: Workflow = {
    ...flow,
    blocks: [{ id: "add", type: "SqlWrite", inputs: { sql: "DELETE FROM guests WHERE name = '${inputs.name}'" } }],
    outputs: {},
  };
  await expect(createExecutor({ store: memoryStore(), blocks }).start(sly, { name: "x" })).rejects.toMatchObject({
    code: "BLOCK_INPUT_INVALID",
  });
});
