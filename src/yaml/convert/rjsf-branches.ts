import { isRecord, type Value } from "../../core/model/value.ts";
import type { Condition } from "./condition.ts";
import type { Note } from "./draft.ts";
import type { Foreign } from "./foreign.ts";

/** What a schema says of an object under a condition. */
export interface Branch {
  readonly when: Condition;
  /** The members that are asked then. */
  readonly properties: Foreign;
  /** The members that must be given then. */
  readonly required: readonly string[];
  /** The members that the condition looks at. */
  readonly asks: readonly string[];
  readonly at: string;
}

type NameOf = (member: string) => string;
type Resolve = (schema: unknown, pointer: string) => Foreign | undefined;

/**
 * The branches of an object: `dependencies` (`dependentRequired`, `dependentSchemas`), `if`, `then` and `else`, which may stand in an `allOf`. A branch is
 * read where its condition compares members with values; all else is noted.
 */
export function branchesOf(schema: Foreign, nameOf: NameOf, pointer: string, resolve: Resolve, note: Note): readonly Branch[] {
  const conditional = [
    ...(schema["if"] === undefined ? [] : [[schema, pointer] as const]),
    ...(Array.isArray(schema["allOf"]) ? (schema["allOf"] as readonly unknown[]) : []).map(
      (part, i) => [part as Foreign, `${pointer}/allOf/${i}`] as const,
    ),
  ];
  const dependent = ["dependencies", "dependentRequired", "dependentSchemas"].flatMap((keyword) =>
    isRecord(schema[keyword])
      ? Object.entries(schema[keyword]).map(([member, part]) => [member, part, `${pointer}/${keyword}/${member}`] as const)
      : [],
  );
  return [
    ...conditional.flatMap(([part, at]) => ifThenElse(part, nameOf, at, resolve, note)),
    ...dependent.flatMap(([member, part, at]) => dependency(member, part, nameOf, at, resolve, note)),
  ];
}

function ifThenElse(schema: Foreign, nameOf: NameOf, at: string, resolve: Resolve, note: Note): readonly Branch[] {
  const test = resolve(schema["if"], `${at}/if`);
  const read = test && conditionOf(test, nameOf);
  if (read === undefined) {
    note(at, "A condition that does not compare members with values is left out. Write show_if at the fields or rules of the form for it.");
    return [];
  }
  const { when, asks } = read;
  return [
    ...branch(schema["then"], when, asks, `${at}/then`, resolve, note),
    ...branch(schema["else"], { not: when }, asks, `${at}/else`, resolve, note),
  ];
}

/** What depends on a member being given, or on which value it has. */
function dependency(member: string, written: unknown, nameOf: NameOf, at: string, resolve: Resolve, note: Note): readonly Branch[] {
  const given: Condition = { answered: nameOf(member) };
  if (Array.isArray(written)) return [{ when: given, properties: {}, required: written.map(String), asks: [member], at }];
  const part = resolve(written, at);
  const ways = part?.["oneOf"] ?? part?.["anyOf"];
  const always = branch(written, given, [member], at, resolve, note);
  if (!Array.isArray(ways)) return always;
  return [
    ...always,
    ...(ways as readonly unknown[]).flatMap((one, i): readonly Branch[] => {
      const place = `${at}/oneOf/${i}`;
      const way = resolve(one, place);
      const own = way && isRecord(way["properties"]) ? way["properties"][member] : undefined;
      const read = isRecord(own) ? conditionOf({ properties: { [member]: own } }, nameOf) : undefined;
      if (read === undefined) {
        note(place, `It does not say for which values of "${member}" it holds, and is left out.`);
        return [];
      }
      return branch(one, read.when, [member], place, resolve, note);
    }),
  ];
}

function branch(written: unknown, when: Condition, asks: readonly string[], at: string, resolve: Resolve, note: Note): readonly Branch[] {
  const part = written === undefined ? undefined : resolve(written, at);
  if (part === undefined) return [];
  const inner = ["if", "allOf", "dependencies", "dependentSchemas", "not"].find((keyword) => part[keyword] !== undefined);
  if (inner !== undefined) note(`${at}/${inner}`, "A condition inside of a condition is left out. Write show_if for it.");
  const properties = isRecord(part["properties"]) ? (part["properties"] as Foreign) : {};
  return [
    {
      when,
      properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !asks.includes(key))),
      required: Array.isArray(part["required"]) ? part["required"].map(String).filter((key) => !asks.includes(key)) : [],
      asks,
      at,
    },
  ];
}

/** The condition that a schema means which compares members with values. */
function conditionOf(test: Foreign, nameOf: NameOf): { readonly when: Condition; readonly asks: readonly string[] } | undefined {
  const members = isRecord(test["properties"]) ? Object.entries(test["properties"]) : [];
  const strange = Object.keys(test).some((key) => key !== "properties" && key !== "required" && key !== "type");
  const parts = members.map(([key, one]) => (isRecord(one) ? comparison(nameOf(key), one as Foreign) : undefined));
  if (strange || parts.length === 0 || parts.includes(undefined)) return undefined;
  const all = parts as readonly Condition[];
  return { when: all.length === 1 ? all[0]! : { all }, asks: members.map(([key]) => key) };
}

function comparison(question: string, schema: Foreign): Condition | undefined {
  const equal = (value: unknown): Condition => ({ question, is: "==", value: value as Value });
  const strange = Object.keys(schema).some((key) => !["type", "const", "enum", "minimum", "maximum", "title", "default"].includes(key));
  if (strange) return undefined;
  if (schema["const"] !== undefined) return equal(schema["const"]);
  const values = schema["enum"];
  if (Array.isArray(values)) return values.length === 1 ? equal(values[0]) : { any: values.map(equal) };
  const [least, most] = [schema["minimum"], schema["maximum"]];
  const limits: readonly Condition[] = [
    ...(typeof least === "number" ? [{ question, is: ">=" as const, value: least }] : []),
    ...(typeof most === "number" ? [{ question, is: "<=" as const, value: most }] : []),
  ];
  return limits.length === 0 ? undefined : limits.length === 1 ? limits[0] : { all: limits };
}
