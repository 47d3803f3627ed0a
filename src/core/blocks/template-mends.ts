import type { JinjaValue } from "./jinja.ts";
import { likeValue } from "./template-replace.ts";

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
