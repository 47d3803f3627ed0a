import { MAX_PROBLEMS, memberPath } from "../core/definition/definition.ts";
import type { Value } from "../core/model/value.ts";
import { FORBIDDEN_KEYS } from "../core/model/value.ts";
import type { TextProblem } from "./read-yaml.ts";
import type { YamlMap, YamlNode, YamlScalar } from "./tree.ts";

/**
 * Makes plain data of a tree that {@link readYaml} gave. Reports keys that stand twice, merge keys, forbidden keys, and numbers that JSON
 * cannot hold or that would be rounded: as many as are ever told.
 */
export function toValue(root: YamlNode | null): { readonly value: Value; readonly problems: readonly TextProblem[] } {
  const problems: TextProblem[] = [];
  return { value: convert(root ?? undefined, undefined, problems), problems };
}

/** The way down to a node. Written out as a path only for a problem. */
interface Way {
  readonly from: Way | undefined;
  readonly part: string | number;
}

function convert(node: YamlNode | undefined, way: Way | undefined, problems: TextProblem[]): Value {
  switch (node?.kind) {
    case "map":
      return convertMap(node, way, problems);
    case "list":
      return node.items.map((item, i) => convert(item, { from: way, part: i }, problems));
    case "scalar":
      return convertScalar(node, way, problems);
    default:
      return null;
  }
}

function convertMap(map: YamlMap, way: Way | undefined, problems: TextProblem[]): Value {
  const members: { [key: string]: Value } = {};
  for (const { key, keyStart, value } of map.entries) {
    const refusal = refuseKey(key, members);
    const inner: Way = { from: way, part: key };
    if (refusal === undefined) members[key] = convert(value, inner, problems);
    else if (problems.length < MAX_PROBLEMS) problems.push({ ...refusal, offset: keyStart, path: pathOf(inner) });
  }
  return members;
}

function pathOf(way: Way | undefined): string {
  if (way === undefined) return "";
  const path = pathOf(way.from);
  return typeof way.part === "number" ? `${path}[${way.part}]` : memberPath(path, way.part);
}

function refuseKey(key: string, members: { readonly [key: string]: Value }): Omit<TextProblem, "offset" | "path"> | undefined {
  if (Object.hasOwn(members, key))
    return { code: "YAML_REFUSED", message: `The key "${key.slice(0, 100)}" stands twice in one YAML mapping. Remove one of them.` };
  if (FORBIDDEN_KEYS.has(key)) return { code: "KEY_FORBIDDEN", message: `"${key}" cannot be a key. Rename it.` };
  if (key === "<<") return { code: "YAML_REFUSED", message: 'YAML merge keys ("<<") are refused. Write the members out.' };
  return undefined;
}

function convertScalar({ value, source, start }: YamlScalar, way: Way | undefined, problems: TextProblem[]): Value {
  if (typeof value !== "number") return value;
  if (isExact(value, source)) return value === 0 ? 0 : value;
  if (problems.length === MAX_PROBLEMS) return value;
  problems.push({
    code: "SCHEMA_INVALID",
    message: `The number ${source.slice(0, 60)} cannot be held exactly. Write it in quotation marks, as text.`,
    offset: start,
    path: pathOf(way),
  });
  return value;
}

/** Whether a number is what its source says, up to the rounding of decimal fractions that is expected of floating point. */
function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  const isWritten = /^[-+]?(?:\d+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(source);
  if (isWritten) return Number.isSafeInteger(value);
  return value !== 0 || !/[1-9]/.test(source.split(/e/i)[0]!);
}
