import { existsSync, readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { isWorkflowError, type Store } from "wavepoint";
import { openStore } from "wavepoint/store/open";
import { postgresStore, type PostgresPool } from "wavepoint/store/postgres";
import { runWriter } from "wavepoint/testing";
import { checkpointRow } from "../../src/testing/conformance/writer.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres-server.ts";

const WAITS_FOR_LOCK = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";

describe.skipIf(!hasPostgres)("a Postgres server that many use", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server.stop());

  function makePool(connectionString: string, options: pg.PoolConfig = {}): pg.Pool {
    const pool = new pg.Pool({ connectionString, ...options });
    pool.on("error", () => {});
    onTestFinished(() => pool.end());
    return pool;
  }

  /** An address whose connections have a setting of their own. */
  function placeWith(setting: string): string {
    const url = new URL(server.newPlace());
    url.searchParams.set("options", `${url.searchParams.get("options")} -c ${setting}`);
    return url.href.replaceAll("+", "%20");
  }

  /** A connection whose transactions the store does not see: they stand for its own, which last. */
  const lasting = (connection: pg.PoolClient): PostgresPool => ({ query: (text, values) => connection.query(text, values) });

  const rowsOf = async (pool: pg.Pool, run: string): Promise<readonly unknown[]> => {
    const tables = ["entries", "checkpoints", "notes"].map((table) => `select '${table}' as rows from wavepoint_${table} where run = $1`);
    const { rows } = await pool.query(`${tables.join(" union all ")} union all select 'search' from wavepoint_search where id = $1`, [run]);
    return rows;
  };

  test("D8: a run that is deleted while a commit and a draft are on their way leaves nothing behind, and its name can be used again", async () => {
    const pool = makePool(server.newPlace());
    const store = postgresStore(pool);
    const writer = runWriter(store, "run_a");
    await writer.commit(["0"]);
    // A writer whose transactions last, as on a server that is busy.
    const slow = await pool.connect();
    const late = postgresStore(lasting(slow));
    await late.head("run_a");
    await slow.query("begin");
    await runWriter(late, "run_a", writer.head).commit(["1"], {
      head: { search: { customer: 1 } },
      checkpoints: [checkpointRow("run_a", 1)],
    });
    await late.putNote("run_a", "draft.0", "typed");
    const deleting = store.delete("run_a");
    await expect.poll(async () => (await pool.query(WAITS_FOR_LOCK)).rows).toHaveLength(1);
    await slow.query("commit");
    slow.release();
    await deleting;
    expect(await rowsOf(pool, "run_a")).toEqual([]);
    expect((await store.checkpoints()).items).toEqual([]);
    await runWriter(store, "run_a").commit(["again"]);
    expect([await store.read("run_a"), await store.notes("run_a")]).toEqual([["again"], []]);
  });

  test("D8: a run that takes the name of one that is being deleted keeps what is its own", async () => {
    const pool = makePool(server.newPlace());
    const store = postgresStore(pool);
    await store.runs();
    const slow = await pool.connect();
    const deleter = postgresStore(lasting(slow));
    await deleter.runs();
    for (let turn = 0; turn < 2; turn += 1) {
      await slow.query("begin");
      await deleter.delete("run_a");
      const writing = runWriter(store, "run_a").commit(["0"]);
      if (turn === 0) await writing;
      await slow.query("commit");
      await writing;
      expect(await store.read("run_a")).toEqual(["0"]);
      // In the first turn there was none to delete.
      if (turn > 0) continue;
      await store.delete("run_a");
      await runWriter(store, "run_a").commit(["old"]);
    }
    slow.release();
  });

  test("D8: a deletion that found no run takes nothing of one that has come to its name meanwhile", async () => {
    const pool = makePool(server.newPlace());
    const store = postgresStore(pool);
    await store.runs();
    // What deletes from the tables of a run waits here, after having looked for the run itself.
    const holding = await pool.connect();
    await holding.query("begin");
    await holding.query("lock table wavepoint_search in share mode");
    let isOver = false;
    const deleting = store.delete("run_a").then(() => void (isOver = true));
    await expect.poll(async () => isOver || (await pool.query(WAITS_FOR_LOCK)).rows.length === 1).toBe(true);
    await runWriter(store, "run_a").commit(["0"]);
    await store.putNote("run_a", "draft.0", "typed");
    await holding.query("commit");
    holding.release();
    await deleting;
    expect([await store.read("run_a"), await store.notes("run_a")]).toEqual([["0"], [{ key: "draft.0", text: "typed" }]]);
  });

  test.skipIf(!existsSync("/proc/net/tcp"))("a pool that the store opens itself notices a server that is gone", async () => {
    const address = server.newPlace();
    const store = await openStore(address);
    onTestFinished(() => store.close());
    const end = store.watch!(() => {});
    onTestFinished(end);
    await store.runs();
    const port = Number(new URL(address).port).toString(16).toUpperCase().padStart(4, "0");
    const timers = (): ReadonlySet<string> => {
      const rows = readFileSync("/proc/net/tcp", "utf8")
        .split("\n")
        .map((row) => row.trim().split(/\s+/));
      // Established, to the port of the server.
      const ours = rows.filter(([, , to, state]) => to?.endsWith(`:${port}`) && state === "01");
      return new Set(ours.map((row) => row[5]!.split(":")[0]!));
    };
    // The timer that asks now and then whether the other end is there.
    await expect.poll(timers).toEqual(new Set(["02"]));
  });

  test("D1: a commit, a blob and a deletion are on the disk though the role asks for less", async () => {
    const address = placeWith("synchronous_commit=off");
    const pool = makePool(address);
    expect((await pool.query("show synchronous_commit")).rows).toEqual([{ synchronous_commit: "off" }]);
    const store = postgresStore(pool);
    const writer = runWriter(store, "run_a");
    for (const crash of [() => writer.commit(["0"]), () => store.putBlob("f00d", "text"), () => store.delete("run_gone")]) {
      await runWriter(store, "run_gone")
        .commit([])
        .catch(() => {});
      // What was written before is on the disk by now, so that only what comes next is at stake.
      await pool.query("checkpoint");
      await crash();
      await server.crash();
    }
    const again = postgresStore(makePool(address));
    expect([await again.read("run_a"), await again.getBlob("f00d"), await again.head("run_gone")]).toEqual([["0"], "text", undefined]);
  });

  test.each(["repeatable read", "serializable"])(
    "D8: under %s, who comes second gets STORE_CONFLICT and nothing else",
    async (isolation) => {
      const pool = makePool(placeWith(`default_transaction_isolation=${isolation.replace(" ", "\\ ")}`), { max: 8 });
      expect((await pool.query("show transaction_isolation")).rows).toEqual([{ transaction_isolation: isolation }]);
      const stores = Array.from({ length: 6 }, () => postgresStore(pool));
      await runWriter(stores[0]!, "run_a").commit([]);
      const codes = new Set<string>();
      let made = 0;
      for (let round = 0; round < 20; round += 1) {
        const head = await stores[0]!.head("run_a");
        const outcomes = stores.map(async (store, number) => {
          try {
            await runWriter(store, "run_a", head).commit([`${round} ${number}`]);
            made += 1;
          } catch (error) {
            codes.add(isWorkflowError(error) ? error.code : String(error));
          }
        });
        const noting = stores.map((store, number) => store.putNote("run_a", `draft.${number}`, `${round}`));
        await Promise.all([...outcomes, ...noting, stores[1]!.claim("run_a"), stores[2]!.claim("run_a")]);
      }
      expect([...codes]).toEqual(["STORE_CONFLICT"]);
      expect([made, (await stores[0]!.read("run_a")).length, (await stores[0]!.notes("run_a")).length]).toEqual([20, 20, 6]);
      for (const store of stores) await store.close();
    },
  );

  test("drafts that are put one after another stay in this order, over however many connections", async () => {
    const pool = makePool(server.newPlace());
    let count = 0;
    const store = postgresStore({
      // The first takes longest.
      async query(text, values) {
        if (text.includes("into wavepoint_notes")) await new Promise((resolve) => setTimeout(resolve, 30 - 10 * (count += 1)));
        return pool.query(text, values);
      },
    });
    await runWriter(store, "run_a").commit(["0"]);
    await Promise.all(["a", "ab", "abc"].map((text) => store.putNote("run_a", "draft.0", text)));
    expect(await store.notes("run_a")).toEqual([{ key: "draft.0", text: "abc" }]);
  });

  test("a server that only reads is STORE_LOST: another one takes its place", async () => {
    const pool = makePool(server.newPlace(), { max: 1 });
    const store = postgresStore(pool);
    await runWriter(store, "run_a").commit(["0"]);
    await pool.query("set default_transaction_read_only = on");
    await expect(runWriter(store, "run_b").commit(["0"])).rejects.toMatchObject({ code: "STORE_LOST" });
    expect(await store.read("run_a")).toEqual(["0"]);
  });

  test("a listener that cannot begin, or breaks, is made anew", async () => {
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const pool: PostgresPool = makePool(server.newPlace());
    let tries = 0;
    let call = (): void => {};
    const store = postgresStore(pool, {
      async listen(_, called) {
        if ((tries += 1) === 1) throw new Error("not yet");
        call = () => called("");
        return async () => {};
      },
    });
    const changed: (string | undefined)[] = [];
    const failed = vi.fn();
    store.watch!((run) => changed.push(run), failed);
    await expect.poll(() => failed).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tries).toBe(2);
    await runWriter(postgresStore(pool), "run_a").commit(["0"]);
    call();
    await expect.poll(() => changed).toContain("run_a");
    await store.close();

    const address = server.newPlace();
    const watching: Store = await openStore(address);
    onTestFinished(() => watching.close());
    const seen: (string | undefined)[] = [];
    watching.watch!((run) => seen.push(run));
    const other = makePool(address);
    const writer = runWriter(await openStore(address), "run_b");
    const listeners = async (): Promise<readonly number[]> => {
      const { rows } = await other.query<{ pid: number }>("select pid from pg_stat_activity where query like 'listen %'");
      return rows.map(({ pid }) => pid);
    };
    await expect.poll(listeners).toHaveLength(1);
    const [broken] = await listeners();
    await other.query("select pg_terminate_backend($1)", [broken]);
    // The one that was ended may be listed for a moment.
    await expect.poll(listeners).toEqual([expect.not.toBeOneOf([broken])]);
    await writer.commit(["0"]);
    await expect.poll(() => seen).toContain("run_b");
  });
});
