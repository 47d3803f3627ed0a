import { MAX_PROBLEMS } from "../model/check-json.ts";
import { isWorkflowError } from "../model/errors.ts";
import { schemaNeeds } from "../model/check-json-schema.ts";
import { type FormRule, isPlainRecord, type JsonSchema, otherParts } from "../model/json-schema.ts";
import { MAX_CHECK_STEPS } from "../model/limits.ts";
import { pickText } from "../model/localized-text.ts";
import { adviseName } from "../model/suggestions.ts";
import { pathOf, pointerOf, type ValuePlace, type ValueProblem } from "../model/value-problem.ts";
import { evaluateCondition } from "./evaluate.ts";
import { parseCondition } from "./parse-condition.ts";
import { conditionReferences } from "./references.ts";
import { isReference, SKIPPED, type Scope } from "./scope.ts";
import type { Condition, Reference } from "./syntax.ts";

/** What the conditions of a form come to, with an answer as it stands. */
export interface FormState {
  /** The answer without what is not asked. */
  readonly value: unknown;
  /** What is not asked, by JSON Pointers into the answer. */
  readonly hidden: ReadonlySet<string>;
  /** The rules between members that do not hold. */
  readonly problems: readonly ValueProblem[];
}

/** What is wrong with a condition or a rule, and where it stands in the schema. */
export interface ConditionProblem {
  readonly keys: readonly (string | number)[];
  readonly message: string;
  /** Place in the condition, from 1. */
  readonly column?: number;
}

/** An object of the answer, or one that may come to stand there. */
interface Group {
  readonly schema: JsonSchema;
  readonly value: { readonly [name: string]: unknown };
  readonly place: ValuePlace;
  readonly around: Group | undefined;
  readonly shown: Map<string, boolean | "asked">;
  readonly parts: Map<string, Group>;
}

/**
 * Looks which members of an answer are asked, and which rules hold. A member that is left out is its default, else null; one that is not asked is unknown, as the output of
 * a skipped block is. What cannot be ordered or searched is unknown too, and a rule that is unknown holds. Never throws for a schema in which
 * {@link checkConditions} finds nothing. What takes more than 50,000 steps is a problem of its own.
 */
export function evaluateForm(schema: JsonSchema, answer: unknown): FormState {
  const hidden = new Set<string>();
  const problems: ValueProblem[] = [];
  const budget = { left: MAX_CHECK_STEPS };
  const value = look(schema, answer, undefined, undefined);
  if (budget.left < 0) problems.push(problem(undefined, "limit", `takes more than ${MAX_CHECK_STEPS} steps to check: give fewer items`));
  return { value, hidden, problems };

  function look(part: JsonSchema, given: unknown, place: ValuePlace, around: Group | undefined): unknown {
    if (part.properties) return lookAtGroup(groupOf(part, given, place, around), given);
    if (!part.items || !Array.isArray(given)) return given;
    const items = given.map((item, key) => lookAtItem(part.items!, item, { up: place, key }, around));
    return items.every((item, i) => item === given[i]) ? given : items;
  }

  function lookAtItem(schema: JsonSchema, item: unknown, place: ValuePlace, around: Group | undefined): unknown {
    budget.left--;
    return budget.left < 0 ? item : look(schema, item, place, around);
  }

  function lookAtGroup(group: Group, given: unknown): unknown {
    const { properties = {}, rules = [] } = group.schema;
    const isThere = isPlainRecord(given);
    const members = new Map(isThere ? Object.entries(given) : []);
    for (const [name, part] of Object.entries(properties)) {
      if (!isShown(group, name)) {
        hidden.add(pointerOf({ up: group.place, key: name }));
        members.delete(name);
      } else {
        const seen = part.properties
          ? lookAtGroup(partOf(group, name, part), members.get(name))
          : look(part, members.get(name), { up: group.place, key: name }, group);
        if (members.has(name)) members.set(name, seen);
      }
    }
    if (!isThere) return given;
    for (const rule of rules) {
      if (rule.field !== undefined && !isShown(group, rule.field)) continue;
      if (budget.left >= 0 && isBroken(rule, group)) {
        const place = rule.field === undefined ? group.place : { up: group.place, key: rule.field };
        problems.push({ ...problem(place, "rule", pickText(rule.message)), text: rule.message });
      }
    }
    const entries = Object.entries(given);
    return members.size === entries.length && entries.every(([name, member]) => members.get(name) === member)
      ? given
      : Object.fromEntries(members);
  }

  function isShown(group: Group, name: string): boolean {
    const condition = group.schema.properties?.[name]?.showIf;
    if (condition === undefined) return true;
    const known = group.shown.get(name);
    // One that asks for itself has been refused before.
    if (known !== undefined) return known === true;
    group.shown.set(name, "asked");
    const isIt = holds(conditionOf(group.schema.properties![name]!, condition), condition, group);
    group.shown.set(name, isIt);
    return isIt;
  }

  function isBroken(rule: FormRule, group: Group): boolean {
    return holds({ kind: "not", operand: conditionOf(rule, rule.check) }, rule.check, group);
  }

  function holds(condition: Condition, text: string, group: Group): boolean {
    // A long condition looks at more.
    budget.left -= 1 + text.length / 100;
    return (
      budget.left >= 0 && evaluateCondition(condition, { isLenient: true, lookup: ([, ...path]) => lookUp(path, group) } satisfies Scope)
    );
  }

  function lookUp([name, ...rest]: readonly (string | number)[], from: Group): unknown {
    let group: Group | undefined = from;
    while (group && !Object.hasOwn(group.schema.properties ?? {}, name!)) group = group.around;
    return group ? memberAt(group, String(name), rest) : null;
  }

  function memberAt(group: Group, name: string, rest: readonly (string | number)[]): unknown {
    const part = group.schema.properties?.[name];
    if (part && !isShown(group, name)) return SKIPPED;
    const given = (Object.hasOwn(group.value, name) ? group.value[name] : undefined) ?? part?.default ?? null;
    const [next, ...more] = rest;
    if (next === undefined) return given;
    if (part?.properties) return memberAt(partOf(group, name, part), String(next), more);
    if (part?.items?.properties && Array.isArray(given) && typeof next === "number" && more.length > 0) {
      const item = groupOf(part.items, given[next], { up: { up: group.place, key: name }, key: next }, group);
      return memberAt(item, String(more[0]), more.slice(1));
    }
    return rest.reduce<unknown>(
      (of, key) => (typeof of === "object" && of !== null && Object.hasOwn(of, key) ? of[key as never] : null),
      given,
    );
  }
}

