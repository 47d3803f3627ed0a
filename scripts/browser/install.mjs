// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { findOnPath, isExecutable } from "./executable.mjs";
import { CACHE_FOLDER } from "./remembered.mjs";

const INSTALL_TIMEOUT_MS = 15 * 60_000;
const isRoot = process.getuid?.() === 0;

/**
 * @typedef {{ path?: string, problem?: string }} Installed `path` where the browser stands in a place of its own,
 *   `problem` when this way is closed; neither when it went to one of the usual places.
 */

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 */
function run(command, args, options) {
  const result = spawnSync(command, args, { timeout: INSTALL_TIMEOUT_MS, killSignal: "SIGKILL", ...options, encoding: "utf8" });
  const output = `${result.stdout ?? ""}${result.stderr ?? ""}`.trim();
  return { done: result.status === 0, output, reason: result.error?.message ?? output.slice(-300) };
}

/** @returns {Installed} */
function installChromiumByApt() {
  const release = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  if (/^ID=ubuntu$/m.test(release)) return { problem: "apt: Ubuntu's package is only a pointer to a snap" };
  return installByApt("chromium");
}

/**
 * Installs a package of Debian's or Ubuntu's, and asks it not to start its service.
 * @param {string} name
 * @returns {Installed}
 */
export function installByApt(name) {
  if (findOnPath(["apt-get"]) === undefined) return { problem: "apt: there is no apt-get on this system" };
  if (!isRoot) return { problem: "apt: this user is not root" };
  const apt = (/** @type {string[]} */ ...args) =>
    run("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" },
    });
  // A foreign source that cannot be read fails the update and need not matter: the installation decides.
  apt("update");
  const installation = apt("install", "-y", "--no-install-recommends", name);
  return installation.done ? {} : { problem: `apt: ${installation.reason}` };
}

/** @returns {Installed} */
function installByPlaywright() {
  const cli = join(dirname(createRequire(import.meta.url).resolve("playwright/package.json")), "cli.js");
  const installation = run(process.execPath, [cli, "install", ...(isRoot ? ["--with-deps"] : []), "chromium"]);
  return installation.done ? {} : { problem: `playwright: ${installation.reason}` };
}

/**
 * Takes Chromium out of an npm package: the way for a machine without root and without a download server.
 * @returns {Installed}
 */
function installByNpm() {
  if (process.platform !== "linux" || process.arch !== "x64") return { problem: "npm: the package is for Linux on x64 only" };
  const folder = join(CACHE_FOLDER, "npm");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const installation = run("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, "@sparticuz/chromium@147.0.0"]);
  if (!installation.done) return { problem: `npm: ${installation.reason}` };

  // The package unpacks into TMPDIR, and its shared libraries only where it believes to stand on that runtime.
  const unpacking = run(
    process.execPath,
    ["--input-type=module", "-e", 'import c from "@sparticuz/chromium"; console.log(await c.executablePath())'],
    { cwd: folder, env: { ...process.env, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" } },
  );
  const executable = unpacking.output.split("\n").at(-1) ?? "";
  if (!unpacking.done || !isExecutable(executable)) return { problem: `npm: ${unpacking.reason}` };

  // Without any font the pages hang, so the ones that came along are made known.
  const fonts = join(folder, "fonts.conf");
  const fontFolders = ["/usr/share/fonts", join(folder, "fonts")].map((path) => `<dir>${path}</dir>`).join("");
  writeFileSync(fonts, `<fontconfig>${fontFolders}<cachedir>${join(folder, "font-cache")}</cachedir></fontconfig>`);
  const launcher = join(folder, "chromium.sh");
  const libraries = join(folder, "al2023", "lib");
  const script = `#!/bin/sh
LD_LIBRARY_PATH='${libraries}':"$LD_LIBRARY_PATH" FONTCONFIG_FILE='${fonts}' exec '${executable}' "$@"
`;
  writeFileSync(launcher, script, { mode: 0o755 });
  return { path: launcher };
}

/** The ways to get a Chromium, the cheapest first. Each is tried only when the one before it led nowhere. */
export const INSTALLERS = [
  { name: "apt", install: installChromiumByApt },
  { name: "playwright", install: installByPlaywright },
  { name: "npm", install: installByNpm },
];
