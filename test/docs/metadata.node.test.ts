import { describe, expect, test } from "vitest";
import { BLOCK_METADATA, ITEM_FIELDS, ITEM_METADATA, RUN_METADATA } from "../../src/core/expression/normalize-reference.ts";
import { readDocuments } from "./documents.ts";

const PAGES = ["docs/language.md", "docs/control-flow.md"];

/** The fields of a namespace that have a row of their own in the pages on workflow files. */
function fieldsOf(namespace: string): readonly string[] {
  const text = readDocuments()
    .filter(({ path }) => PAGES.includes(path))
    .map((page) => page.text)
    .join("\n");
  const rows = [...text.matchAll(/^\| `\$\{([a-z.]+)\.([a-z_]+)\}` +\|/gm)];
  return rows.filter(([, before]) => before === namespace).map(([, , field]) => field!);
}

describe("the pages on workflow files have a row for everything that a reference may name", () => {
  test.each([
    ["metadata", RUN_METADATA],
    ["blocks.id.metadata", [...BLOCK_METADATA, ...ITEM_METADATA]],
    ["each", ITEM_FIELDS],
  ])("of %s", (namespace, names) => {
    expect(names.length).toBeGreaterThan(2);
    expect(
      fieldsOf(namespace)
        .filter((field) => field !== "field")
        .toSorted(),
    ).toEqual(names.toSorted());
  });
});
