import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRedis } from "../../scripts/servers.mjs";
import { freePort } from "./free-port.ts";

/** A server of its own, on this machine only, that syncs each commit. */
export interface RedisServer {
  /** A prefix that no other test has. */
  newPrefix(): string;
  /** The address of a place with such a prefix. */
  newPlace(): string;
  /** Ends the server as a crash does, and starts it on what is on the disk. */
  crash(): Promise<void>;
  readonly port: number;
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";

/** Whether there is a server here that tests can start. */
export const hasRedis: boolean = findRedis() !== undefined;

/** Starts a server, with more settings where they are given. Only where {@link hasRedis}. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "wavepoint-redis-"));
  const port = await freePort();
  let server = await start();
  let places = 0;

  async function start() {
    const own = ["--port", String(port), "--bind", HOST, "--dir", folder, "--save", "", "--appendonly", "yes", "--appendfsync", "always"];
    const child = spawn("redis-server", [...own, ...settings], { stdio: "ignore" });
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    const about = () => spawnSync("redis-cli", ["-h", HOST, "-p", String(port), "info", "server"], { encoding: "utf8" }).stdout;
    // Not another one, which was first at this port.
    while (!about().includes(`process_id:${child.pid}\r`)) {
      if (child.exitCode !== null) throw new Error("The server did not start.");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { child, gone };
  }

  const newPrefix = () => `place${(places += 1)}`;

  return {
    port,
    newPrefix,
    newPlace: () => `redis://${HOST}:${port}?prefix=${newPrefix()}`,
    async crash() {
      server.child.kill("SIGKILL");
      await server.gone;
      server = await start();
    },
    async stop() {
      server.child.kill("SIGKILL");
      await server.gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
