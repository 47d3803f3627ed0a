import { textOf } from "../expression/render.ts";
import { walkPath } from "../expression/walk-path.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { isRecord, type Value } from "../model/value.ts";

/** How choices from the items of a list are written. */
export const CHOICES_FROM: { readonly [name: string]: JsonSchema } = {
  from: { type: "array", description: "A list, such as one that a service gave: each item becomes a choice." },
  value: { type: "string", minLength: 1, description: "The member of an item that is its value: `id`, `boat.id`. Default: the item." },
  title: { type: "string", minLength: 1, description: "The member that people read. Default: the value." },
};

/** Choices as they are written, those from a list as `{ value, title }`. Throws `REFERENCE_UNKNOWN` for an item without such a member. */
export function listChoices(written: unknown): readonly Value[] {
  if (!isRecord(written)) return written as readonly Value[];
  const { from, value, title } = written as { readonly from: readonly Value[]; readonly value?: string; readonly title?: string };
  const member = (item: number, way: string | undefined) => walkPath(from, ["from", item, ...(way?.split(".") ?? [])], 1) as Value;
  return from.map((_, item) =>
    title === undefined ? member(item, value) : { value: member(item, value), title: textOf(member(item, title)) },
  );
}
