import { vi } from "vitest";

// In tests the state of a run is read-only outside the machine: what else writes to it fails where it does.
vi.mock(import("../../src/core/machine/folded-run.ts"), async (importOriginal) => {
  const original = await importOriginal();
  const { readOnly } = await import("./read-only.ts");
  const { prototype } = original.FoldedRun;
  const { get } = Object.getOwnPropertyDescriptor(prototype, "state") as { get(this: object): object };
  Object.defineProperty(prototype, "state", {
    get(this: object) {
      return readOnly(get.call(this));
    },
  });
  return original;
});
