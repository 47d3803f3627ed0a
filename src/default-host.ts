import type { AbortSignalLike, Host } from "./core/ports/host.ts";

/** Blocks of a wave that run at the same time: browsers allow about six connections to a server, Node has no such bound. */
const PARALLEL_IN_NODE = 16;
const PARALLEL_IN_BROWSERS = 6;

/** The clock, chance and timers of a browser tab, a worker or Node. Touches globals only when it is used. */
export function defaultHost(): Host {
  return {
    now: () => Date.now(),
    sleep,
    random: () => Math.random(),
    newId,
    newAbortController,
    hash,
    newTextEncoder: () => new TextEncoder(),
    newDeflate: (way) => (way === "pack" ? new CompressionStream("deflate-raw") : new DecompressionStream("deflate-raw")),
    maxParallel: "process" in globalThis ? PARALLEL_IN_NODE : PARALLEL_IN_BROWSERS,
  };
}

interface Node {
  readonly process?: {
    getBuiltinModule?(name: "node:events"): { setMaxListeners(count: number, target: EventTarget): void };
  };
}

/** All blocks of a wave listen to the signal of their run; Node warns of more than ten listeners unless the limit is raised. */
function newAbortController(): AbortController {
  const controller = new AbortController();
  try {
    (globalThis as Node).process?.getBuiltinModule?.("node:events").setMaxListeners(0, controller.signal);
  } catch {
    // In a page that jsdom or happy-dom plays, signals are the page's own: Node knows none of them, and warns of none.
  }
  return controller;
}

/** What a timer can hold; of a longer time it makes none at all. */
const MAX_TIMER_MS = 2_147_483_647;

function sleep(ms: number, signal?: AbortSignalLike, options?: { readonly idle: boolean }): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", abort);
        resolve(ms > MAX_TIMER_MS ? sleep(ms - MAX_TIMER_MS, signal, options) : undefined);
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    // A number in browsers, where nothing keeps a page.
    if (options?.idle) (timer as { unref?: () => void }).unref?.();
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Crockford's base 32 in lower case: no letters that are mistaken for digits. */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;
/** Digits of each id that {@link defaultHost} makes. */
export const ID_DIGITS: number = TIME_DIGITS + RANDOM_DIGITS;

/** 50 bits of time, then 80 random bits: ids sort by the time they were made. */
function newId(): string {
  let time = Date.now();
  let id = "";
  for (let i = 0; i < TIME_DIGITS; i++) {
    id = DIGITS[time % 32]! + id;
    time = Math.floor(time / 32);
  }
  for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS))) id += DIGITS[byte % 32]!;
  return id;
}

/** By the platform where it can: `crypto.subtle` exists only on secure pages, and a page on a company's http server has workflows too. */
async function hash(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  if (!crypto.subtle) return (await import("./sha256.ts")).sha256(bytes);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
