import { assertOptions } from "../core/model/assert-options.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { assertStoreKey } from "../core/model/ids.ts";
import type { Store } from "../core/ports/store.ts";
import { assertClient } from "./assert-client.ts";
import { checkCommit, storeClosed } from "./check-commit.ts";
import { inOrder } from "./in-order.ts";
import { leasesIn, leaseTime } from "./leases.ts";
import { readRange } from "./read-range.ts";
import { foreignChanges, messageOf } from "./redis/changes.ts";
import { claimRows } from "./redis/claims.ts";
import { writeCommit } from "./redis/commits.ts";
import { type Connection, connectionOver, type RedisClient } from "./redis/connection.ts";
import { listRows, listRuns } from "./redis/lists.ts";
import { openClient } from "./redis/open-client.ts";
import { type Appendfsync, APPENDFSYNC, prepareServer } from "./redis/prepare.ts";
import {
  DELETE_RUN,
  KEEP,
  PUT_NOTE,
  READ_ENTRIES,
  READ_NOTES,
  REMOVE_NOTE,
  SWEEP_BLOBS,
  SWEEP_CACHE,
  COUNT_RUNS,
} from "./redis/scripts.ts";
import { damaged, readHead } from "./stored-head.ts";
import { readText, storedText } from "./stored-text.ts";
import { noWatchers } from "./watchers.ts";
import { withConnection } from "./with-connection.ts";
import { RUN_STATUSES } from "../core/model/run.ts";

export type { RedisClient, RedisSubscriber, RedisValue } from "./redis/connection.ts";
export type { Appendfsync } from "./redis/prepare.ts";

/** How a {@link redisStore} works. */
export interface RedisStoreOptions {
  /** What all keys begin with, in braces: 1 to 128 letters, digits, `_`, `.` or `-`, a letter or digit first. Default: `wavepoint`. */
  readonly prefix?: string;
  /**
   * The least that the server must do with its append-only file before it acknowledges: sync it (`always`), or sync it once a second (`everysec`: a power cut
   * takes the last second), or nothing (`no`: what is stored lasts as long as the server). The store asks the server, and refuses one that does less or that
   * evicts keys. With `unchecked` it does not ask, for servers that do not answer. Default: `always`.
   */
  readonly appendfsync?: Appendfsync;
  /** How long a process without a sign of life keeps its runs, in milliseconds; at least 1,000. Default: 15,000. */
  readonly leaseMs?: number;
}

/**
 * A store in Redis (6 or newer, or a server with its protocol and its Lua), over a client of `ioredis`. Processes on any number of machines may use one
 * server. A commit is one script, which the server runs as a whole. In a cluster all keys are in one slot, on one node. `close` leaves the client open, since
 * it is yours. Throws `POLICY_INVALID` for invalid options. Errors of the server are thrown by the calls of the store, as `STORE_…`: `STORE_FAILED` if it
 * keeps less than `appendfsync` asks for.
 */
