import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { encryptedStore } from "wavepoint/encryption";
import { filesystemStore } from "wavepoint/store/filesystem";
import { storeConformance } from "wavepoint/testing";
import { keyBytes } from "./keys.ts";

const cases = storeConformance(async () => {
  const directory = await mkdtemp(join(tmpdir(), "wavepoint-"));
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  return {
    open: () => encryptedStore(filesystemStore(directory, { onWarning }), { key: keyBytes(1) }),
    async dispose() {
      await rm(directory, { recursive: true });
      if (warnings.length > 0) throw new Error(`Warned: ${warnings.join("; ")}`);
    },
  };
});

for (const { name, run } of cases) test(name, run, 60_000);
