import { WorkflowError } from "../model/errors.ts";
import { splitText } from "../model/find-text.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import type { JinjaFunction, JinjaValue } from "./jinja.ts";

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
