import type { Node } from "yaml";
import { isMap, isScalar, isSeq } from "yaml";

const PART = /\.?([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * The offset (from 0) where a path, for example `blocks[2].inputs.message`, stands in a text: that of the key or of the value. Where the
 * path leads nowhere, as for a key that is missing, the offset of the last part that exists. `column` is the position (from 1) inside a
 * text value that the offset should point at; it can where the value stands in one line without escapes.
 */
export function locate(
  root: Node | null,
  path: string,
  options: { readonly at: "key" | "value"; readonly column?: number | undefined },
): number {
  const parts = splitPath(path);
  let node: unknown = root;
  let offset = startOf(root) ?? 0;
  for (const [i, part] of parts.entries()) {
    let key: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === part);
      if (pair === undefined) return offset;
      key = pair.key;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(part)];
    } else {
      return offset;
    }
    const wanted = options.at === "key" && i === parts.length - 1 ? key : node;
    offset = startOf(wanted) ?? startOf(key) ?? offset;
  }
  return offset + (options.at === "value" ? offsetInside(node, options.column) : 0);
}

function offsetInside(node: unknown, column: number | undefined): number {
  if (column === undefined || !isScalar(node) || typeof node.value !== "string" || !node.range) return 0;
  const surplus = node.range[1] - node.range[0] - node.value.length;
  return surplus === 0 || surplus === 2 ? column - 1 + surplus / 2 : 0;
}

function splitPath(path: string): readonly string[] {
  const parts: string[] = [];
  PART.lastIndex = 0;
  for (let match = PART.exec(path); match !== null; match = PART.exec(path)) {
    parts.push(match[1] ?? match[2] ?? (JSON.parse(`"${match[3]}"`) as string));
  }
  return parts;
}

function startOf(node: unknown): number | undefined {
  return (node as { readonly range?: readonly number[] | null } | null | undefined)?.range?.[0];
}
