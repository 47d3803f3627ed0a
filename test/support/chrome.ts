import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext } from "playwright";
import { findChromium } from "../../scripts/browser.mjs";
import { CHROMIUM_ARGUMENTS } from "../../scripts/browser/arguments.mjs";
import { listGroup, startGuarded, type GuardedProcess } from "./guarded-process.ts";

/** A browser that runs as a group of processes of its own and can be killed like one. */
export interface Chrome {
  readonly context: BrowserContext;
  /** Ends every process of the browser with SIGKILL, as a power-off would. Resolves when all are gone. */
  kill(): Promise<void>;
  /** Ends the processes that execute pages with SIGKILL, and leaves the browser. */
  killRenderers(): void;
  /** Ends the browser in good order. */
  close(): Promise<void>;
}

/** A folder for a profile that outlives the browsers started on it. */
export interface Profile {
  readonly path: string;
  remove(): void;
}

/** Makes an empty profile in the folder for temporary files. */
export function createProfile(): Profile {
  const path = mkdtempSync(join(tmpdir(), "wavepoint-profile-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

const START_TIMEOUT_MS = 60_000;
const CLOSE_TIMEOUT_MS = 10_000;

// Hidden pages keep their full speed, and no crash reporter leaves the group.
const ARGUMENTS = [
  "--headless=new",
  ...CHROMIUM_ARGUMENTS,
  "--disable-breakpad",
  "--disable-background-timer-throttling",
  "--disable-renderer-backgrounding",
  "--disable-backgrounding-occluded-windows",
  "--remote-debugging-port=0",
];

/** Reads the address under which the browser can be driven; Chromium prints it once it listens. */
function readAddress(browser: GuardedProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    const giveUp = (reason: string) => reject(new Error(`Chromium ${reason}. It printed: ${printed.slice(-500)}`));
    const timer = setTimeout(() => giveUp("did not listen in time"), START_TIMEOUT_MS);
    void browser.gone.then(() => giveUp("ended while starting"));
    browser.stderr.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /DevTools listening on (ws:\S+)/.exec(printed)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      browser.stderr.removeAllListeners("data").resume();
      resolve(address);
    });
  });
}

/** Starts Chromium on a profile, headless, and attaches to it. No process of it is left when the caller dies. */
export async function startChrome(profile: Pick<Profile, "path">, more: readonly string[] = []): Promise<Chrome> {
  const group = startGuarded(findChromium(), [...ARGUMENTS, ...more, `--user-data-dir=${profile.path}`, "about:blank"]);
  try {
    const browser = await chromium.connectOverCDP(await readAddress(group));
    const context = browser.contexts()[0];
    if (context === undefined) throw new Error("Chromium has no default context.");
    return {
      context,
      async kill() {
        await group.kill();
        await browser.close();
      },
      killRenderers() {
        for (const pid of listGroup(group.pid)) {
          if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--type=renderer")) process.kill(Number(pid), "SIGKILL");
        }
      },
      async close() {
        const control = await browser.newBrowserCDPSession();
        const timer = setTimeout(() => void group.kill(), CLOSE_TIMEOUT_MS);
        // The connection may end before the answer to the last command arrives.
        await control.send("Browser.close").catch(() => undefined);
        await group.gone;
        clearTimeout(timer);
        await browser.close();
      },
    };
  } catch (error) {
    await group.kill();
    throw error;
  }
}
