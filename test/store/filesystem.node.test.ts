import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesystemStore } from "wavepoint/store/filesystem";
import { storeConformance } from "wavepoint/testing";

const cases = storeConformance(async () => {
  const directory = await mkdtemp(join(tmpdir(), "wavepoint-"));
  const warnings: string[] = [];
  return {
    open: async () => filesystemStore(directory, { onWarning: (message) => warnings.push(message) }),
    async dispose() {
      const left = await Promise.all(["temp", "claims"].map((name) => readdir(join(directory, name)).catch(() => [])));
      await rm(directory, { recursive: true });
      expect({ warnings, left: left.flat() }).toEqual({ warnings: [], left: [] });
    },
  };
});

for (const { name, run } of cases) test(name, run);
