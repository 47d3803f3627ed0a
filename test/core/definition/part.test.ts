import { expect, test } from "vitest";
import { definePart } from "../../../src/core/definition/part.ts";

test("a part is imported once, and is there from then on", async () => {
  let imports = 0;
  const part = definePart({ isNeededBy: () => true, load: async () => ++imports });
  await part.load();
  await part.load();
  expect(part.code()).toBe(1);
});

test("a part that is used before it was loaded says so, and one that could not be loaded is tried again", async () => {
  let isOffline = true;
  const load = async (): Promise<string> => {
    if (isOffline) throw new TypeError("Failed to fetch");
    return "code";
  };
  const part = definePart({ isNeededBy: () => true, load });
  await expect(part.load()).rejects.toThrow("Failed to fetch");
  expect(() => part.code()).toThrow("before the part of the engine that it needs was loaded");
  isOffline = false;
  await part.load();
  expect(part.code()).toBe("code");
});
