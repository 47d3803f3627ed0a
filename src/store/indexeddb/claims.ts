import type { Release } from "../../core/ports/store.ts";
import type { PeerMessage } from "./announce-changes.ts";

/**
 * How long a holder may leave questions unanswered before its run is taken away, in milliseconds. It answers as soon as its thread is free, even in a hidden
 * page; a frozen, stopped or stuck one does not.
 */
const SILENCE_MS = 5_000;
/** How many questions it has to leave unanswered: so that a page that was suspended does not take its own silence for that of others. */
const SILENT_QUESTIONS = 5;
/** Those that would take a run from a silent holder do so at different moments, up to so many milliseconds apart. */
const APART_MS = 200;

/** Takes runs, and answers questions about those that it holds. */
export interface ClaimHolder {
  claim(run: string, lost?: () => void): Promise<Release | undefined>;
  /** Another store asks whether the holder of a run is alive. */
  reply(run: string): void;
  /** The holder of a run is alive. */
  hearOf(run: string): void;
  /** Releases all. */
  close(): Promise<void>;
}

/** Claims of this page, for browsers and pages without Web Locks (which need a secure context). */
const heldInPage = new Set<string>();

/** Returns a holder of runs of a database. Without `post`, holders cannot be asked, and no run is taken away. */
export function claimHolder(name: string, post: ((message: PeerMessage) => void) | undefined): ClaimHolder {
  const held = new Map<string, Release>();
  /** Since when holders of runs have not answered, and how often they were asked. */
  const silent = new Map<string, { readonly since: number; questions: number }>();

  function isSilent(run: string): boolean {
    if (!post) return false;
    const now = performance.now();
    const asked = silent.get(run) ?? { since: now, questions: 0 };
    if (asked.questions >= SILENT_QUESTIONS && now - asked.since >= SILENCE_MS) return true;
    silent.set(run, { since: asked.since, questions: asked.questions + 1 });
    post({ asks: run });
    return false;
  }

  /** If two want to take a run from the same holder, the second is notified of the first in between. */
  async function staysSilent(run: string): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * APART_MS));
    return silent.has(run);
  }

  return {
    async claim(run, lost) {
      if (held.has(run)) return undefined;
      const lock = `wavepoint:${name}:${run}`;
      const onEnd = (wasLost: boolean): void => {
        if (held.get(run) === release) held.delete(run);
        if (wasLost) lost?.();
      };
      let release = await takeLock(lock, { ifAvailable: true }, onEnd);
      if (!release && isSilent(run) && (await staysSilent(run))) release = await takeLock(lock, { steal: true }, onEnd);
      if (!release) return undefined;
      silent.delete(run);
      held.set(run, release);
      // Others may be about to take it from the previous holder.
      post?.({ holds: run });
      return release;
    },
    reply(run) {
      if (held.has(run)) post?.({ holds: run });
    },
    hearOf(run) {
      silent.delete(run);
    },
    async close() {
      await Promise.all([...held.values()].map((release) => release()));
    },
  };
}

/** Takes a lock until it is released or the page ends. Returns nothing while there is a holder that need not give way. */
function takeLock(name: string, options: LockOptions, onEnd: (wasLost: boolean) => void): Promise<Release | undefined> {
  if (!("navigator" in globalThis) || !navigator.locks) return Promise.resolve(takeInPage(name, onEnd));
  return new Promise((resolve, reject) => {
    let isHeld = false;
    const ended = navigator.locks.request(name, options, (lock) => {
      if (lock === null) return resolve(undefined);
      isHeld = true;
      return new Promise<void>((letGo) => {
        resolve(async () => {
          letGo();
          // If it was taken away, it is gone as well.
          await ended.catch(() => {});
        });
      });
    });
    ended.then(
      () => isHeld && onEnd(false),
      (error: unknown) => (isHeld ? onEnd(true) : reject(error)),
    );
  });
}

function takeInPage(name: string, onEnd: (wasLost: boolean) => void): Release | undefined {
  if (heldInPage.has(name)) return undefined;
  heldInPage.add(name);
  let holding = true;
  return async () => {
    if (!holding) return;
    holding = false;
    heldInPage.delete(name);
    onEnd(false);
  };
}
