import type { Node, Pair, Scalar } from "yaml";
import { isMap, isScalar, isSeq } from "yaml";
import type { YamlEntry, YamlNode, YamlScalar } from "./tree.ts";

/** The tree of what the parser of the whole language made. */
export function toTree(node: Node | null): YamlNode | null {
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
