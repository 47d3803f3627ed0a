// @ts-check
import { createRequire } from "node:module";
import { join } from "node:path";
import { findOnPath } from "./executable.mjs";

const COMMANDS = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "microsoft-edge-stable",
  "microsoft-edge",
];

const MAC_APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

function playwrightChromium() {
  try {
    return createRequire(import.meta.url)("playwright").chromium.executablePath();
  } catch {
    return undefined;
  }
}

function windowsApplications() {
  const { ProgramFiles, LOCALAPPDATA } = process.env;
  const folders = [ProgramFiles, process.env["ProgramFiles(x86)"], LOCALAPPDATA];
  return folders.flatMap((folder) => (folder ? [join(folder, "Google/Chrome/Application/chrome.exe")] : []));
}

/**
 * Paths where a Chromium may stand, the likeliest first; none has been tried yet.
 * @returns {string[]}
 */
export function listCandidates() {
  const elsewhere = process.platform === "darwin" ? MAC_APPLICATIONS : process.platform === "win32" ? windowsApplications() : [];
  const paths = [playwrightChromium(), findOnPath(COMMANDS), "/opt/google/chrome/chrome", ...elsewhere];
  return [...new Set(paths.filter((path) => typeof path === "string"))];
}
