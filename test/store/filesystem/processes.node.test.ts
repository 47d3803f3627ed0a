import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";

const FIGHT_SECONDS = 3;

test("processes that fight for one run, stopped and continued at will, lose no acknowledged entry and leave none that was refused", async () => {
  const directory = mkdtempSync(join(tmpdir(), "wavepoint-"));
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
  const fighters = ["a", "b", "c"].map((name) => {
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
  const results = await Promise.all(fighters.map(({ ended }) => ended));
  clearInterval(stopping);

  expect(results.map(({ errors }) => errors)).toEqual(["", "", ""]);
  const lines = results.flatMap(({ output }) => output.trim().split("\n"));
  const told = (verdict: string): string[] =>
    lines
      .filter((line) => line.startsWith(verdict))
      .map((line) => line.slice(verdict.length))
      .toSorted();
  const store = filesystemStore(data);
  const entries = await store.read("run_a");
  expect(entries.toSorted()).toEqual(told("won "));
  expect(told("lost ").length).toBeGreaterThan(0);
  expect(await store.head("run_a")).toMatchObject({ revision: entries.length, entries: entries.length });
  expect(readdirSync(join(data, "temp"))).toEqual([]);
  await store.close();
  rmSync(directory, { recursive: true });
}, 30_000);
