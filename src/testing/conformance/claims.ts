import { expectCode, expectEqual } from "./assertion.ts";
import type { Demand } from "./case.ts";
import { runWriter } from "./writer.ts";
import type { Release } from "../../core/ports/store.ts";

/** How often a claim is asked for that will be granted some time, and how long at most, in milliseconds. */
const ASK_MS = 20;
const PATIENCE_MS = 30_000;
/** By how much the clocks of machines may be apart, in milliseconds. */
const APART_MS = 3_600_000;

/** Demands on `claim`. */
export const claimDemands: readonly Demand[] = [
  [
    "a run has one holder at a time, in one store and in two",
    async ({ store, another }) => {
      const other = await another();
      const [one, two] = await Promise.all([store.claim("run_a"), store.claim("run_a")]);
      expectEqual([one, two].filter((release) => release !== undefined).length, 1, "holders");
      expectEqual(await other.claim("run_a"), undefined, "a claim from another store");
      const free = await other.claim("run_b");
      expectEqual(typeof free, "function", "a claim on another run");
      const release = (one ?? two)!;
      await release();
      const next = await other.claim("run_a");
      expectEqual(typeof next, "function", "a claim after the release");
      await release();
      expectEqual(await store.claim("run_a"), undefined, "a claim after the first holder let go twice");
      await next!();
      await free!();
      const again = await store.claim("run_a");
      expectEqual(typeof again, "function", "a claim after all let go");
      await again!();
    },
  ],
  [
    "a store that closes releases its claims",
    async ({ store, another }) => {
      if (!store.durable) return;
      const other = await another();
      await other.claim("run_a");
      await other.close();
      const release = await store.claim("run_a");
      expectEqual(typeof release, "function", "a claim after the holder closed");
      await release!();
    },
  ],
  [
    "a holder that lives keeps its run, however long it takes",
    async ({ store, another, leaseMs }) => {
      if (leaseMs === undefined) return;
      const other = await another();
      let losses = 0;
      const release = await store.claim("run_a", () => (losses += 1));
      for (let asked = 1; asked <= 5; asked += 1) {
        await sleep(leaseMs / 4);
        expectEqual(await other.claim("run_a"), undefined, `a claim after ${asked / 4} leases`);
      }
      expectEqual(losses, 0, "how often the holder lost the run");
      await release!();
      const next = await other.claim("run_a");
      expectEqual(typeof next, "function", "a claim after the release");
      await next!();
    },
  ],
  [
    "from a holder that gives no sign of life one other takes the run; the holder learns of it, writes nothing and releases nothing",
    async ({ store, another, freeze }) => {
      if (!freeze) return;
      const others = [await another(), await another()] as const;
      const writer = runWriter(store, "run_a");
      await writer.commit(["{}"]);
      let losses = 0;
      const release = await store.claim("run_a", () => (losses += 1));
      const thaw = await freeze(store);
      expectEqual(await others[0].claim("run_a"), undefined, "a claim as soon as the holder is silent");
      const granted = await until(async () => {
        const releases = [await others[0].claim("run_a"), await others[1].claim("run_a")];
        return releases.some((one) => one !== undefined) ? releases : undefined;
      }, "a claim on a run whose holder is silent");
      expectEqual(granted.filter((one) => one !== undefined).length, 1, "those who took the run");
      const [taker, waiting] = granted[0] ? others : ([others[1], others[0]] as const);
      const taken = runWriter(taker, "run_a", await taker.head("run_a"));
      await taken.commit(["{}"], { head: { epoch: 2 } });
      await thaw();
      await until(async () => losses || undefined, "that the holder learns of its loss");
      await expectCode(() => writer.commit(["{}"]), "STORE_CONFLICT", "a commit of the one that lost the run");
      await release!();
      expectEqual(await waiting.claim("run_a"), undefined, "a claim after the one that lost the run has released it");
      expectEqual(losses, 1, "how often the holder learned that it lost the run");
      await (granted[0] ?? granted[1])!();
      const back = await store.claim("run_a", () => (losses += 1));
      expectEqual(typeof back, "function", "a claim of the one that lost the run, after the release");
      await back!();
      expectEqual(losses, 1, "how often it learned that in the end");
    },
  ],
  [
    "a run is free some time after its holder was killed",
    async ({ store, abandon }) => {
      if (!abandon) return;
      await abandon("run_a");
      const release = await until(() => store.claim("run_a"), "a claim on a run whose holder was killed");
      await release();
    },
  ],
  [
    "a process whose clock is wrong neither takes a run from its holder nor holds it for less",
    async ({ store, another, skewedClock }) => {
      if (!skewedClock) return;
      const other = await another();
      const held = await store.claim("run_a");
      expectEqual(await atClock(APART_MS, () => other.claim("run_a")), undefined, "a claim by a clock that is ahead");
      const late = await atClock(-APART_MS, () => other.claim("run_b"));
      expectEqual(typeof late, "function", "a claim by a clock that is behind");
      expectEqual(await store.claim("run_b"), undefined, "a claim on a run whose holder's clock is behind");
      await held!();
      await late!();
    },
  ],
];

/** Makes a call while the clock of this process is ahead by so much. */
async function atClock(aheadMs: number, call: () => Promise<Release | undefined>): Promise<Release | undefined> {
  const { now } = Date;
  Date.now = () => now() + aheadMs;
  try {
    return await call();
  } finally {
    Date.now = now;
  }
}

/** What a call gives once it gives something. */
async function until<T>(call: () => Promise<T | undefined>, demand: string): Promise<T> {
  for (let waited = 0; waited <= PATIENCE_MS; waited += ASK_MS) {
    const given = await call();
    if (given !== undefined) return given;
    await sleep(ASK_MS);
  }
  throw new Error(`${demand}: nothing came of it within ${PATIENCE_MS} ms`);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
