import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";
import { storeConformance } from "wavepoint/testing";
import { type ClaimAbandoner, claimAbandoner } from "../support/abandon-claim.ts";

let abandoner: ClaimAbandoner | undefined;
beforeAll(async () => {
  abandoner = await claimAbandoner();
}, 120_000);
afterAll(() => abandoner?.remove());

const cases = storeConformance(async () => {
  const directory = await mkdtemp(join(tmpdir(), "wavepoint-"));
  const warnings: string[] = [];
  return {
    open: async () => filesystemStore(directory, { onWarning: (message) => warnings.push(message) }),
    abandon: (run) => abandoner!.abandon(`file:${directory}`, run),
    async dispose() {
      const left = await Promise.all(["temp", "claims"].map((name) => readdir(join(directory, name)).catch(() => [])));
      await rm(directory, { recursive: true });
      if (warnings.length + left.flat().length > 0) throw new Error(`Warned or left behind: ${[...warnings, ...left.flat()].join("; ")}`);
    },
  };
});

for (const { name, run } of cases) test(name, run, 60_000);
