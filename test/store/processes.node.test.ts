import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openStore } from "wavepoint/store/open";
import { s3Store } from "wavepoint/store/s3";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { AWS_KEYS, signedFetch, startS3Stub } from "../support/s3-stub.ts";

const isLong = process.env.WAVEPOINT_LONG !== undefined;
const FIGHT_SECONDS = isLong ? 60 : 2;
const FIGHTERS = ["a", "b", "c", "d", "e", "f", "g", "h"].slice(0, isLong ? 8 : 3);

let built: BuiltProcess | undefined;
beforeAll(async () => {
  built = await buildProcess(new URL("fighting-writer.ts", import.meta.url));
}, 120_000);
afterAll(() => built?.remove());

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** All entries, those included that a base stands for. */
function unfolded(entries: readonly string[]): string[] {
  return entries.flatMap((entry) => {
    const { stands } = JSON.parse(entry) as { stands?: readonly string[] };
    return stands === undefined ? [entry] : unfolded(stands);
  });
}

test.each(["file", "sqlite", "s3", ...(hasRedis ? ["redis"] : [])])(
  "D8: %s: processes that fight for one run, stopped and continued at will, lose no acknowledged entry and leave none that was refused",
  async (scheme) => {
    const server = scheme === "redis" ? await startRedis() : undefined;
    const stub = scheme === "s3" ? await startS3Stub() : undefined;
    const env = stub ? { ...process.env, ...AWS_KEYS, AWS_ENDPOINT_URL_S3: stub.endpoint } : process.env;
    const openPlace = async () => (stub ? s3Store({ bucket: stub.bucket, prefix: "fight", fetch: signedFetch }) : openStore(address));
    const address = stub ? "s3://runs/fight" : (server?.newPlace() ?? `${scheme}:${join(directory, "data")}`);
    const fighters = FIGHTERS.map((name) => {
      const child = spawn(process.execPath, [built!.script, address, name, String(FIGHT_SECONDS)], {
        stdio: ["pipe", "pipe", "pipe"],
        env,
      });
      let output = "";
      let errors = "";
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
      const ready = new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
      const ended = new Promise<{ output: string; errors: string }>((resolve) => child.on("close", () => resolve({ output, errors })));
      return { child, ready: Promise.race([ready, ended]), ended };
    });
    // Its tables are made before a process is stopped that holds them: while SQLite waits for a lock, this process cannot let one continue.
    const onlooker = await openPlace();
    await onlooker.head("run_a");
    // They begin together: of processes that start one after another on a busy machine, one may be done before the next is there.
    await Promise.all(fighters.map(({ ready }) => ready));
    for (const { child } of fighters) child.stdin.write("begin\n");
    const stopping = setInterval(() => {
      const { child } = fighters[Math.floor(Math.random() * fighters.length)]!;
      child.kill("SIGSTOP");
      setTimeout(() => child.kill("SIGCONT"), Math.random() * 30);
    }, 15);
    let fighting = true;
    const ending = Promise.all(fighters.map(({ ended }) => ended)).finally(() => {
      fighting = false;
      clearInterval(stopping);
    });
    for (let reads = 0; fighting; reads += 1) {
      const seen = unfolded(await onlooker.read("run_a", { from: Math.max(0, reads - 100) }));
      expect(seen.every((entry) => "name" in (JSON.parse(entry) as object))).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await onlooker.close();
    const results = await ending;

    expect(results.map(({ errors }) => errors)).toEqual(FIGHTERS.map(() => ""));
    const lines = results.flatMap(({ output }) => output.trim().split("\n"));
    const told = (verdict: string): string[] =>
      lines
        .filter((line) => line.startsWith(verdict))
        .map((line) => line.slice(verdict.length))
        .toSorted();
    const store = await openPlace();
    const stored = await store.read("run_a");
    expect(stored[0]).toContain("stands");
    const entries = unfolded(stored);
    const unknown = new Set(told("maybe "));
    expect(entries.filter((entry) => !unknown.has(entry)).toSorted()).toEqual(told("won "));
    expect(told("lost ").length).toBeGreaterThan(0);
    expect(await store.head("run_a")).toMatchObject({ revision: entries.length, entries: entries.length });
    if (scheme === "file") expect(readdirSync(join(directory, "data", "temp"))).toEqual([]);
    await store.close();
    await server?.stop();
    await stub?.stop();
  },
  300_000,
);
