import type { Store } from "../../core/ports/store.ts";
import type { Watchers } from "../watchers.ts";
import { postgresFailure, type Query } from "./connection.ts";

/** How often a store that is watched looks for what others changed, in milliseconds: where no call has reached it, and where that is only in case one was lost. */
const LOOK_MS = 500;
const LOOK_IN_CASE_MS = 10_000;
/** How long calls are collected, in milliseconds: one takes a lock of the whole server. */
const COLLECT_MS = 20;
/** After a pause as long as this, changes may have been deleted before they were seen: the function for commits keeps them for 30 seconds. */
const MISSED_MS = 25_000;
/** Changes so long before a watcher came, in milliseconds, are reported to it: its call and the first look may be apart. */
const GRACE_MS = 1_000;
const CHANNEL = "wavepoint";

/** Listens on a channel of the database, as `listen` of a `PGlite` does. Returns the function that ends it. */
export type Listen = (channel: string, called: (payload: string) => void) => Promise<() => Promise<void>>;

/** Polls for the changes of other stores, and notifies them of its own. */
export interface ForeignChanges {
  readonly watch: NonNullable<Store["watch"]>;
  /** This store changed something. */
  call(): void;
  close(): Promise<void>;
}

/** Polls while there is a watcher. */
export function foreignChanges(query: Query, watchers: Watchers, listen: Listen | undefined): ForeignChanges {
  let looking: Promise<void> | undefined;
  let isLookAsked = false;
  let timer: ReturnType<typeof setInterval> | undefined;
  let listening: Promise<(() => Promise<void>) | undefined> | undefined;
  let calling: ReturnType<typeof setTimeout> | undefined;
  /** Whether a notification has arrived: behind a pooler such as PgBouncer, none may reach the connection that listens. */
  let isCalled = false;
  /** All transactions before it were seen; nothing before the first poll. */
  let horizon: string | undefined;
  /** When it was looked last, or the first watcher came. */
  let lookedAt = 0;

  async function lookOnce(): Promise<void> {
    try {
      const since = performance.now() - lookedAt;
      lookedAt += since;
      const [condition, from] =
        horizon === undefined
          ? ["c.at > clock_timestamp() - $1 * interval '1 millisecond'", since + GRACE_MS]
          : ["c.tx >= $1::text::xid8", horizon];
      // What is committed later than this has a transaction that is not older than the oldest one now.
      const rows = await query<{ readonly horizon: string; readonly run: string | null }>(
        `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, c.run from (select 1) as one left join wavepoint_changes c on ${condition}`,
        [from],
      );
      horizon = rows[0]!.horizon;
      const runs = new Set(rows.flatMap(({ run }) => run ?? []));
      watchers.report(since > MISSED_MS ? [undefined] : runs);
    } catch (error) {
      watchers.failed(error);
    }
  }

  function look(): void {
    if (watchers.size === 0) return;
    if (looking) {
      isLookAsked = true;
      return;
    }
    looking = lookOnce().finally(() => {
      looking = undefined;
      if (!isLookAsked) return;
      isLookAsked = false;
      look();
    });
  }

  function called(): void {
    isCalled = true;
    look();
  }

  function call(): void {
    if (!listen) return;
    calling ??= setTimeout(() => {
      calling = undefined;
      // A lost notification is made up for by polling.
      query("select pg_notify($1, '')", [CHANNEL]).catch(() => {});
    }, COLLECT_MS);
  }

  function beginListening(): void {
    listening ??= listen?.(CHANNEL, called).catch((error: unknown) => {
      // Tried again with the next look that comes by itself.
      listening = undefined;
      watchers.failed(postgresFailure(error));
      return undefined;
    });
  }

  function start(): void {
    if (timer !== undefined) return;
    lookedAt = performance.now();
    timer = setInterval(() => {
      if (isCalled && performance.now() - lookedAt < LOOK_IN_CASE_MS) return;
      beginListening();
      look();
    }, LOOK_MS);
    (timer as { unref?(): void }).unref?.();
    void begin();
  }

  async function begin(): Promise<void> {
    beginListening();
    await listening;
    look();
    // Its own call shows that calls come.
    if (!isCalled) call();
  }

  return {
    watch(...watcher) {
      const end = watchers.add(...watcher);
      start();
      return () => {
        end();
        if (watchers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
        horizon = undefined;
      };
    },
    call,
    async close() {
      clearInterval(timer);
      if (calling !== undefined) {
        clearTimeout(calling);
        await query("select pg_notify($1, '')", [CHANNEL]).catch(() => {});
      }
      await looking;
      await (
        await listening
      )?.();
    },
  };
}
