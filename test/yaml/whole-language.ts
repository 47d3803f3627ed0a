import type { Node, Pair, Scalar } from "yaml";
import { Composer, isMap, isScalar, isSeq, Parser } from "yaml";
import type { YamlEntry, YamlNode, YamlScalar } from "../../src/yaml/tree.ts";

/** Something that the library finds wrong, or would warn of. */
export interface LibraryMistake {
  readonly code: string;
  readonly offset: number;
}

/**
 * What the whole library makes of a text: the tree of its one document, and what is wrong, in the order in which the library finds it. There is nothing
 * to compare where it has not one document.
 */
export function readWhole(text: string): { readonly root: YamlNode | null; readonly mistakes: readonly LibraryMistake[] } | undefined {
  const mistakes: LibraryMistake[] = [];
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: false,
    stringKeys: true,
    strict: true,
    logLevel: "silent",
  });
  // The composer reports most through this member, errors and warnings in turn.
  Object.assign(composer, {
    onError: (source: number | readonly number[] | { readonly offset: number }, code: string) => {
      mistakes.push({ code, offset: typeof source === "number" ? source : "offset" in source ? source.offset : source[0]! });
    },
  });
  const documents = [...composer.compose(new Parser().parse(text), true, text.length)];
  if (documents.length !== 1) return undefined;
  const { errors, warnings, contents } = documents[0]!;
  return {
    root: toTree(contents),
    mistakes: [...mistakes, ...[...errors, ...warnings].map(({ code, pos }) => ({ code, offset: pos[0] }))],
  };
}

function toTree(node: Node | null): YamlNode | null {
  return node === null ? null : convert(node);
}

function convert(node: unknown): YamlNode {
  const start = startOf(node);
  if (isMap(node)) return { kind: "map", start, entries: (node.items as Pair[]).map(toEntry) };
  if (isSeq(node)) return { kind: "list", start, items: node.items.map(convert) };
  return isScalar(node) ? toScalar(node, start) : { kind: "scalar", start, inner: -1, value: null, source: "" };
}

function toEntry({ key, value }: Pair): YamlEntry {
  return {
    key: isScalar(key) ? String(key.value) : "",
    keyStart: startOf(key),
    value: value === null ? undefined : convert(value),
  };
}

function toScalar(node: Scalar, start: number): YamlScalar {
  const { value, source = "" } = node;
  if (typeof value === "string") return { kind: "scalar", start, inner: innerOf(node, value), value, source };
  return { kind: "scalar", start, inner: -1, value: typeof value === "number" || typeof value === "boolean" ? value : null, source };
}

/** What is longer than its value by nothing, or by two quotation marks, stands there as it is. */
function innerOf({ range }: Scalar, value: string): number {
  if (!range) return -1;
  const surplus = range[1] - range[0] - value.length;
  return surplus === 0 || surplus === 2 ? range[0] + surplus / 2 : -1;
}

function startOf(node: unknown): number {
  return (node as { readonly range?: readonly number[] | null } | null)?.range?.[0] ?? 0;
}
