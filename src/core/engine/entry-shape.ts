import { checkJsonSchema } from "../model/json-schema.ts";
import { isRecord } from "../model/value.ts";

type Test = (value: unknown) => boolean;

export const isText: Test = (value) => typeof value === "string";
export const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber: Test = (value) => Number.isFinite(value);
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText);
const isTrue: Test = (value) => value === true;
const isError: Test = (value) => isRecord(value) && isText(value["code"]) && isText(value["message"]);
const isEarlier: Test = (value) => isRecord(value) && isText(value["state"]) && "response" in value;
const isOneOf =
  (...names: readonly string[]): Test =>
  (value) =>
    names.includes(value as string);

/** What the members of entries hold, whichever entry they stand in. Values of blocks and people are anything. */
const MEMBERS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...["workflow", "definition", "block", "asks", "prompt", "title", "to", "run", "condition"].map((name) => [name, isText] as const),
  ...["item", "pause", "count", "child", "wave", "entries", "ownership"].map((name) => [name, isCount] as const),
  ...["at", "ms", "until"].map((name) => [name, isNumber] as const),
  ...["keys", "path", "callers"].map((name) => [name, isTexts] as const),
  ...["kept", "more", "confirmed", "sensitive", "skippable"].map((name) => [name, isTrue] as const),
  ["error", isError],
  ["reason", (value) => isRecord(value) && isText(value["kind"])],
  ["parent", (value) => isRecord(value) && isText(value["run"]) && isText(value["block"])],
  ["schema", (value) => checkJsonSchema(value).length === 0],
  ["status", isOneOf("completed", "failed", "cancelled")],
  ["action", isOneOf("decline", "cancel", "skip")],
  ["by", isOneOf("timeout", "earlier")],
  ["about", isOneOf("outcome")],
  ["onTimeout", (value) => value === "fail" || value === "skip" || (isRecord(value) && "answer" in value)],
  ["blocks", (value) => isRecord(value) && Object.values(value).every((id) => id === null || isText(id))],
  ["answers", isRecord],
  ["awaits", (value) => value === "caller" || (isRecord(value) && (isCount(value["pause"]) || isText(value["call"])))],
]);

/** What an entry cannot be without, beside its instant. */
const NEEDED: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  ["started", ["version", "workflow", "definition", "inputs"]],
  ["completed", ["block"]],
  ["failed", ["block", "error"]],
  ["skipped", ["block", "reason"]],
  ["paused", ["block", "pause", "prompt", "schema"]],
  ["items", ["block", "count"]],
  ["attempted", ["block", "error", "until"]],
  ["iterated", ["block"]],
  ["waiting", ["block", "until"]],
  ["answered", ["pause", "response"]],
  ["reopened", ["pause", "error"]],
  ["called", ["block"]],
  ["stopped", ["block"]],
  ["base", ["entries", "definition", "state"]],
  ["began", ["block"]],
  ["revises", ["run"]],
  ["moved", ["definition"]],
  ["transferred", ["to", "ownership"]],
  ["arrived", ["ownership"]],
  ["finished", ["status"]],
]);

/** Whether the members of an entry are of the kinds that are written, whatever they say. An entry of an unknown kind is told by whoever folds it. */
export function isEntryShaped(entry: unknown): boolean {
  if (!isRecord(entry) || !isNumber(entry["at"])) return false;
  if (!(NEEDED.get(entry["type"]) ?? []).every((name) => Object.hasOwn(entry, name))) return false;
  return Object.entries(entry).every(([name, value]) => {
    if (name === "earlier") return entry["type"] === "paused" ? isEarlier(value) : isRecord(value) && Object.values(value).every(isEarlier);
    return value === undefined || (MEMBERS.get(name)?.(value) ?? true);
  });
}
