import { spawn } from "node:child_process";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "wavepoint/store/open";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "../support/postgres-server.ts";

const isLong = process.env.WAVEPOINT_LONG !== undefined;
const FIGHT_SECONDS = isLong ? 60 : 2;
const FIGHTERS = ["a", "b", "c", "d"].slice(0, isLong ? 4 : 3);
/** How often the server dies. */
const CRASHES = isLong ? 5 : 1;

describe.skipIf(!hasPostgres)("processes on one Postgres server", () => {
  let server: PostgresServer;
  let built: BuiltProcess | undefined;
  beforeAll(async () => {
    server = await startPostgres();
    built = await buildProcess(new URL("fighting-writer.ts", import.meta.url));
  }, 120_000);
  afterAll(async () => {
    built?.remove();
    await server.stop();
  });

  function startFighter(address: string, name: string) {
    const child = spawn(process.execPath, [built!.script, address, name, String(FIGHT_SECONDS)], { stdio: ["pipe", "pipe", "pipe"] });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const ready = new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
    const ended = new Promise<{ name: string; output: string; errors: string }>((resolve) =>
      child.on("close", () => resolve({ name, output, errors })),
    );
    return { child, ready: Promise.race([ready, ended]), ended };
  }

  /** All entries, those included that a base stands for. */
  function unfolded(entries: readonly string[]): string[] {
    return entries.flatMap((entry) => {
      const { stands } = JSON.parse(entry) as { stands?: readonly string[] };
      return stands === undefined ? [entry] : unfolded(stands);
    });
  }

  test(
    "D8: stopped, killed, cut off and left by their server, they lose no acknowledged entry, and none is there twice",
    async () => {
      const address = server.newPlace();
      const fighters = FIGHTERS.map((name) => startFighter(address, name));
      await Promise.all(fighters.map(({ ready }) => ready));
      for (const { child } of fighters) child.stdin.write("begin\n");
      const stopping = setInterval(() => {
        const { child } = fighters[Math.floor(Math.random() * fighters.length)]!;
        child.kill("SIGSTOP");
        setTimeout(() => child.kill("SIGCONT"), Math.random() * 50);
      }, 40);
      const cutter = new pg.Pool({ connectionString: address, max: 1 });
      cutter.on("error", () => {});
      const cutting = setInterval(() => {
        const others =
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
        cutter.query(others).catch(() => {});
      }, 400);
      const isOver = Promise.all(fighters.map(({ ended }) => ended));
      for (let crash = 0; crash < CRASHES; crash += 1) {
        await new Promise((resolve) => setTimeout(resolve, (FIGHT_SECONDS * 1_000) / (CRASHES + 1)));
        await server.crash();
      }
      fighters[0]!.child.kill("SIGKILL");
      const results = await isOver;
      clearInterval(stopping);
      clearInterval(cutting);
      await cutter.end();

      expect(results.map(({ errors }) => errors)).toEqual(FIGHTERS.map(() => ""));
      // What a killed process wrote last may be cut in the middle of a line.
      const lines = results.flatMap(({ output }) => output.split("\n").slice(0, -1));
      const told = (verdict: string): readonly string[] =>
        lines.filter((line) => line.startsWith(verdict)).map((line) => line.slice(verdict.length));
      const store = await openStore(address);
      const entries = unfolded(await store.read("run_a"));
      expect(new Set(entries).size).toBe(entries.length);
      const stored = new Set(entries);
      expect(told("won ").filter((entry) => !stored.has(entry))).toEqual([]);
      expect(told("lost ").filter((entry) => stored.has(entry))).toEqual([]);
      const won = new Set(told("won "));
      const maybe = new Set(told("maybe "));
      const unreported = entries.filter((entry) => !won.has(entry) && !maybe.has(entry));
      // The one that was killed may have died between the commit and its report.
      expect(unreported.length).toBeLessThanOrEqual(1);
      expect(unreported.every((entry) => entry.includes(`"name":"${FIGHTERS[0]}"`))).toBe(true);
      expect(won.size).toBeGreaterThan(0);
      // On a busy machine they may hardly meet in two seconds; in a minute they do.
      if (isLong) expect([told("lost ").length > 0, maybe.size > 0]).toEqual([true, true]);
      expect(await store.head("run_a")).toMatchObject({ revision: entries.length, entries: entries.length });
      await store.close();
    },
    isLong ? 300_000 : 60_000,
  );
});