export function redisStore(client: RedisClient, options: RedisStoreOptions = {}): Store {
  assertOptions("redisStore", options, { prefix: true, appendfsync: true, leaseMs: true });
  assertClient("redisStore", client, ["call", "getBuffer", "duplicate"], "a client of ioredis");
  const { prefix = "wavepoint", appendfsync = "always" } = options;
  assertStoreKey(prefix, "The prefix");
  if (!APPENDFSYNC.includes(appendfsync)) {
    throw new WorkflowError("POLICY_INVALID", `redisStore: appendfsync is ${APPENDFSYNC.join(", ")}, not ${String(appendfsync)}.`);
  }
  const leaseMs = leaseTime("redisStore", options.leaseMs);
  const connection = connectionOver(client, `{${prefix}}`);
  const { place } = connection;
  const channel = `${place}:changes`;
  const holder = crypto.randomUUID();
  const watchers = noWatchers();
  const changes = foreignChanges(client, channel, holder, watchers);
  const leases = leasesIn(claimRows(open, holder, leaseMs), leaseMs);
  const commits = inOrder();
  let committed = 0;
  let prepared: Promise<void> | undefined;
  let isPrepared = false;
  let isClosed = false;

  async function open(): Promise<Connection> {
    if (isClosed) throw storeClosed();
    prepared ??= prepareServer(connection, appendfsync, channel).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    await prepared;
    isPrepared = true;
    return connection;
  }

  return {
    kind: "redis",
    durable: appendfsync !== "no",
    async commit(commit) {
      // Once the server is known, nothing delays a commit before it is sent.
      if (!isPrepared || isClosed) await open();
      checkCommit(commit);
      committed += 1;
      const by = `${holder} ${committed}`;
      await commits.add(commit.run, () => writeCommit(connection, commit, by));
      watchers.changed(commit.run);
    },
    async head(run) {
      assertStoreKey(run, "The run id");
      const head = (await (await open()).call("hget", `${place}:run:${run}`, "head")) as string | null;
      return head === null ? undefined : readHead(run, head);
    },
    async read(run, range) {
      assertStoreKey(run, "The run id");
      const { from, to } = readRange(range);
      return readEntries(await open(), run, from, to);
    },
    async runs(query = {}) {
      return listRuns(await open(), query);
    },
    async checkpoints(query = {}) {
      return listRows(await open(), query);
    },
    async putBlob(hash, content) {
      assertStoreKey(hash, "The hash");
      const isText = typeof content === "string";
      const bytes = Buffer.concat([Buffer.from(isText ? "t" : "b"), isText ? Buffer.from(storedText(content)) : content]);
      await (await open()).run(KEEP, "blob", hash, String(Date.now()), bytes);
    },
    async getBlob(hash) {
      assertStoreKey(hash, "The hash");
      const stored = await (await open()).getBuffer(`${place}:blob:${hash}`);
      if (stored === null) return undefined;
      const content = stored.subarray(1);
      return stored[0] === "t".charCodeAt(0)
        ? readText(new TextDecoder("utf-8", { ignoreBOM: true }).decode(content))
        : new Uint8Array(content);
    },
    async sweepBlobs(keep, before) {
      const old = (await (await open()).call("zrangebyscore", `${place}:blobs`, "-inf", `(${before}`)) as readonly string[];
      const named = old.filter((hash) => !keep.has(hash));
      let swept = 0;
      for (let from = 0; from < named.length; from += AT_ONCE) {
        swept += Number(await connection.run(SWEEP_BLOBS, String(before), ...named.slice(from, from + AT_ONCE)));
      }
      return swept;
    },
    async putNote(run, key, text) {
      assertStoreKey(run, "The run id");
      assertStoreKey(key, "The key of the note");
      const how = [run, key, channel, messageOf(holder, run)];
      await (
        await open()
      ).run(...((text === undefined ? [REMOVE_NOTE, ...how] : [PUT_NOTE, ...how, storedText(text)]) as [string, ...string[]]));
      watchers.changed(run);
    },
    async notes(run, prefix_ = "") {
      assertStoreKey(run, "The run id");
      const found = (await (await open()).run(READ_NOTES, run, prefix_)) as readonly string[];
      return Array.from({ length: found.length / 2 }, (_, i) => ({ key: found[i * 2]!, text: readText(found[i * 2 + 1]!) })).toSorted(
        (a, b) => (a.key < b.key ? -1 : 1),
      );
    },
    cache: {
      async get(key) {
        assertStoreKey(key, "The key of the cache");
        const text = (await (await open()).call("get", `${place}:cache:${key}`)) as string | null;
        return text === null ? undefined : readText(text);
      },
      async put(key, text, until) {
        assertStoreKey(key, "The key of the cache");
        await (await open()).run(KEEP, "cache", key, String(until), storedText(text));
      },
      async sweep(before, most) {
        return Number(await (await open()).run(SWEEP_CACHE, String(before), String(most)));
      },
    },
    async usage() {
      const runs = await (await open()).run(COUNT_RUNS, ...RUN_STATUSES);
      return { runs: Number(runs) };
    },
    async delete(run) {
      assertStoreKey(run, "The run id");
      await (await open()).run(DELETE_RUN, run, channel, messageOf(holder, run));
      watchers.changed(run);
    },
    async claim(run, lost) {
      assertStoreKey(run, "The run id");
      await open();
      return leases.take(run, lost);
    },
    watch: changes.watch,
    async close() {
      if (isClosed) return;
      changes.close();
      watchers.clear();
      await commits.settled();
      await leases.close();
      isClosed = true;
    },
  };
}

/** The most keys that one script looks at: the server does nothing else during a script. */
const AT_ONCE = 500;

/**
 * Connects to the server of an address (`redis://user:password@host:6379/0`, or `rediss:` over TLS) with the package `ioredis`, which must be installed.
 * Returns a {@link redisStore} whose `close` disconnects the client. `?prefix=…` and `?appendfsync=…` in the address stand for the options. Throws
 * `STORE_UNAVAILABLE` without the package.
 */
export async function openRedisStore(address: string, options: RedisStoreOptions = {}): Promise<Store> {
  const url = new URL(address);
  const [prefix, appendfsync] = ["prefix", "appendfsync"].map((name) => {
    const value = url.searchParams.get(name) ?? undefined;
    url.searchParams.delete(name);
    return value;
  });
  const all = { ...(prefix && { prefix }), ...(appendfsync && { appendfsync: appendfsync as Appendfsync }), ...options };
  const client = await openClient(url.href);
  return withConnection(
    () => redisStore(client, all),
    () => client.disconnect(),
  );
}

/** Reads entries together with their head, both at one moment. */
async function readEntries(connection: Connection, run: string, from: number, to: number): Promise<readonly string[]> {
  const answer = await connection.run(READ_ENTRIES, run, String(from), String(to));
  if (answer === null) return [];
  const [entries, base, texts] = answer as [entries: string, base: string, texts: readonly string[]];
  const first = Math.max(from, Number(base) - 1);
  if (texts.length < Math.min(to, Number(entries)) - first) throw damaged(run, `entry ${first + texts.length} is missing`);
  return texts.map(readText);
}
