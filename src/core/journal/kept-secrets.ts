import type { Scope } from "../expression/scope.ts";
import type { IsSecretKey } from "../model/secret-keys.ts";
import type { Value } from "../model/value.ts";
import type { Items } from "../machine/machine.ts";
import { mapSecrets } from "./map-secrets.ts";

/** What stands in place of a secret. */
export const MASK = "***";

/** What stands for a value under a secret key, in memory, journals and events: three asterisks and an id, which says nothing about the value. */
const MARKER = /^\*\*\* [0-9a-z]{26,40}$/;

/** A marker with an id that no other has. */
export function markerOf(id: string): string {
  return `${MASK} ${id}`;
}

export function isMarker(value: unknown): value is string {
  return typeof value === "string" && MARKER.test(value);
}

/** A value without its markers: they are not valid in an answer. */
export function withoutMarkers<T>(value: T): T {
  return mapSecrets(
    value,
    () => true,
    (leaf) => (isMarker(leaf) ? "" : leaf),
  );
}

/**
 * The values under secret keys of one run, in memory only, by the markers that stand for them everywhere else. A marker counts as one only under a
 * secret key: elsewhere it is text that a person has typed.
 */
export class KeptSecrets {
  readonly #isSecretKey: IsSecretKey;
  readonly #values = new Map<string, unknown>();
  /** Values without markers. */
  readonly #plain = new WeakSet();
  /** The items of blocks with `for_each` as their blocks see them. */
  readonly items: WeakMap<Items, readonly Value[]> = new WeakMap<Items, readonly Value[]>();

  constructor(isSecretKey: IsSecretKey) {
    this.#isSecretKey = isSecretKey;
  }

  keep(marker: string, value: unknown): void {
    this.#values.set(marker, value);
  }

  has(marker: string): boolean {
    return this.#values.has(marker);
  }

  get(marker: string): unknown {
    return this.#values.get(marker);
  }

  entries(): Iterable<[marker: string, value: unknown]> {
    return this.#values.entries();
  }

  /** The value with what its markers stand for. Those that are not known stay, and join `missing`. */
  open<T>(value: T, missing: Set<string>, under?: string): T {
    if (typeof value !== "object" || value === null)
      return under !== undefined && isMarker(value) ? (this.#find(value, missing) as T) : value;
    if (under === undefined && this.#plain.has(value)) return value;
    let isPlain = true;
    const opened = mapSecrets(
      value,
      this.#isSecretKey,
      (leaf) => {
        if (!isMarker(leaf)) return leaf;
        isPlain = false;
        return this.#find(leaf, missing);
      },
      under,
    );
    if (isPlain && under === undefined) this.#plain.add(value);
    return opened;
  }

  #find(marker: string, missing: Set<string>): unknown {
    if (this.#values.has(marker)) return this.#values.get(marker);
    missing.add(marker);
    return marker;
  }

  /** What the inputs of blocks see: the values themselves. What other blocks were given is seen masked. */
  scope(base: Scope, missing: Set<string>): Scope {
    return {
      lookup: (path) => {
        const seen = base.lookup(path);
        if (path[0] === "secrets" || path[0] === "each" || (path[0] === "blocks" && path[2] === "inputs")) return seen;
        return this.open(seen, missing, this.#keyIn(path));
      },
    };
  }

  /** The secret key under which a path leads. Names of namespaces and blocks are none. */
  #keyIn(path: readonly (string | number)[]): string | undefined {
    const names = path.slice(path[0] === "blocks" ? 3 : 1);
    return names.findLast((name): name is string => typeof name === "string" && this.#isSecretKey(name));
  }
}
