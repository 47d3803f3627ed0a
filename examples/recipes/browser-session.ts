import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { chromium, type Page } from "playwright";
import { type BlockType, defineBlock, success } from "wavepoint";

/** Where a browser is: enough for any process on this machine to find it again. */
interface Place {
  readonly address: string;
  readonly profile: string;
  readonly pid: number;
}

interface Session {
  readonly page: Page;
  leave(): Promise<void>;
}

const PATIENCE_MS = 10_000;
const LOOK_AGAIN_MS = 50;

/** A Chromium of its own, which outlives the process that started it. */
async function openBrowser(executable: string, options: readonly string[]) {
  const profile = await mkdtemp(join(tmpdir(), "browser-session-"));
  const command = ["--headless", "--remote-debugging-port=0", `--user-data-dir=${profile}`, ...options, "about:blank"];
  const child = spawn(executable, command, { detached: true, stdio: "ignore" });
  child.unref();
  const address = await addressIn(profile);
  return { live: await enter(address), reference: { address, profile, pid: child.pid! } satisfies Place };
}

/** Chromium writes where it listens into its profile. */
async function addressIn(profile: string): Promise<string> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_AGAIN_MS) {
    const text = await readFile(join(profile, "DevToolsActivePort"), "utf8").catch(() => "");
    const [port, path] = text.trim().split("\n");
    if (path) return `ws://127.0.0.1:${port}${path}`;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  throw new Error("The browser did not start.");
}

async function enter(address: string): Promise<Session> {
  const browser = await chromium.connectOverCDP(address, { timeout: PATIENCE_MS });
  const [context] = browser.contexts();
  // Closing a connection leaves the browser and its pages as they are.
  return { page: context!.pages()[0] ?? (await context!.newPage()), leave: () => browser.close() };
}

/**
 * Reads pages in a browser that the blocks of a run share. It stays where it is while the run waits, with all that was typed and clicked. One that had to be opened anew goes to
 * the address that the workflow keeps in its channel `address` first.
 */
export function browse(executable: string, options: readonly string[] = []): BlockType {
  return defineBlock({
    type: "Browse",
    description: "Opens an address in a browser, or stays on the page, and gives what it says.",
    effect: "repeatable",
    channels: { reads: ["address"], writes: ["address"] },
    inputs: {
      jsonSchema: {
        type: "object",
        properties: { address: { type: "string", format: "uri", description: "Default: the page where the browser is." } },
        additionalProperties: false,
      },
    },
    resources: {
      session: {
        open: () => openBrowser(executable, options),
        reconnect: ({ address }: Place) => enter(address),
        disconnect: (live: Session) => live.leave(),
        async close({ profile, pid }: Place, live: Session | undefined) {
          await live?.leave();
          end(pid);
          await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
        },
      },
    },
    async execute({ inputs, resource, channels }) {
      const { page } = await resource("session");
      const last = channels.get("address") as string | null | undefined;
      const address = inputs.address ?? (page.url() === "about:blank" ? last : undefined);
      if (address) await page.goto(address);
      channels.write("address", page.url());
      return success({ address: page.url(), title: await page.title(), text: await page.locator("body").innerText() });
    },
  });
}

/** With all its processes, which are a group of their own. */
function end(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