/** A group in a group, the same one each time, so that its conditions are evaluated once. */
function partOf(group: Group, name: string, schema: JsonSchema): Group {
  const known = group.parts.get(name);
  if (known) return known;
  const part = groupOf(schema, Object.hasOwn(group.value, name) ? group.value[name] : undefined, { up: group.place, key: name }, group);
  group.parts.set(name, part);
  return part;
}

function groupOf(schema: JsonSchema, value: unknown, place: ValuePlace, around: Group | undefined): Group {
  return { schema, value: isPlainRecord(value) ? value : {}, place, around, shown: new Map(), parts: new Map() };
}

function problem(place: ValuePlace, code: string, message: string): ValueProblem {
  return { path: pathOf(place), instancePath: pointerOf(place), code, message };
}

/** Parsed once for each time it is written. */
const parsed = new WeakMap<object, Condition>();

function conditionOf(holder: object, text: string): Condition {
  const known = parsed.get(holder) ?? parseCondition(text);
  parsed.set(holder, known);
  return known;
}

/** A member of a form, as conditions see it. */
interface Member {
  readonly schema: JsonSchema;
  readonly keys: readonly (string | number)[];
  /** As people read it: `people.name`. */
  readonly path: string;
  /** The members beside it, itself among them. */
  readonly level: Level;
  /** The members in it, or in each of its items. */
  inner?: Level | undefined;
}

/** The members of one object. */
interface Level {
  readonly schema: JsonSchema;
  readonly keys: readonly (string | number)[];
  readonly members: ReadonlyMap<string, Member>;
  /** What holds the object, where that is a member itself. */
  readonly holder: Member | undefined;
}

/**
 * What is wrong with the conditions and rules of a schema: what cannot be parsed, references that lead nowhere, and conditions that need themselves. Once
 * there are {@link MAX_PROBLEMS}, no more conditions are read: looking for names that were meant takes time.
 */
