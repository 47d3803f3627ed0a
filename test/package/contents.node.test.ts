import { readdirSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readManifest } from "../../scripts/build/manifest.mjs";
import { buildCopy } from "./built-copy.ts";
import type { Built } from "../support/build-once.ts";
import { readImports } from "./read-imports.ts";

let copy: Built;
let files: readonly string[];
beforeAll(() => {
  copy = buildCopy();
  files = readdirSync(copy.folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    // What `init` writes and the pages of `dev` and `serve --ui` are checked by their own tests.
    .filter((path) => statSync(`${copy.folder}${path}`).isFile() && !/^(?:templates|dev|dashboard)\//.test(path));
}, 60_000);
afterAll(() => copy.remove());

const read = (path: string) => readFileSync(`${copy.folder}${path}`, "utf8");
const ending = (text: string) => files.filter((path) => path.endsWith(text));

interface Published {
  readonly exports: { readonly [subpath: string]: string | { readonly types: string; readonly default: string } };
  readonly dependencies: object;
  readonly peerDependencies: object;
}

test("what is published is few files, and none that users do not need", () => {
  const kinds = new Set(files.map((path) => posix.basename(path).replace(/^.*?(?=\.(?:js|d\.ts|js\.map|json|md|txt)$)/, "")));
  expect([...kinds].toSorted()).toEqual([".d.ts", ".js", ".js.map", ".json", ".md", ".txt", "LICENSE"]);
  expect(ending(".js").length).toBeLessThan(115);
  expect(files.length).toBeLessThan(560);
  expect(files.reduce((sum, path) => sum + statSync(`${copy.folder}${path}`).size, 0)).toBeLessThan(10_400_000);
});

test("every source stands once in the source maps", () => {
  const maps = ending(".js.map").map((path) => ({ path, map: JSON.parse(read(path)) as { sources: string[]; sourcesContent: string[] } }));
  const sources = maps.flatMap(({ path, map }) => map.sources.map((source) => posix.join(posix.dirname(path), source)));
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter((source) => !/^(?:src|node_modules)\//.test(source))).toEqual([]);
  expect(sources.length).toBe(new Set(sources).size);
});

test("each subpath is a file of its name, for tools that read no exports, and says nothing of the project", () => {
  const manifest = JSON.parse(read("package.json")) as Published;
  const targets = Object.entries(manifest.exports);
  expect(targets.map(([subpath]) => subpath)).toEqual(Object.keys(readManifest().exports));
  for (const [subpath, target] of targets) {
    const { types, default: path } = typeof target === "string" ? { types: undefined, default: target } : target;
    if (types !== undefined) expect(files).toContain(types.slice(2));
    expect(files).toContain(path.slice(2));
    if (subpath !== ".") expect(path.replace(/\.js$/, "")).toBe(subpath);
  }
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["scripts", "devDependencies", "private"]));
  expect(read("package.json")).not.toContain("wavepoint:source");
});

test.each(["@huggingface/jinja", "re2js"])("%s is loaded with what uses it alone", (name) => {
  const all = ending(".js").flatMap((path) => readImports({ path, text: read(path) }));
  const users = all.filter(({ specifier }) => specifier.startsWith(name)).map(({ from }) => from);
  expect(users.length).toBe(1);
  expect(all.filter(({ target, isDynamic }) => !isDynamic && users.includes(target ?? "")).map(({ from }) => from)).toEqual([]);
});

test("the modules import nothing that the package does not depend on", () => {
  const { dependencies, peerDependencies } = JSON.parse(read("package.json")) as Published;
  const declared = [...Object.keys(dependencies), ...Object.keys(peerDependencies), "wavepoint"];
  const imports = ending(".js").flatMap((path) => readImports({ path, text: read(path) }));
  const foreign = imports.filter(({ target, specifier }) => target === undefined && !specifier.startsWith("node:"));
  expect(foreign.length).toBeGreaterThan(5);
  expect(foreign.filter(({ specifier }) => !declared.some((name) => specifier === name || specifier.startsWith(`${name}/`)))).toEqual([]);
});

test("no two modules wait for each other while they load", () => {
  const importsAtOnce = (path: string) =>
    [...read(path).matchAll(/^(?:import|export)\b[^"]*?"(\.[^"]+)"/gm)].map(([, to]) => posix.join(posix.dirname(path), to!));
  const settled = new Set<string>();
  const visit = (path: string, above: readonly string[]): void => {
    expect(above, `${[...above, path].join(" imports ")}`).not.toContain(path);
    if (settled.has(path)) return;
    for (const imported of importsAtOnce(path)) visit(imported, [...above, path]);
    settled.add(path);
  };
  for (const path of ending(".js")) visit(path, []);
  expect(settled.size).toBeGreaterThan(20);
});

test("docstrings that users read name nothing that only this project's makers know", () => {
  const declarations = ending(".d.ts");
  expect(declarations.length).toBeGreaterThan(50);
  // Numbers of rules and promises, and the documents that the rules come from. S3 is a service.
  const internal = /\b[Ss]eeds? \d|\b(?!S3\b)[SD]\d{1,2}\b|\b[Rr]ules? \d|SEMANTICS|PROMISES/;
  const found = declarations.flatMap((path) =>
    read(path)
      .split("\n")
      .filter((line) => internal.test(line)),
  );
  expect(found).toEqual([]);
});
