// @ts-check
// Finds browsers of other makers. They are not installed: where one is missing, its tests are left out, and that is said.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { findOnPath, isExecutable } from "../browser/executable.mjs";

/**
 * @typedef {object} WebKitPrograms
 * @property {string} driver WebKitWebDriver.
 * @property {string} browser MiniBrowser, which comes with it.
 * @property {string} display Xvfb: the browser has no mode without a screen.
 */

/** @returns {string | undefined} */
export function findFirefox() {
  return chosen("FIREFOX_PATH") ?? findOnPath(["firefox-esr", "firefox"]);
}

/** @returns {WebKitPrograms | undefined} */
export function findWebKit() {
  const driver = chosen("WEBKIT_DRIVER_PATH") ?? findOnPath(["WebKitWebDriver"]);
  const display = findOnPath(["Xvfb"]);
  const browser = chosen("WEBKIT_BROWSER_PATH") ?? listMiniBrowsers().find(isExecutable);
  return driver === undefined || display === undefined || browser === undefined ? undefined : { driver, browser, display };
}

/** Where Linux distributions put it: `/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser`. */
function listMiniBrowsers() {
  const folders = (/** @type {string} */ parent) => (existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name)) : []);
  const places = ["/usr/lib", "/usr/libexec", ...folders("/usr/lib").filter((folder) => folder.endsWith("-linux-gnu"))];
  return places
    .flatMap(folders)
    .filter((folder) => /webkit(?:2gtk|gtk)-[\d.]+$/.test(folder))
    .map((folder) => join(folder, "MiniBrowser"));
}

/** @param {string} variable */
function chosen(variable) {
  const path = process.env[variable];
  if (path !== undefined && !isExecutable(path))
    throw new Error(`${variable} is ${path}, which is not an executable file. Correct or unset it.`);
  return path;
}
