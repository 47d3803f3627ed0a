/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { GENERATED_WORKFLOWS, restoreLongTexts } from "./hostile/generate.ts";
import manifest from "./hostile/manifest.json?raw";
import { openBrowserSite } from "./hostile-runner/browser-site.ts";
import { judgeHostile } from "./hostile-runner/judge.ts";
import { showInPage } from "./hostile-runner/show-in-page.ts";
import type { HostileInput } from "./hostile-runner/verdict.ts";

const FILES = import.meta.glob<string>(["./hostile/workflows/*", "./hostile/tables/*", "./hostile/checkpoints/*"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const { inputs: listed } = JSON.parse(manifest) as { readonly inputs: readonly HostileInput[] };
/** What only an operating system has, and what is not there yet. */
const inputs = listed.filter(({ id, kind }) => kind !== "mcp" && !id.startsWith("F05"));
let opened = 0;

function readContent({ file, row }: HostileInput): unknown {
  const text = GENERATED_WORKFLOWS.get(file)?.() ?? FILES[`./hostile/${file}`]!;
  return row === undefined ? text : (restoreLongTexts(JSON.parse(text)) as { readonly rows: readonly unknown[] }).rows[row];
}

it("finds the hostile inputs", () => {
  expect(inputs.length).toBeGreaterThan(150);
});

describe("S7, S11, S13: hostile inputs get the expected verdict in a page", () => {
  it.each(inputs)("$id: $attack", async (input) => {
    const stores = [async () => memoryStore(), async () => indexedDbStore({ name: `hostile-${(opened += 1)}` })];
    const verdict = await judgeHostile(input, readContent(input), {
      stopwatch: () => () => 0,
      platform: "browser",
      stores,
      openSite: openBrowserSite,
      showPrompt: showInPage,
    });
    expect(verdict.status === "failed" ? verdict : "no failure").toBe("no failure");
    if (verdict.status === "not-applicable") expect(input.platform ?? input.kind).toMatch(/^(?:win32|checkpoint)$/);
  });
});
