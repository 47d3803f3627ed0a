import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Store } from "wavepoint";
import { openStore } from "wavepoint/store/open";
import { redisStore, type RedisValue } from "wavepoint/store/redis";
import { runWriter, storeConformance } from "wavepoint/testing";
import { checkpointRow } from "../../src/testing/conformance/writer.ts";
import { startCuttingProxy } from "../support/cutting-proxy.ts";
import { freezable } from "../support/freezable.ts";
import { freePort } from "../support/free-port.ts";
import { hasRedis, startRedis, type RedisServer } from "../support/redis-server.ts";

const LEASE_MS = 3_000;

/** A server of the system's packages; without one these tests are left out. */
describe.skipIf(!hasRedis)("a Redis server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  const cases = storeConformance(
    async () => {
      const prefix = server.newPrefix();
      const opened = new Map<Store, { readonly redis: Redis; freeze(): () => void }>();
      return {
        async open() {
          const redis = new Redis(server.port);
          const { client, freeze } = freezable({
            call: (command: string, values: RedisValue[]) => redis.call(command, values as string[]),
            getBuffer: (key: string) => redis.getBuffer(key),
          });
          const store = redisStore(
            {
              call: (...asked) => client.call(...asked),
              getBuffer: (...asked) => client.getBuffer(...asked),
              duplicate: () => redis.duplicate(),
            },
            { prefix, leaseMs: LEASE_MS },
          );
          opened.set(store, { redis, freeze });
          return store;
        },
        freeze: async (store) => opened.get(store)!.freeze(),
        async dispose() {
          for (const { redis } of opened.values()) redis.disconnect();
        },
      };
    },
    { leaseMs: LEASE_MS },
  );
  for (const { name, run } of cases) test(name, run, 60_000);

  /** Clients that are closed behind the test. */
  async function withClient(use: (redis: Redis) => Promise<void>, port = server.port): Promise<void> {
    const redis = new Redis(port);
    try {
      await use(redis);
    } finally {
      redis.disconnect();
    }
  }

  test("keys of a newer version are refused and left as they are", () =>
    withClient(async (redis) => {
      await redis.set("{newer}:version", 99);
      await expect(redisStore(redis, { prefix: "newer" }).head("run_a")).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringContaining("version 99"),
      });
      expect(await redis.keys("{newer}*")).toEqual(["{newer}:version"]);
    }));

  test("keys of the version before are brought up to date, with all they hold", () =>
    withClient(async (redis) => {
      const before = redisStore(redis, { prefix: "older" });
      const writers = [runWriter(before, "run_a"), runWriter(before, "run_b")];
      await writers[0]!.commit(["0", "1"]);
      await writers[0]!.commit(["2"], { base: { at: 2, text: "base" } });
      await writers[1]!.commit(["other"], { head: { status: "paused" } });
      // A run had a field for each thing it stands by.
      for (const id of ["run_a", "run_b"]) {
        const [numbers, listed, wrote] = (await redis.hget(`{older}:run:${id}`, "stands"))!.split("\n");
        const [revision, epoch, entries, base, changedAt] = numbers!.split(" ");
        const fields = { revision, epoch, entries, base: base === "0" ? "" : base, changedAt, listed, writers: wrote };
        await redis.hdel(`{older}:run:${id}`, "stands");
        for (const [name, value] of Object.entries(fields)) await redis.hset(`{older}:run:${id}`, name, value!);
      }
      await redis.set("{older}:version", 1);

      const store = redisStore(redis, { prefix: "older" });
      expect([await store.read("run_a"), await store.read("run_b")]).toEqual([["base", "2"], ["other"]]);
      const again = writers.map(({ head }, index) => runWriter(store, ["run_a", "run_b"][index]!, head));
      await again[0]!.commit(["3"]);
      await again[1]!.commit(["more"], { head: { status: "completed" } });
      expect((await store.runs({ status: "completed" })).items).toEqual([again[1]!.head]);
      expect((await store.runs({ status: "paused" })).items).toEqual([]);
      await store.delete("run_a");
      expect((await store.runs()).items).toEqual([again[1]!.head]);
      expect(await redis.get("{older}:version")).toBe("2");
      expect((await redis.hkeys("{older}:run:run_b")).toSorted()).toEqual(["head", "stands"]);
    }));

  test.each([
    [["appendonly", "no"], "has no append-only file"],
    [["appendfsync", "everysec"], "less often: everysec"],
    [["no-appendfsync-on-rewrite", "yes"], "does not sync while it rewrites"],
    [["maxmemory", "1gb", "maxmemory-policy", "allkeys-lru"], "removes keys when it is full"],
  ])("a server that keeps less than was asked for is refused: %j", async (settings, message) => {
    await withClient(async (redis) => {
      await redis.config("SET", ...(settings as [string, string]));
      const prefix = server.newPrefix();
      await expect(redisStore(redis, { prefix }).runs()).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringContaining(message),
      });
      await redisStore(redis, { prefix, appendfsync: "unchecked" }).runs();
      await redis.config("SET", "appendonly", "yes", "appendfsync", "always", "no-appendfsync-on-rewrite", "no", "maxmemory", "0");
      await redis.config("SET", "maxmemory-policy", "noeviction");
      await redisStore(redis, { prefix }).runs();
    });
  });

  test("what is asked for may be less, and the store says so", () =>
    withClient(async (redis) => {
      await redis.config("SET", "appendfsync", "everysec");
      const store = await openStore(`${server.newPlace()}&appendfsync=everysec`);
      await runWriter(store, "run_a").commit(["{}"]);
      expect(store.durable).toBe(true);
      await store.close();
      await redis.config("SET", "appendfsync", "always");
      expect(redisStore(redis, { appendfsync: "no" }).durable).toBe(false);
    }));

  test("a server that tells nothing of its settings is refused, with the way to say what it keeps", () =>
    withClient(async (redis) => {
      await redis.call("acl", ["setuser", "app", "on", "nopass", "~*", "&*", "+@all", "-config"]);
      const client = new Redis(server.port, { username: "app", password: "any" });
      await expect(redisStore(client).runs()).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringContaining("unchecked"),
      });
      await redisStore(client, { appendfsync: "unchecked", prefix: server.newPrefix() }).runs();
      client.disconnect();
    }));

  test("a server without room refuses commits as a whole, and takes them again when runs were deleted", async () => {
    const small = await startRedis("--maxmemory", "4mb", "--maxmemory-policy", "noeviction");
    await withClient(async (redis) => {
      const store = redisStore(redis);
      const text = "x".repeat(100_000);
      const writers = Array.from({ length: 40 }, (_, number) => runWriter(store, `run_${number}`));
      let refused: unknown;
      for (const [number, writer] of writers.entries()) {
        try {
          await writer.commit([text], { checkpoints: [checkpointRow(`run_${number}`, 0)] });
        } catch (error) {
          refused = error;
          expect(await store.head(`run_${number}`)).toBeUndefined();
          break;
        }
      }
      expect(refused).toMatchObject({ code: "STORE_QUOTA" });
      const { items } = await store.runs();
      expect(items.length).toBe((await store.checkpoints()).items.length);
      for (const { id } of items) expect(await store.read(id)).toEqual([text]);
      for (const { id } of items) await store.delete(id);
      await runWriter(store, "run_a").commit([text]);
      await store.close();
    }, small.port);
    await small.stop();
  });

  test("injected texts stay texts", () =>
    withClient(async (redis) => {
      const prefix = server.newPrefix();
      const store = redisStore(redis, { prefix });
      const evil = `"}'); redis.call('FLUSHALL') --[[ \r\n*1\r\n$8\r\nFLUSHALL\r\n`;
      const writer = runWriter(store, "run_a");
      const row = checkpointRow("run_a", 0, { workflow: evil });
      await writer.commit([evil], { head: { workflow: evil, label: evil }, checkpoints: [row] });
      await store.putNote("run_a", "draft.0", evil);
      expect(await store.read("run_a")).toEqual([evil]);
      expect((await store.runs()).items).toEqual([writer.head]);
      expect((await store.checkpoints()).items).toEqual([row]);
      expect((await store.notes("run_a")).map(({ text }) => text)).toEqual([evil]);
      await store.delete("run_a");
      expect(await redis.keys(`{${prefix}}*`)).toEqual([`{${prefix}}:version`]);
    }));

  test("lists read what they show: a page of a long list costs no more than a page of a short one", () =>
    withClient(async (redis) => {
      const store = redisStore(redis, { prefix: server.newPrefix() });
      const commits = Array.from({ length: 3_000 }, (_, number) =>
        // All at the same moment: the place of a page is found among them by name.
        runWriter(store, `run_${number}`).commit([], { head: { changedAt: 5 }, checkpoints: [checkpointRow(`run_${number}`, number)] }),
      );
      await Promise.all(commits);
      await redis.config("RESETSTAT");
      const { items } = await store.runs({ limit: 5, after: "5 run_2000" });
      expect(items.map(({ id }) => id)).toEqual(["run_200", "run_20", "run_2", "run_1999", "run_1998"]);
      await store.runs({ limit: 5, after: "5 run_2000", oldestFirst: true, workflow: "conformance" });
      await store.checkpoints({ limit: 5 });
      const calls = [...(await redis.info("commandstats")).matchAll(/cmdstat_(z\w+|hget):calls=(\d+)/g)].map(([, , count]) =>
        Number(count),
      );
      expect(calls.length).toBeGreaterThan(2);
      expect(calls.reduce((sum, count) => sum + count, 0)).toBeLessThan(150);
      await store.close();
    }));

  test("a commit that the client sent twice, as its connection broke behind the first, is made once and refused to no one", async () => {
    const proxy = await startCuttingProxy(server.port);
    await withClient(async (redis) => {
      const store = redisStore(redis, { prefix: server.newPrefix() });
      const writer = runWriter(store, "run_a");
      await writer.commit(["0"]);
      for (let count = 1; count <= 10; count += 1) {
        proxy.cutBehindNextRequest();
        await writer.commit([String(count)]);
      }
      expect(proxy.cuts()).toBe(10);
      expect(await store.read("run_a")).toEqual(Array.from({ length: 11 }, (_, count) => String(count)));
      await store.close();
    }, proxy.port);
    proxy.stop();
  });

  test("D8: a commit that is sent again is known, though others wrote meanwhile; so is a claim", async () => {
    const proxy = await startCuttingProxy(server.port);
    const prefix = server.newPrefix();
    await withClient(async (other) =>
      withClient(async (redis) => {
        const [store, elsewhere] = [redisStore(redis, { prefix }), redisStore(other, { prefix })];
        let writer = runWriter(store, "run_a");
        await writer.commit(["0"]);
        const entries = ["0"];
        for (let round = 1; round <= 5; round += 1) {
          proxy.cutBehindNextRequest(async () => {
            await runWriter(elsewhere, "run_a", await elsewhere.head("run_a")).commit([`theirs ${round}`]);
          });
          await writer.commit([`ours ${round}`]);
          entries.push(`ours ${round}`, `theirs ${round}`);
          expect(await store.read("run_a")).toEqual(entries);
          await expect(writer.commit(["late"])).rejects.toMatchObject({ code: "STORE_CONFLICT" });
          writer = runWriter(store, "run_a", await store.head("run_a"));
        }
        // A command before, so that the script of claims is known to the server and the next request is the claim itself.
        await (await store.claim("run_b"))!();
        proxy.cutBehindNextRequest();
        const release = await store.claim("run_a");
        expect(release).toBeTypeOf("function");
        expect([await store.claim("run_a"), await elsewhere.claim("run_a")]).toEqual([undefined, undefined]);
        await release!();
        expect(await elsewhere.claim("run_a")).toBeTypeOf("function");
        expect(proxy.cuts()).toBe(6);
        await store.close();
        await elsewhere.close();
      }, proxy.port),
    );
    proxy.stop();
  });

  test("D8: a commit of any size is made whole: as many drafts and rows as there may be", () =>
    withClient(async (redis) => {
      const store = redisStore(redis, { prefix: server.newPrefix() });
      const writer = runWriter(store, "run_a");
      await writer.commit(["0"]);
      const keys = Array.from({ length: 10_000 }, (_, number) => `draft.${number}`);
      await store.putNote("run_a", keys.at(-1)!, "typed");
      const rows = keys.map((_, number) => checkpointRow("run_a", number));
      await writer.commit(["1"], { dropNotes: keys, checkpoints: rows });
      await writer.commit(["2"], { forgotten: rows });
      expect([await store.read("run_a"), await store.notes("run_a"), (await store.checkpoints()).items]).toEqual([["0", "1", "2"], [], []]);
      await store.close();
    }));

  test("D1: what was acknowledged is there after the server died while many wrote, and they go on", async () => {
    const store = await openStore(server.newPlace());
    const onChange = vi.fn();
    store.watch!(onChange);
    const writers = Array.from({ length: 8 }, (_, number) => runWriter(store, `run_${number}`));
    const acknowledged = writers.map(() => 0);
    let isCrashing = true;
    const writing = writers.map(async (writer, number) => {
      for (; isCrashing; acknowledged[number]! += 1) await writer.commit([String(acknowledged[number])]);
    });
    for (let crashes = 0; crashes < 3; crashes += 1) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await server.crash();
    }
    const before = [...acknowledged];
    await expect.poll(() => acknowledged.every((count, number) => count > before[number]!)).toBe(true);
    isCrashing = false;
    await Promise.all(writing);
    for (const [number, count] of acknowledged.entries()) {
      expect(await store.read(`run_${number}`)).toEqual(Array.from({ length: count }, (_, index) => String(index)));
    }
    // A store that lost its connection may have missed something.
    await expect.poll(() => onChange).toHaveBeenCalledWith(undefined);
    await store.close();
  });

  test("a server that cannot be reached is STORE_LOST, and nothing is left waiting", async () => {
    const redis = new Redis(1, { maxRetriesPerRequest: 1, retryStrategy: () => 10 });
    redis.on("error", () => {});
    const store = redisStore(redis);
    await expect(runWriter(store, "run_a").commit(["{}"])).rejects.toMatchObject({ code: "STORE_LOST" });
    await store.close();
    redis.disconnect();
  });

  test("an address says in its error what cannot be: the server, the database, the settings; nothing is left open", async () => {
    const refusal = async (address: string): Promise<unknown> => {
      const store = await openStore(address);
      const error: unknown = await store.head("run_a").catch((thrown: unknown) => thrown);
      await store.close();
      return error;
    };
    expect(await refusal(`redis://127.0.0.1:${await freePort()}`)).toMatchObject({
      code: "STORE_LOST",
      message: expect.stringContaining("connect ECONNREFUSED"),
    });
    // It would be the first database otherwise, in which no one looks for these runs.
    expect(await refusal(`redis://127.0.0.1:${server.port}/99`)).toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(/DB index is out of range\. Nothing was changed\.$/),
    });
    await withClient(async (redis) => {
      const clients = async (): Promise<number> =>
        String(await redis.call("client", ["list"]))
          .trim()
          .split("\n").length;
      await expect.poll(clients).toBe(1);
      await expect(openStore(`redis://127.0.0.1:${server.port}?appendfsync=sometimes`)).rejects.toMatchObject({ code: "POLICY_INVALID" });
      // Behind a store that was opened later, so that the one before would have connected.
      const store = await openStore(server.newPlace());
      await store.head("run_a");
      await store.close();
      await expect.poll(clients).toBe(1);
    });
  }, 60_000);

  test("a user who may not publish is refused before anything is written", () =>
    withClient(async (redis) => {
      const prefix = server.newPrefix();
      await redis.call("acl", ["setuser", "limited", "on", ">limited", `~{${prefix}}*`, "resetchannels", "+@all"]);
      const store = await openStore(`redis://limited:limited@127.0.0.1:${server.port}?prefix=${prefix}`);
      await expect(runWriter(store, "run_a").commit(["0"])).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringContaining(`"&{${prefix}}:changes"`),
      });
      expect(await redis.keys(`{${prefix}}*`)).toEqual([]);
      await redis.call("acl", ["setuser", "limited", `&{${prefix}}:changes`]);
      await runWriter(store, "run_a").commit(["0"]);
      expect(await store.read("run_a")).toEqual(["0"]);
      await store.close();
    }));

  test("a database that could not be taken at first is asked for again", () =>
    withClient(async (redis) => {
      const prefix = server.newPrefix();
      await redis.call("acl", ["setuser", "elsewhere", "on", ">elsewhere", "~*", "&*", "+@all", "-select"]);
      const store = await openStore(`redis://elsewhere:elsewhere@127.0.0.1:${server.port}/1?prefix=${prefix}`);
      await expect(runWriter(store, "run_a").commit(["0"])).rejects.toMatchObject({ code: "STORE_FAILED" });
      await redis.call("acl", ["setuser", "elsewhere", "+select"]);
      await runWriter(store, "run_a").commit(["0"]);
      expect(await store.read("run_a")).toEqual(["0"]);
      expect(await redis.keys(`{${prefix}}*`)).toEqual([]);
      await store.close();
    }));

  test("D1: a commit that only waits in a MULTI of yours is not acknowledged", () =>
    withClient(async (redis) => {
      const store = redisStore(redis, { prefix: server.newPrefix() });
      const writer = runWriter(store, "run_a");
      await writer.commit(["0"]);
      redis.multi({ pipeline: false });
      const refused = { code: "STORE_FAILED", message: expect.stringContaining("A MULTI of yours is open") };
      await expect(writer.commit(["1"])).rejects.toMatchObject(refused);
      await expect(store.head("run_a")).rejects.toMatchObject(refused);
      await redis.discard();
      expect(await store.read("run_a")).toEqual(["0"]);
    }));

  describe("a client that gives numbers as texts, sends commands together and connects late", () => {
    const settings = { stringNumbers: true, enableAutoPipelining: true, lazyConnect: true, keyPrefix: "app:" } as const;
    const changed = storeConformance(
      async () => {
        const prefix = server.newPrefix();
        const clients: Redis[] = [];
        return {
          async open() {
            const client = new Redis(server.port, settings);
            clients.push(client);
            return redisStore(client, { prefix, leaseMs: LEASE_MS });
          },
          async dispose() {
            for (const client of clients) client.disconnect();
          },
        };
      },
      { leaseMs: LEASE_MS },
    );
    for (const { name, run } of changed) test(name, run, 60_000);

    test("who watches hears of each commit of another", async () => {
      const clients = [new Redis(server.port, settings), new Redis(server.port, settings)];
      const [watched, other] = clients.map((client) => redisStore(client, { prefix: "changes" }));
      const changes: (string | undefined)[] = [];
      watched!.watch!((run) => changes.push(run));
      // It listens: what was changed before is reported.
      await expect.poll(() => changes).toContain(undefined);
      await runWriter(other!, "run_a").commit(["0"]);
      await expect.poll(() => changes).toContain("run_a");
      await watched!.close();
      await other!.close();
      for (const client of clients) client.disconnect();
    });
  });

  test("a cluster keeps all keys of a place in one slot", async () => {
    const node = await startRedis("--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1");
    await withClient(async (redis) => {
      await redis.call("cluster", ["addslotsrange", "0", "16383"]);
      await expect.poll(() => redis.call("cluster", ["info"])).toContain("cluster_state:ok");
      const cluster = new Redis.Cluster([{ host: "127.0.0.1", port: node.port }]);
      const store = redisStore(cluster);
      await runWriter(store, "run_a").commit(["{}"], { checkpoints: [checkpointRow("run_a", 0)] });
      await store.putBlob("f00d", "text");
      expect([await store.read("run_a"), await store.getBlob("f00d"), (await store.runs()).items.length]).toEqual([["{}"], "text", 1]);
      await store.close();
      cluster.disconnect();
    }, node.port);
    await node.stop();
  });
});