export function checkConditions(schema: JsonSchema): readonly ConditionProblem[] {
  const problems: ConditionProblem[] = [];
  const levels: Level[] = [];
  if (schema.showIf !== undefined) misplaced(["showIf"]);
  readLevel(schema, [], undefined);
  const needs = new Map<Member, readonly Member[]>();
  for (const level of levels) {
    const { members, holder } = level;
    for (const member of members.values()) {
      const { showIf } = member.schema;
      const seen = showIf === undefined ? [] : readCondition(showIf, [...member.keys, "showIf"], level);
      needs.set(member, holder ? [...seen, holder] : seen);
    }
    for (const [i, { check, field }] of (level.schema.rules ?? []).entries()) {
      const keys = [...level.keys, "rules", i];
      readCondition(check, [...keys, "check"], level);
      if (field === undefined || members.has(field)) continue;
      problems.push({
        keys: [...keys, "field"],
        message: `There is no field "${field}" beside this rule.${adviseName(field, members.keys()).sentence}`,
      });
    }
  }
  findCycle(needs, problems);
  return problems;

  function misplaced(keys: ConditionProblem["keys"]): void {
    problems.push({
      keys,
      message: "Conditions and rules stand on the members of objects and of the items of lists: on others they are not looked at.",
    });
  }

  /** The members of an object, or of the items of a list. */
  function readLevel(part: JsonSchema, keys: readonly (string | number)[], holder: Member | undefined): Level | undefined {
    const { properties, items, rules } = part;
    for (const [inner, at] of otherParts(part)) if (schemaNeeds(inner).hasConditions) misplaced([...keys, ...at]);
    if (items) {
      if (items.showIf !== undefined) misplaced([...keys, "items", "showIf"]);
      return readLevel(items, [...keys, "items"], holder);
    }
    if (!properties) {
      if (rules) misplaced([...keys, "rules"]);
      return undefined;
    }
    const members = new Map<string, Member>();
    const level: Level = { schema: part, keys, members, holder };
    levels.push(level);
    for (const [name, schema] of Object.entries(properties)) {
      const path = holder ? `${holder.path}.${name}` : name;
      const member: Member = { schema, keys: [...keys, "properties", name], path, level };
      members.set(name, member);
      member.inner = readLevel(schema, member.keys, member);
    }
    return level;
  }

  /** The members that a condition looks at. */
  function readCondition(text: string, keys: ConditionProblem["keys"], level: Level): readonly Member[] {
    if (problems.length >= MAX_PROBLEMS) return [];
    const wrong = (message: string, column?: number): readonly Member[] => {
      problems.push({ keys, message, ...(column === undefined ? {} : { column }) });
      return [];
    };
    let references: readonly Reference[];
    try {
      references = conditionReferences(parseCondition(text));
    } catch (thrown) {
      if (!isWorkflowError(thrown)) throw thrown;
      return wrong(thrown.message, thrown.place.column);
    }
    return references.flatMap(({ path: [root, ...path], column }) => {
      if (root !== "fields" || path.length === 0) {
        return wrong(
          "A condition of a form sees its own fields alone: ${fields.name}. Give it what else it needs as the default of a field.",
          column,
        );
      }
      if (path.some(isReference)) return wrong("Names of fields are written out: ${fields.name}.", column);
      const names = path as readonly (string | number)[];
      return findMembers(names, level) ?? wrong(unknownField(names, level), column);
    });
  }
}

/** The members along a path, from the innermost object that has the first one. */
function findMembers([name, ...rest]: readonly (string | number)[], from: Level): readonly Member[] | undefined {
  let level: Level | undefined = from;
  while (level && !level.members.has(String(name))) level = level.holder?.level;
  let member = level?.members.get(String(name));
  if (!member) return undefined;
  const found = [member];
  for (const key of rest) {
    // The number of an item.
    if (typeof key === "number") continue;
    if (!member.inner) break;
    member = member.inner.members.get(key);
    if (!member) return undefined;
    found.push(member);
  }
  return found;
}

function unknownField(path: readonly (string | number)[], level: Level): string {
  const names = new Set<string>();
  for (let around: Level | undefined = level; around; around = around.holder?.level)
    for (const name of around.members.keys()) names.add(name);
  const name = String(path[0]);
  if (names.has(name)) return `The field "${name}" has no "${path.slice(1).join(".")}".`;
  return `There is no field "${name}" in this form.${adviseName(name, names).sentence}`;
}

/** Reports one way round, where a condition needs to know whether its own field is asked. */
function findCycle(needs: ReadonlyMap<Member, readonly Member[]>, problems: ConditionProblem[]): void {
  const done = new Set<Member>();
  const open: Member[] = [];
  const visit = (member: Member): boolean => {
    if (done.has(member)) return false;
    const at = open.indexOf(member);
    if (at >= 0) {
      const way = open.slice(at);
      const first = way.find(({ schema }) => schema.showIf !== undefined) ?? member;
      const names = [...way, member].map(({ path }) => path).join(" → ");
      problems.push({
        keys: [...first.keys, "showIf"],
        message: `Whether the field "${first.path}" is asked depends on itself: ${names}.`,
      });
      return true;
    }
    open.push(member);
    const isFound = (needs.get(member) ?? []).some(visit);
    open.pop();
    done.add(member);
    return isFound;
  };
  for (const member of needs.keys()) if (visit(member)) return;
}
