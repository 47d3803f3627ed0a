import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "./source-files.ts";

interface LockedPackage {
  readonly integrity?: string;
  readonly resolved?: string;
}

const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, "utf8")) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const installed = Object.entries(packages).filter(([path]) => path.startsWith("node_modules/"));

test("every locked package is fixed by its content, not by the registry it was fetched from", () => {
  expect(installed.length).toBeGreaterThan(50);
  expect(installed.filter(([, locked]) => locked.resolved !== undefined).map(([path]) => path)).toEqual([]);
  expect(installed.filter(([, locked]) => locked.integrity === undefined).map(([path]) => path)).toEqual([]);
});

test("every dependency is pinned to one version", () => {
  const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as Record<string, Record<string, string> | undefined>;
  const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(versions.length).toBeGreaterThan(10);
  // Under a name of its own, too: several versions of the compiler.
  expect(versions.filter(([, version]) => !/^(?:npm:typescript@)?\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});
