import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { plantFault, type Fault } from "../../scripts/planted-faults/fault.mjs";
import { ROOT } from "./source-files.ts";

const FOLDER = `${ROOT}scripts/planted-faults/faults/`;
const names = readdirSync(FOLDER);

test("there are faults to plant", () => {
  expect(names.length).toBeGreaterThan(20);
});

test.each(names)("%s can be planted, and the tests that find it are there", async (name) => {
  const { fault } = (await import(/* @vite-ignore */ `${FOLDER}${name}`)) as { readonly fault: Fault };
  expect(() => plantFault(fault)).not.toThrow();
  expect(fault.foundBy.length).toBeGreaterThan(0);
  for (const { file } of fault.foundBy) expect(existsSync(`${ROOT}${file}`), file).toBe(true);
});
