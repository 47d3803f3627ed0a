import { spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostgres } from "../../scripts/servers.mjs";
import { freePort } from "./free-port.ts";

/** A server of its own, on this machine only, that syncs as one in use does. */
export interface PostgresServer {
  /** The address of a new, empty schema; its tables stand in a folder of their own where one is given. */
  newPlace(folder?: string): string;
  /** Ends the server as a power cut does, and starts it on what is on the disk. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

/** How long a server that is stopped waits for its connections to be closed, in milliseconds. */
const CLOSING_MS = 2_000;

const programs = findPostgres();

/** Whether there is a server here that tests can start. */
export const hasPostgres: boolean = programs !== undefined;

/** The server refuses to run as root. */
function otherUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const ask = (what: string): number => Number(spawnSync("id", [what, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: ask("-u"), gid: ask("-g") };
}

/** Starts a server, with its data below a folder where one is given. Only where {@link hasPostgres}. */
export async function startPostgres(below?: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "wavepoint-postgres-"));
  const user = otherUser();
  const give = (path: string) => user && chownSync(path, user.uid, user.gid);
  give(folder);
  if (below !== undefined) give(below);
  const data = join(below ?? folder, "data");
  const port = await freePort();
  // Segments of the log as small as they can be, for disks that are small.
  run("initdb", [
    "-D",
    data,
    "-A",
    "trust",
    "-U",
    "postgres",
    "--no-sync",
    "-E",
    "UTF8",
    ...(below === undefined ? [] : ["--wal-segsize=1"]),
  ]);
  let server = await start();
  let places = 0;

  function run(program: string, args: readonly string[]): void {
    const { status, stderr } = spawnSync(join(programs!, program), args, { ...user, cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  }

  async function start() {
    const child = spawn(
      join(programs!, "postgres"),
      ["-D", data, "-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`],
      { ...user, cwd: folder, stdio: "ignore" },
    );
    const gone = new Promise<void>((resolve) => child.once("close", () => resolve()));
    while (spawnSync(join(programs!, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port)]).status !== 0) {
      if (child.exitCode !== null) throw new Error("The server did not start.");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { child, gone };
  }

  return {
    newPlace(place) {
      const schema = `place${(places += 1)}`;
      const tell = (sql: string): void => run("psql", ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-c", sql]);
      tell(`create schema ${schema}`);
      if (place !== undefined) {
        give(place);
        tell(`create tablespace ${schema} location '${place}'`);
      }
      const settings = `-c search_path=${schema}${place === undefined ? "" : ` -c default_tablespace=${schema}`}`;
      return `postgres://postgres@127.0.0.1:${port}/postgres?options=${encodeURIComponent(settings)}`;
    },
    async crash() {
      // At once, without a last word to the disk; its own processes follow.
      server.child.kill("SIGQUIT");
      await server.gone;
      server = await start();
    },
    async stop() {
      // A connection that is still being closed would report the end of the server as an error without a handler.
      server.child.kill("SIGTERM");
      const impatient = setTimeout(() => server.child.kill("SIGINT"), CLOSING_MS);
      await server.gone;
      clearTimeout(impatient);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
