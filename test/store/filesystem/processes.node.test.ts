import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";

const isLong = process.env.WAVEPOINT_LONG !== undefined;
const FIGHT_SECONDS = isLong ? 60 : 2;
const FIGHTERS = ["a", "b", "c", "d", "e", "f", "g", "h"].slice(0, isLong ? 8 : 3);

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

test("D8: processes that fight for one run, stopped and continued at will, lose no acknowledged entry and leave none that was refused", async () => {
  await build({
    configFile: false,
    logLevel: "silent",
    build: {
      ssr: fileURLToPath(new URL("fighting-writer.ts", import.meta.url)),
      outDir: join(directory, "code"),
      rollupOptions: { output: { entryFileNames: "writer.mjs" } },
    },
    ssr: { noExternal: true },
  });
  const data = join(directory, "data");
  const fighters = FIGHTERS.map((name) => {
    const child = spawn(process.execPath, [join(directory, "code", "writer.mjs"), data, name, String(FIGHT_SECONDS)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    const ended = new Promise<{ output: string; errors: string }>((resolve) => child.on("close", () => resolve({ output, errors })));
    return { child, ended };
  });
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
  const onlooker = filesystemStore(data);
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
  const store = filesystemStore(data);
  const stored = await store.read("run_a");
  expect(stored[0]).toContain("stands");
  const entries = unfolded(stored);
  const unknown = new Set(told("maybe "));
  expect(entries.filter((entry) => !unknown.has(entry)).toSorted()).toEqual(told("won "));
  expect(told("lost ").length).toBeGreaterThan(0);
  expect(await store.head("run_a")).toMatchObject({ revision: entries.length, entries: entries.length });
  expect(readdirSync(join(data, "temp"))).toEqual([]);
  await store.close();
}, 300_000);
