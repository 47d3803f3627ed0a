// @ts-check
/**
 * Finds the database servers that tests of stores start, or installs them from the system's packages: `node scripts/servers.mjs`. Where there is none and none
 * can be installed, the tests that need it are left out; the embedded databases are tried all the same.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { installByApt } from "./browser/install.mjs";
import { findOnPath } from "./browser/executable.mjs";

/**
 * Where the programs of PostgreSQL are, those of the newest version first; packages of systems do not put them on the path.
 * @returns {string | undefined}
 */
export function findPostgres() {
  const home = "/usr/lib/postgresql";
  const versions = existsSync(home) ? readdirSync(home).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(home, version, "bin")), "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin"];
  return folders.find((folder) => existsSync(join(folder, "initdb")));
}

/**
 * The path of redis-server.
 * @returns {string | undefined}
 */
export function findRedis() {
  return findOnPath(["redis-server"]);
}

/** What is looked for, the package of the system that has it, and what is left out without it. */
const SERVERS = [
  { name: "PostgreSQL", find: findPostgres, package: "postgresql", without: "Postgres is tried on PGlite alone" },
  { name: "Redis", find: findRedis, package: "redis-server", without: "the tests of the Redis store are left out" },
];

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const server of SERVERS) {
    const problem = server.find() === undefined ? installByApt(server.package).problem : undefined;
    const found = server.find();
    process.stderr.write(`[servers] ${server.name}: ${found ?? `${problem ?? "installed, but not found"}; ${server.without}`}\n`);
  }
}
