import type { Release } from "../../core/ports/store.ts";

/** Claims of this page, for browsers and pages without Web Locks (which need a secure context). */
const heldInPage = new Set<string>();

/** Takes a name for as long as this page lives or until it is released; nothing while another tab holds it. */
export function takeClaim(name: string): Promise<Release | undefined> {
  return "navigator" in globalThis && navigator.locks ? takeLock(name) : Promise.resolve(takeInPage(name));
}

function takeLock(name: string): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    const ended = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) return resolve(undefined);
      return new Promise<void>((release) => {
        resolve(async () => {
          release();
          await ended;
        });
      });
    });
    ended.catch(reject);
  });
}

function takeInPage(name: string): Release | undefined {
  if (heldInPage.has(name)) return undefined;
  heldInPage.add(name);
  let holding = true;
  return async () => {
    if (holding) heldInPage.delete(name);
    holding = false;
  };
}
