import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { AbortSignalLike, Host } from "../core/ports/host.ts";
import { seededNumbers } from "./seeded-numbers.ts";
import { assertOptions } from "../core/model/assert-options.ts";

/** A host whose clock stands still until a test moves it. A sleep of 0 ms ends with the turn of the event loop; no clock has to move for it. */
export interface FakeHost extends Host {
  /**
   * Moves the clock on by `ms`, ending the sleeps that fall due in their order. Between two of them everything that was waiting gets its
   * turn, so a sleep that follows another is counted from the right moment.
   */
  advance(ms: number): Promise<void>;
  /** How many sleeps are waiting. */
  readonly sleeping: number;
}

/** How a {@link fakeHost} begins. */
export interface FakeHostOptions {
  /** Milliseconds since the epoch. Default: the start of 2026, UTC. */
  readonly startAt?: number;
  /** Whole number from which all ids follow. Hosts that share a store need different seeds. Default: 1. */
  readonly seed?: number;
  /** Whether the clock jumps to the next sleep's end by itself as soon as nothing else has a turn. Default: false. */
  readonly autoAdvance?: boolean;
  /** Default: 16. */
  readonly maxParallel?: number;
}

interface Sleeper {
  readonly dueAt: number;
  /** Nothing waits for it: the clock does not jump to its end. */
  readonly idle: boolean;
  readonly wake: () => void;
}

/** A host for tests: a clock that a test moves, ids that follow from a seed, real hashes. */
export function fakeHost(options: FakeHostOptions = {}): FakeHost {
  assertOptions("fakeHost", options, { startAt: true, seed: true, autoAdvance: true, maxParallel: true });
  const { startAt = Date.UTC(2026, 0, 1), seed = 1, autoAdvance = false, maxParallel = 16 } = options;
  const draw = seededNumbers(seed);
  const digits = (count: number): string => Array.from({ length: count }, () => Math.floor(draw() * 36).toString(36)).join("");
  let now = startAt;
  let created = 0;
  let sleepers: Sleeper[] = [];

  function next(): Sleeper | undefined {
    return sleepers.reduce<Sleeper | undefined>((first, one) => (first !== undefined && first.dueAt <= one.dueAt ? first : one), undefined);
  }

  function wake(sleeper: Sleeper): void {
    sleepers = sleepers.filter((one) => one !== sleeper);
    now = Math.max(now, sleeper.dueAt);
    sleeper.wake();
  }

  async function jump(): Promise<void> {
    await turn();
    for (let sleeper = next(); sleeper !== undefined; sleeper = sleeper.idle ? next() : undefined) wake(sleeper);
  }

  return {
    maxParallel,
    now: () => now,
    newId() {
      created += 1;
      return now.toString(36).padStart(9, "0") + created.toString(36).padStart(5, "0") + digits(17);
    },
    random: draw,
    newAbortController: () => new AbortController(),
    async hash(content) {
      return bytesToHex(sha256(typeof content === "string" ? utf8ToBytes(content) : content));
    },
    newTextEncoder: () => new TextEncoder(),
    newDeflate: (way) => (way === "pack" ? new CompressionStream("deflate-raw") : new DecompressionStream("deflate-raw")),
    sleep(ms, signal, { idle } = { idle: false }) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason as Error);
        const sleeper: Sleeper = {
          dueAt: now + ms,
          idle,
          wake() {
            unlisten();
            resolve();
          },
        };
        const unlisten = onAbort(signal, () => {
          sleepers = sleepers.filter((one) => one !== sleeper);
          reject(signal?.reason as Error);
        });
        // A sleep of no time only gives other work its turn: no clock has to move for it.
        if (ms <= 0) return void turn().then(sleeper.wake);
        sleepers.push(sleeper);
        if (autoAdvance && !idle) void jump();
      });
    },
    async advance(ms) {
      const end = now + ms;
      await turn();
      for (let sleeper = next(); sleeper !== undefined && sleeper.dueAt <= end; sleeper = next()) {
        wake(sleeper);
        await turn();
      }
      now = Math.max(now, end);
    },
    get sleeping() {
      return sleepers.length;
    },
  };
}

function onAbort(signal: AbortSignalLike | undefined, listener: () => void): () => void {
  signal?.addEventListener("abort", listener, { once: true });
  return () => signal?.removeEventListener("abort", listener);
}

/** Lets all promises that can settle do so. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
