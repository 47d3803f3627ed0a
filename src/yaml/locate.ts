import { offsetInScalar } from "./offset-in-scalar.ts";
import type { YamlNode } from "./tree.ts";

const PART = /\.?([^.[\]]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * The offset (from 0) where a path, for example `blocks[2].inputs.message`, stands in a text: that of the key or of the value. Where the
 * path leads nowhere, as for a key that is missing, the offset of the last part that exists. `column` is the position (from 1) inside a
 * text value that the offset should point at.
 */
export function locate(
  { text, root }: { readonly text: string; readonly root: YamlNode | null },
  path: string,
  options: { readonly at: "key" | "value"; readonly column?: number | undefined },
): number {
  const parts = splitPath(path);
  let node: YamlNode | undefined = root ?? undefined;
  let offset = root?.start ?? 0;
  for (const [i, part] of parts.entries()) {
    if (node?.kind === "map") {
      const entry = node.entries.find(({ key }) => key === part);
      if (entry === undefined) return offset;
      node = entry.value;
      offset = options.at === "key" && i === parts.length - 1 ? entry.keyStart : (node?.start ?? entry.keyStart);
    } else if (node?.kind === "list") {
      node = node.items[Number(part)];
      offset = node?.start ?? offset;
    } else {
      return offset;
    }
  }
  return options.at === "value" && options.column !== undefined && node?.kind === "scalar"
    ? offsetInScalar(text, node, options.column - 1)
    : offset;
}

function splitPath(path: string): readonly string[] {
  const parts: string[] = [];
  PART.lastIndex = 0;
  for (let match = PART.exec(path); match !== null; match = PART.exec(path)) {
    parts.push(match[1] ?? match[2] ?? (JSON.parse(`"${match[3]}"`) as string));
  }
  return parts;
}
