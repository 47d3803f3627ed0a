import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, test } from "vitest";
import { directoryPlace } from "./directory-place.ts";
import { watchGroups } from "./groups.ts";

const COMMITS = 400;

test("D4: who reads files that another process writes sees each commit whole or not at all", async () => {
  const place = directoryPlace();
  await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["wavepoint:source"] },
    build: {
      ssr: fileURLToPath(new URL("group-writer.ts", import.meta.url)),
      outDir: join(place.directory, "code"),
      rollupOptions: { output: { entryFileNames: "writer.mjs" } },
    },
    ssr: { noExternal: true },
  });
  const child = spawn(process.execPath, [join(place.directory, "code", "writer.mjs"), place.directory, String(COMMITS)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const store = place.open();
  const { looks, commits } = await watchGroups(store, ended);
  expect([await ended, complaint]).toEqual([0, ""]);
  expect(commits).toBe(COMMITS);
  expect(looks).toBeGreaterThan(20);
  await store.close();
  await place.remove();
}, 60_000);
