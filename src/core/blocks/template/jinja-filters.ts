import { WorkflowError } from "../../model/errors.ts";
import { splitText } from "../../model/find-text.ts";
import { MAX_VALUE_LENGTH } from "../../model/limits.ts";
import type { JinjaFunction, JinjaValue } from "./jinja.ts";

/** `<`, `>`, `&` and `'`, which Jinja escapes in JSON so that it may stand in HTML. */
const HTML = /[<>&']/g;
/** What starts a word for `title`: Jinja's own list. */
const WORD_START = /[-\s({[<]/;
/** Types whose values are sequences and can be gone over. */
const SEQUENCES: ReadonlySet<string> = new Set(["ArrayValue", "TupleValue", "StringValue", "ObjectValue"]);

/** What a filter of Jinja gives, where the engine gives something else. */
export function mendFilter(name: string, operand: JinjaValue | undefined, result: JinjaValue): JinjaValue {
  const { value } = result;
  if (typeof value === "string" && name === "tojson") {
    return likeValue(result, { value: value.replace(HTML, (one) => `\\u00${one.charCodeAt(0).toString(16)}`) });
  }
  if (typeof operand?.value === "string") {
    if (name === "capitalize")
      return likeValue(result, { value: operand.value.slice(0, 1).toUpperCase() + operand.value.slice(1).toLowerCase() });
    if (name === "title") return likeValue(result, { value: titleOf(operand.value) });
  }
  return name === "unique" && Array.isArray(value) ? likeValue(result, { value: uniqueOf(value as readonly JinjaValue[]) }) : result;
}

/** What a test of Jinja gives, where the engine gives something else: mappings and texts are sequences too. */
export function mendTest(name: string, isNegated: boolean, operand: JinjaValue | undefined, result: JinjaValue): JinjaValue {
  if (operand === undefined || (name !== "iterable" && name !== "sequence")) return result;
  return likeValue(result, { value: SEQUENCES.has(operand.type) !== isNegated });
}

function titleOf(text: string): string {
  let isStart = true;
  let title = "";
  for (const character of text) {
    title += isStart ? character.toUpperCase() : character.toLowerCase();
    isStart = WORD_START.test(character);
  }
  return title;
}

/** The first of each; texts in capitals or not are the same. */
function uniqueOf(items: readonly JinjaValue[]): readonly JinjaValue[] {
  const seen = new Set<unknown>();
  return items.filter(({ value }) => {
    const key = typeof value === "string" ? value.toLowerCase() : value;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * Gives a text of a template its own `replace`, which filters and calls then find. The engine's builds a native RegExp from data; this one
 * compares texts, and refuses to write more than a value may hold before it writes anything.
 */
export function giveReplace(text: JinjaValue): void {
  const given = text.type === "StringValue" ? text.builtins.get("replace") : undefined;
  if (!given) return;
  const value: JinjaFunction = (args) => likeValue(text, { value: replaceText(String(text.value), args) });
  (text.builtins as Map<string, JinjaValue>).set("replace", likeValue(given, { type: given.type, value }));
}

/** Another value of the same class, which the package does not export. */
export function likeValue(model: JinjaValue, parts: { readonly type?: string; readonly value: unknown }): JinjaValue {
  return Object.assign(Object.create(Object.getPrototypeOf(model) as object) as JinjaValue, { type: model.type, ...parts });
}

function replaceText(text: string, args: readonly JinjaValue[]): string {
  const [old, fresh, third] = args.map(({ value }) => value);
  if (typeof old !== "string" || typeof fresh !== "string") {
    throw new WorkflowError("TEMPLATE_INVALID", "replace takes two texts: what to look for, and what to put there.");
  }
  const named: unknown = third instanceof Map ? (third as ReadonlyMap<string, JinjaValue>).get("count")?.value : third;
  const count = typeof named === "number" && named >= 0 ? named : Infinity;
  const parts = old === "" ? ["", ...text, ""] : splitText(text, old);
  const times = Math.min(count, parts.length - 1);
  if (text.length + times * (fresh.length - old.length) > MAX_VALUE_LENGTH) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `replace would write more than ${MAX_VALUE_LENGTH} characters. Replace by something shorter.`,
    );
  }
  return [parts.slice(0, times + 1).join(fresh), ...parts.slice(times + 1)].join(old);
}
