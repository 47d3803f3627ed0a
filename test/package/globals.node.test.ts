import { execFileSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildCopy } from "./built-copy.ts";
import type { Built } from "../support/build-once.ts";
import { listPublicEntries } from "./public-entries.ts";

const SCRIPT = fileURLToPath(new URL("import-untouched.mjs", import.meta.url));

/** What libraries do by themselves that a part of the package stands on: lit tells its version, and looks whether there is a document; so does Vue. What speaks MCP stands on zod. */
const OF_ZOD = ["__zod_globalConfig", "__zod_globalRegistry"];
const OF_LIBRARIES: ReadonlyMap<string, Pick<Report, "made" | "read">> = new Map([
  ["wavepoint/vue", { made: ["__VUE_HMR_RUNTIME__", "__VUE_INSTANCE_SETTERS__", "__VUE_SSR_SETTERS__"], read: ["window", "document"] }],
  ["wavepoint/mcp", { made: OF_ZOD, read: ["navigator"] }],
  ["wavepoint/server", { made: OF_ZOD, read: [] }],
  ["wavepoint/mcp/client", { made: OF_ZOD, read: ["navigator", "crypto"] }],
  ["wavepoint/dashboard", { made: ["litHtmlVersions"], read: ["document"] }],
  ["wavepoint/elements", { made: ["litHtmlVersions"], read: ["document"] }],
]);

interface Report {
  readonly names: readonly string[];
  readonly made: readonly string[];
  readonly read: readonly string[];
}

function importApart(module: string): Report {
  return JSON.parse(execFileSync(process.execPath, [SCRIPT, module], { encoding: "utf8" })) as Report;
}

describe("importing a public entry on a server", () => {
  let copy: Built | undefined;
  beforeAll(() => {
    copy = buildCopy();
  });
  afterAll(() => copy?.remove());

  test.each(listPublicEntries())("$name reads and makes no global", ({ name, built }) => {
    const { names, made, read } = importApart(pathToFileURL(`${copy?.folder}${built}`).href);
    expect(names).not.toEqual([]);
    expect({ made, read }).toEqual(OF_LIBRARIES.get(name) ?? { made: [], read: [] });
  });
});

test("a module that does touch globals is found out", () => {
  const source = "export const seen = typeof document; navigator?.onLine; globalThis.leak = 1;";
  const { made, read } = importApart(`data:text/javascript,${encodeURIComponent(source)}`);
  expect(made).toEqual(["leak"]);
  expect(read).toEqual(["document", "navigator"]);
});
