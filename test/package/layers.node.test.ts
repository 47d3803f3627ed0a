import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readImports, type Import } from "./read-imports.ts";
import { readSources, ROOT } from "./source-files.ts";

/**
 * What each part of the house may import besides itself. "entry" is the public entry and the files beside it.
 * CONTRIBUTING.md says the same in words.
 */
const ALLOWED: ReadonlyMap<string, readonly string[]> = new Map([
  ["core/model/", []],
  ["core/expression/", ["core/model/"]],
  ["core/ports/", ["core/model/"]],
  ["core/engine/", ["core/model/", "core/expression/", "core/ports/"]],
  ["core/blocks/", ["core/model/", "core/expression/", "core/ports/"]],
  ["yaml/", ["core/"]],
  ["graph/", ["core/model/", "core/engine/"]],
  ["registry/", ["core/", "yaml/"]],
  ["store/", ["core/model/", "core/ports/"]],
  ["encryption/", ["core/model/", "core/ports/"]],
  ["browser/", ["core/", "graph/"]],
  ["bindings/", ["core/", "browser/"]],
  // An application, not a part: it stands on the public entry like any other.
  ["node/cli/", ["core/", "yaml/", "graph/", "registry/", "store/", "encryption/", "node/", "entry"]],
  ["node/", ["core/", "yaml/", "registry/", "store/"]],
  ["testing/", ["core/"]],
  ["network/", ["core/model/", "core/ports/"]],
  ["mcp/", ["core/", "yaml/", "graph/", "registry/", "store/", "browser/", "node/", "testing/"]],
  ["entry", ["core/", "store/", "browser/", "network/"]],
]);

/** The one file that knows several stores: it picks one by the form of its address. */
const STORE_CHOOSER = "store/open.ts";

const sources = readSources();
const imports = sources.flatMap(readImports);
const local = imports.filter((found): found is Import & { readonly target: string } => found.target !== undefined);
const foreign = imports.filter((found) => found.target === undefined);

const standsIn = (part: string, path: string) => (part === "entry" ? !path.includes("/") : path.startsWith(part));
const partOf = (path: string) => [...ALLOWED.keys()].find((part) => standsIn(part, path));
const show = ({ from, specifier }: Import) => `${from} imports ${specifier}`;

/** `store/filesystem.ts` and everything in `store/filesystem/` are one store. */
const storeOf = (path: string) => path.split("/")[1]?.replace(/\.ts$/, "");
const storeEntries = new Set(readStoreEntries());

function readStoreEntries(): string[] {
  const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { exports: Record<string, unknown> };
  return Object.keys(exports).flatMap((subpath) => /^\.\/store\/(.+)$/.exec(subpath)?.[1] ?? []);
}

describe("the scan itself", () => {
  test("saw the package", () => {
    expect(sources.length).toBeGreaterThan(40);
    expect(local.length).toBeGreaterThan(100);
    expect(foreign.length).toBeGreaterThan(5);
    expect(storeEntries.size).toBeGreaterThan(2);
  });

  test("sees every way to import, and none in a comment", () => {
    const text = [
      'import { a } from "./a.ts";',
      'import type {\n  B,\n} from "../b.ts";',
      'export * from "c";',
      'import "./d.ts";',
      'const e = await import("e");',
      '// import { f } from "f";',
      '/** import { g } from "g"; */',
    ].join("\n");
    const found = readImports({ path: "x/y.ts", text });
    expect(found.map(({ specifier }) => specifier)).toEqual(["./a.ts", "../b.ts", "c", "./d.ts", "e"]);
    expect(found.map(({ target }) => target)).toEqual(["x/a.ts", "b.ts", undefined, "x/d.ts", undefined]);
  });

  test("knows the place of every file", () => {
    expect(sources.map(({ path }) => path).filter((path) => partOf(path) === undefined)).toEqual([]);
  });
});

describe("the direction of imports", () => {
  test("each part imports only what stands below it", () => {
    const wrong = local.filter(({ from, target }) => {
      const own = partOf(from);
      return own === undefined || ![own, ...(ALLOWED.get(own) ?? [])].some((part) => standsIn(part, target));
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test("no store imports another", () => {
    const wrong = local.filter(({ from, target }) => {
      if (!from.startsWith("store/") || !target.startsWith("store/") || from === STORE_CHOOSER) return false;
      const imported = storeOf(target);
      return imported !== undefined && storeEntries.has(imported) && imported !== storeOf(from);
    });
    expect(wrong.map(show)).toEqual([]);
  });

  test("every relative import names a file that exists", () => {
    const paths = new Set(sources.map(({ path }) => path));
    expect(local.filter(({ target }) => !paths.has(target)).map(show)).toEqual([]);
  });
});

describe("packages", () => {
  test("only declared ones are imported", () => {
    const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as Record<string, Record<string, string> | undefined>;
    const declared = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})];
    expect(declared.length).toBeGreaterThan(3);
    const undeclared = foreign.filter(
      ({ specifier }) => !specifier.startsWith("node:") && !declared.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
    );
    expect(undeclared.map(show)).toEqual([]);
  });

  test("Node's own modules are imported only where only Node loads them", () => {
    const nodeOnly = ["node/", "store/filesystem.ts", "store/filesystem/"];
    const misplaced = foreign.filter(
      ({ from, specifier }) => specifier.startsWith("node:") && !nodeOnly.some((place) => from.startsWith(place)),
    );
    expect(misplaced.map(show)).toEqual([]);
  });
});

describe("the size of files", () => {
  const lengths = sources.map(({ text }) => text.trimEnd().split("\n").length).toSorted((a, b) => a - b);

  test("half of the files stay under 130 lines", () => {
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(130);
  });

  test("nine in ten stay under 300", () => {
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThan(300);
  });

  test("no name says nothing", () => {
    const vague = /(?:^|\/)(?:utils?|helpers?|types|common|misc|shared)(?:\/|\.ts$)/;
    expect(sources.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
  });
});
