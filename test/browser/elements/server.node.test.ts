import "../../demo/expect-lit-in-dev-mode.ts";
import { expect, test } from "vitest";

test("a server that renders the page imports the elements, which are nothing there", async () => {
  const { WavepointRun, define, en } = await import("wavepoint/elements");
  const { de } = await import("wavepoint/elements/de");
  expect(typeof WavepointRun).toBe("function");
  expect(typeof define).toBe("function");
  expect([en.lang, de.lang]).toEqual(["en", "de"]);
  expect(globalThis).not.toHaveProperty("customElements");
});

test("a refused choice is reported in German by the labels that people see", async () => {
  const { de } = await import("wavepoint/elements/de");
  const params = { enum: ["team", "me"], titles: ["Für ein Team", "me"] };
  expect(de.fieldError!({ instancePath: "", code: "enum", message: "", params })).toBe("muss eines davon sein: Für ein Team, me");
  expect(de.fieldError!({ instancePath: "", code: "enum", message: "", params: { enum: [1, 2] } })).toBe("muss eines davon sein: 1, 2");
});
