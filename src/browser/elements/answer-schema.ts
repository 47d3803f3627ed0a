import type { ReviewItem } from "../../core/model/history.ts";
import type { JsonSchema } from "../../core/model/run.ts";
import { askedOf } from "./asked.ts";

/**
 * What was asked at a place that a difference of answers names: the path of a question, its number where its block asked more than once, and the
 * member of the answer.
 */
export function answerSchemaAt(items: readonly ReviewItem[], place: string): JsonSchema {
  const paths = items.map((one) => one.path.join("/"));
  // The question of an item, `ask[2]`, is meant before a member of an answer to `ask`.
  const path = paths.filter((one) => isWithin(place, one)).reduce((longest, one) => (one.length > longest.length ? one : longest), "");
  const [, number = "1", members = ""] = /^(?:#(\d+))?(.*)$/s.exec(place.slice(path.length))!;
  const item = items.filter((_, i) => paths[i] === path)[Number(number) - 1];
  if (!item) return {};
  const { prompt = "", schema = {}, metadata = {} } = item;
  let found: JsonSchema | undefined = askedOf({ ...item, prompt, schema, metadata }).schema;
  for (const [, key, written, index] of members.matchAll(/\.([^.[]+)|\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]/g)) {
    const name = key ?? (written === undefined ? "" : (JSON.parse(written) as string));
    const { properties = {}, items: inner }: JsonSchema = found ?? {};
    found = index === undefined ? (Object.hasOwn(properties, name) ? properties[name] : undefined) : inner;
  }
  return found ?? {};
}

function isWithin(place: string, path: string): boolean {
  return place.startsWith(path) && /^(?:$|[#.[])/.test(place.slice(path.length));
}
