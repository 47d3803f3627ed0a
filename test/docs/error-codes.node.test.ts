import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "../package/source-files.ts";

const source = readFileSync(`${ROOT}src/core/model/errors.ts`, "utf8");
const union = /export type ErrorCode =([\s\S]*?);/.exec(source)![1]!;
const codes = [...union.matchAll(/\| "([A-Z_]+)"/g)].map(([, code]) => code!);

const guide = readFileSync(`${ROOT}docs/errors.md`, "utf8");
const listed = [...guide.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code!);

test("docs/errors.md lists every code once, in the order of the source", () => {
  expect(codes.length).toBeGreaterThan(50);
  expect(listed).toEqual(codes);
});
