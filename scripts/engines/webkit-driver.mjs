// @ts-check
// Drives WebKitGTK by the WebDriver protocol (W3C), without a library.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { startDisplay } from "./display.mjs";

/** @typedef {import("./find-engines.mjs").WebKitPrograms} WebKitPrograms */

/**
 * @typedef {object} WebKit A browser with a window.
 * @property {(method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<any>} send A command of the session.
 * @property {string} version
 * @property {() => Promise<void>} close
 */

const START_TRIES = 100;
const START_PAUSE_MS = 100;

/**
 * Starts a display, the driver and the browser.
 * @param {WebKitPrograms} programs
 * @returns {Promise<WebKit>}
 */
export async function startWebKit({ driver, browser, display }) {
  /** @type {import("node:child_process").ChildProcess[]} */
  const processes = [];
  /** @type {import("./display.mjs").Display | undefined} */
  let screen;
  const end = () => {
    for (const process of processes.toReversed()) process.kill();
    screen?.close();
  };
  process.once("exit", end);
  try {
    screen = await startDisplay(display);
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const environment = { ...process.env, DISPLAY: screen.name, LIBGL_ALWAYS_SOFTWARE: "1", WEBKIT_DISABLE_COMPOSITING_MODE: "1" };
    processes.push(spawn(driver, [`--port=${port}`, "--host=127.0.0.1"], { stdio: "ignore", env: environment }));
    for (let tries = 1; !(await isUp(origin)); tries += 1) {
      if (tries === START_TRIES) throw new Error(`${driver} does not listen.`);
      await wait(START_PAUSE_MS);
    }
    const options = { binary: browser, args: ["--automation"] };
    const { sessionId, capabilities } = await command(origin, "POST", "/session", {
      capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } },
    });
    return {
      version: capabilities.browserVersion,
      send: (method, path, body) => command(origin, method, `/session/${sessionId}${path}`, body),
      async close() {
        await command(origin, "DELETE", `/session/${sessionId}`).catch(() => undefined);
        end();
        process.off("exit", end);
      },
    };
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * @param {string} origin
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
async function command(origin, method, path, body) {
  const response = await fetch(origin + path, {
    method,
    headers: { "content-type": "application/json" },
    ...(method === "POST" ? { body: JSON.stringify(body ?? {}) } : {}),
  });
  const { value } = /** @type {{ value: any }} */ (await response.json());
  if (value?.error) throw new Error(`WebDriver ${path}: ${value.error}: ${value.message}`);
  return value;
}

/** @param {string} origin */
async function isUp(origin) {
  return command(origin, "GET", "/status").then(
    () => true,
    () => false,
  );
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once("error", reject)
      .listen(0, "127.0.0.1", () => {
        const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
        server.close(() => resolve(port));
      });
  });
}
