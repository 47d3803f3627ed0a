import { test } from "vitest";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { storeConformance } from "wavepoint/testing";
import { keyBytes } from "./keys.ts";

const cases = storeConformance(
  async () => {
    const store = await encryptedStore(memoryStore(), { key: keyBytes(1) });
    return { open: async () => store, dispose: async () => {} };
  },
  { scale: 20_000 },
);

for (const { name, run } of cases) test(name, run);
