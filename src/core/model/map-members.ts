import { isPlain } from "./value.ts";

/** What becomes of the names of members, and of the keys of maps. */
export type Rename = (name: unknown) => unknown;

/**
 * A list, a set, a map or a plain object with each member changed. Where none changes it is given back itself, and so is every other object; lists
 * and objects that are made anew are frozen. Two names that become one stay two.
 */
export function mapMembers(holder: object, change: (member: unknown, name: unknown) => unknown, rename: Rename = (name) => name): object {
  if (Array.isArray(holder)) return mapItems(holder, change);
  if (holder instanceof Set) {
    const items = [...holder];
    const changed = mapItems(items, change);
    return changed === items ? holder : new Set(changed);
  }
  const isMap = holder instanceof Map;
  if (!isMap && !isPlain(holder)) return holder;
  const made = new Map<unknown, unknown>();
  let isSame = true;
  for (const [name, member] of isMap ? holder : Object.entries(holder)) {
    const newName = rename(name);
    const changed = change(member, name);
    if (newName !== name || !Object.is(changed, member)) isSame = false;
    made.set(newName === name ? name : freeName(newName, made), changed);
  }
  if (isSame) return holder;
  return isMap ? made : Object.freeze(Object.fromEntries(made));
}

function mapItems(items: readonly unknown[], change: (item: unknown, index: number) => unknown): readonly unknown[] {
  const changed = items.map(change);
  return changed.every((item, i) => Object.is(item, items[i])) ? items : Object.freeze(changed);
}

function freeName(name: unknown, taken: ReadonlyMap<unknown, unknown>): unknown {
  let free = name;
  for (let count = 2; typeof name === "string" && taken.has(free); count++) free = `${name} (${count})`;
  return free;
}
