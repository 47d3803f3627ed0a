import { describe, test } from "vitest";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { storeConformance } from "wavepoint/testing";
import { sharedStore } from "../support/shared-store.ts";
import { keyBytes } from "./keys.ts";

describe("around a store in memory", () => {
  const cases = storeConformance(
    async () => {
      const store = await encryptedStore(memoryStore(), { key: keyBytes(1) });
      return { open: async () => store, dispose: async () => {} };
    },
    { scale: 20_000 },
  );
  for (const { name, run } of cases) test(name, run);
});

describe("several around one store in memory", () => {
  const cases = storeConformance(async () => {
    const view = sharedStore(memoryStore());
    return { open: () => encryptedStore(view(), { key: keyBytes(1) }), dispose: async () => {} };
  });
  for (const { name, run } of cases) test(name, run);
});
