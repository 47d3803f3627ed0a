import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sleeping, until } from "./sleeping.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "wavepoint-held-"));
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["wavepoint:source"] },
    build: {
      ssr: fileURLToPath(new URL("held-command.ts", import.meta.url)),
      outDir: folder,
      rollupOptions: { output: { entryFileNames: "held-command.mjs" } },
    },
    ssr: { noExternal: true, resolve: { conditions: ["wavepoint:source"] } },
  });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

test.each([
  { how: "SIGTERM", seconds: "3006", end: [null, "SIGTERM"] },
  { how: "SIGINT", seconds: "3007", end: [null, "SIGINT"] },
  { how: "its own exit", seconds: "3008", end: [7, null] },
] as const)("a command does not outlive the process that runs it, which ends by $how", async ({ how, seconds, end }) => {
  const child = spawn(process.execPath, [join(folder, "held-command.mjs"), folder, seconds], { stdio: ["pipe", "ignore", "ignore"] });
  const ended = once(child, "exit");
  await until(async () => (await sleeping(seconds)).length === 2);
  if (how === "its own exit") child.stdin.end();
  else child.kill(how);
  expect(await ended).toEqual(end);
  await until(async () => (await sleeping(seconds)).length === 0);
});
