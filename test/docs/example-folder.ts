import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../package/source-files.ts";
import type { Example } from "./documents.ts";

/** What examples use that is not installed here, or that the reader has anyway. */
const OUTSIDE = `
declare const yamlText: string;
declare function draw(view: unknown): void;
declare module "react" {
  export function useCallback<T>(callback: T, dependencies: readonly unknown[]): T;
  export function useSyncExternalStore<T>(subscribe: (changed: () => void) => () => void, getSnapshot: () => T): T;
}
declare module "*.css";
declare module "*.yaml?raw" {
  const text: string;
  export default text;
}
`;

/** What the page of recipes has readers copy beside its examples. */
const COPIED = ["sandbox.ts", "sql.ts", "survey-js.ts", "without-gaps.ts"];

const OPTIONS = {
  target: "es2023",
  module: "nodenext",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  customConditions: ["wavepoint:source"],
  noEmit: true,
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};

/** A folder of its own, outside the project, in which examples stand as a user's files do: packages are found by their names. */
export interface ExampleFolder {
  readonly path: string;
  /** The name of the file that an example became. */
  nameOf(example: Example): string;
  remove(): void;
}

/** Writes TypeScript examples into a new folder, each as a module. */
export function writeExampleFolder(examples: readonly Example[]): ExampleFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "wavepoint-examples-")));
  const packages = join(path, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(`${ROOT}node_modules`)) {
    if (!name.startsWith(".")) symlinkSync(`${ROOT}node_modules/${name}`, join(packages, name));
  }
  symlinkSync(ROOT, join(packages, "wavepoint"));
  const nameOf = ({ place }: Example): string => `${place.replaceAll(/[^A-Za-z0-9]+/g, "-")}.ts`;
  for (const example of examples) writeFileSync(join(path, nameOf(example)), `${example.text}export {};\n`);
  for (const name of COPIED) copyFileSync(`${ROOT}examples/recipes/${name}`, join(path, name));
  writeFileSync(join(path, "outside.d.ts"), OUTSIDE);
  writeFileSync(join(path, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(path, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, include: ["*.ts"] }));
  return { path, nameOf, remove: () => rmSync(path, { recursive: true, force: true }) };
}
