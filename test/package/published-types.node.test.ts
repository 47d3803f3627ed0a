import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildCopy } from "./built-copy.ts";
import type { Built } from "../support/build-once.ts";
import { listPublicEntries } from "./public-entries.ts";
import { ROOT } from "./source-files.ts";

const PAGE = ["es2022", "dom", "dom.iterable"];

// Elements are about a document, the own types of Vue and of Svelte's elements too; a worker is made by a page.
const OF_ELEMENTS = ["", "/ar", "/compact", "/de", "/es", "/fr", "/gov"].map((name) => `wavepoint/elements${name}`);
const NEEDS_PAGE = [...OF_ELEMENTS, "wavepoint/dashboard", "wavepoint/vue", "wavepoint/svelte"];
const NEEDS_NODE = ["wavepoint/node", "wavepoint/store/filesystem"];

interface Reader {
  readonly lib: readonly string[];
  readonly types: readonly string[];
  readonly without: readonly string[];
}

const READERS: Readonly<Record<string, Reader>> = {
  "a page": { lib: PAGE, types: [], without: NEEDS_NODE },
  "a worker": { lib: ["es2022", "webworker"], types: [], without: [...NEEDS_NODE, ...NEEDS_PAGE] },
  "a service": { lib: ["es2022"], types: ["node"], without: [...NEEDS_PAGE, "wavepoint/worker"] },
};

let copy: Built;
beforeAll(() => {
  copy = buildCopy();
}, 60_000);
afterAll(() => copy.remove());

/** Packages that users install beside ours for some entries: their own declarations want the DOM, or less strict a compiler. */
const OF_PEERS = /^(?:\.\.\/)*node_modules\/(?:ai|@ai-sdk|@modelcontextprotocol)\//;

/** What the strictest compiler says to code that imports all entries that have a meaning there. */
function compileEntries(reader: Reader, resolution: "nodenext" | "bundler"): string {
  const entries = listPublicEntries().filter(({ name }) => !reader.without.includes(name));
  return compile(reader, resolution, entries.map(({ name }, i) => `export * as entry${i} from "${name}";\n`).join(""));
}

function compile(reader: Reader, resolution: "nodenext" | "bundler", text: string): string {
  writeFileSync(`${copy.folder}reader.ts`, text);
  const compilerOptions = {
    target: "es2022",
    module: resolution === "bundler" ? "esnext" : "nodenext",
    moduleResolution: resolution,
    lib: reader.lib,
    types: reader.types,
    typeRoots: [`${ROOT}node_modules/@types`],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: false,
    // What the compiler brings along is not ours.
    skipDefaultLibCheck: true,
    noEmit: true,
  };
  writeFileSync(`${copy.folder}tsconfig.json`, JSON.stringify({ compilerOptions, files: ["reader.ts"] }));
  // Several threads check what they share once each; the other core is busy with other tests.
  const compiler = [`${ROOT}node_modules/typescript/bin/tsc`, "--singleThreaded", "-p", copy.folder];
  const { stdout } = spawnSync(process.execPath, compiler, { encoding: "utf8" });
  // A line that is set in belongs to the one before.
  const told = stdout.split(/\n(?=\S)/).filter((problem) => !OF_PEERS.test(problem));
  return told.join("\n").trim();
}

/** Each reader and each way to find modules once: neither changes what the other does. The long tier has all pairs. */
const PAIRS: readonly (readonly [reader: string, resolution: "nodenext" | "bundler"])[] =
  process.env.WAVEPOINT_LONG === undefined
    ? [
        ["a page", "bundler"],
        ["a worker", "nodenext"],
        ["a service", "nodenext"],
      ]
    : Object.keys(READERS).flatMap((reader) => [[reader, "nodenext"] as const, [reader, "bundler"] as const]);

test.each(PAIRS)(
  "the types that are published are right for the strictest compiler, in %s, found as %s",
  { timeout: 60_000 },
  (reader, resolution) => {
    expect(compileEntries(READERS[reader]!, resolution)).toBe("");
  },
);

test("a wrong type would be found", { timeout: 60_000 }, () => {
  writeFileSync(`${copy.folder}wrong.d.ts`, "export declare const wrong: Absent;\n");
  expect(compile(READERS["a page"]!, "nodenext", 'export * as wrong from "./wrong.js";\n')).toContain("Cannot find name 'Absent'");
});
