import { chmodSync } from "node:fs";
import process from "node:process";
import { findPostgres, findRedis } from "../../scripts/servers.mjs";
import { newDirectory } from "./data-directory.mjs";
import "../../scripts/corpus/run-from-source.mjs";

/** Servers of the system's packages as the tests start them, with their data on the disk that holds the project; nothing where there is none. */
export async function startServers() {
  const directory = newDirectory("servers");
  // PostgreSQL runs as another user.
  chmodSync(directory, 0o755);
  process.env.TMPDIR = directory;
  const { startPostgres } = await import("../../test/support/postgres-server.ts");
  const { startRedis } = await import("../../test/support/redis-server.ts");
  return {
    postgres: findPostgres() && (await startPostgres()),
    redis: findRedis() && (await startRedis()),
  };
}
