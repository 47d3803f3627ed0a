import type { Node, Pair, Scalar, YAMLMap } from "yaml";
import { isMap, isScalar, isSeq } from "yaml";
import type { Value } from "../core/model/value.ts";
import { FORBIDDEN_KEYS } from "../core/model/value.ts";
import type { TextProblem } from "./read-yaml.ts";

/**
 * Makes plain data of a tree that {@link readYaml} gave. Reports keys that stand twice, merge keys, forbidden keys, and numbers that JSON
 * cannot hold or that would be rounded.
 */
export function toValue(root: Node | null): { readonly value: Value; readonly problems: readonly TextProblem[] } {
  const problems: TextProblem[] = [];
  return { value: convert(root, problems), problems };
}

function convert(node: unknown, problems: TextProblem[]): Value {
  if (isMap(node)) return convertMap(node, problems);
  if (isSeq(node)) return node.items.map((item) => convert(item, problems));
  if (isScalar(node)) return convertScalar(node, problems);
  return null;
}

function convertMap(map: YAMLMap, problems: TextProblem[]): Value {
  const members: { [key: string]: Value } = {};
  for (const pair of map.items as Pair[]) {
    const key = isScalar(pair.key) ? String(pair.key.value) : "";
    const refusal = refuseKey(key, members);
    if (refusal !== undefined) problems.push({ ...refusal, offset: offsetOf(pair.key) });
    else members[key] = convert(pair.value, problems);
  }
  return members;
}

function refuseKey(key: string, members: { readonly [key: string]: Value }): Omit<TextProblem, "offset"> | undefined {
  if (Object.hasOwn(members, key))
    return { code: "YAML_REFUSED", message: `The key "${key.slice(0, 100)}" stands twice in one YAML mapping. Remove one of them.` };
  if (FORBIDDEN_KEYS.has(key)) return { code: "KEY_FORBIDDEN", message: `"${key}" cannot be a key. Rename it.` };
  if (key === "<<") return { code: "YAML_REFUSED", message: 'YAML merge keys ("<<") are refused. Write the members out.' };
  return undefined;
}

function convertScalar(node: Scalar, problems: TextProblem[]): Value {
  const { value } = node;
  if (typeof value === "number") {
    if (isExact(value, node.source ?? "")) return value === 0 ? 0 : value;
    problems.push({
      code: "SCHEMA_INVALID",
      message: `The number ${(node.source ?? String(value)).slice(0, 60)} cannot be held exactly. Write it in quotation marks, as text.`,
      offset: offsetOf(node),
    });
    return null;
  }
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

/** Whether a number is what its source says, up to the rounding of decimal fractions that everybody expects. */
function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  const isWritten = /^[-+]?(?:\d+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(source);
  if (isWritten) return Number.isSafeInteger(value);
  return value !== 0 || !/[1-9]/.test(source.split(/e/i)[0]!);
}

function offsetOf(node: unknown): number {
  return (node as { readonly range?: readonly number[] | null } | null)?.range?.[0] ?? 0;
}
