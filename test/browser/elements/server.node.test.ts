import "../../support/expect-lit-in-dev-mode.ts";
import { expect, test } from "vitest";

test("a server that renders the page imports the elements, which are nothing there", async () => {
  const { WavepointRun, define, en } = await import("wavepoint/elements");
  const { de } = await import("wavepoint/elements/de");
  expect(typeof WavepointRun).toBe("function");
  // A component that calls it is rendered on the server, too.
  expect(() => define()).not.toThrow();
  const { defineParts } = await import("wavepoint/dashboard");
  expect(() => defineParts()).not.toThrow();
  expect([en.lang, de.lang]).toEqual(["en", "de"]);
  expect(globalThis).not.toHaveProperty("customElements");
});
