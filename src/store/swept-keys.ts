/** A text of a cache, and until when it is kept, in milliseconds since the epoch. */
interface Cached<Key> {
  readonly key: Key;
  readonly until: number;
}

/** Returns the keys that a cache removes: all whose time ended before an instant, and of the others all but the `most` that last longest. */
export function sweptKeys<Key>(all: readonly Cached<Key>[], before: number, most: number): readonly Key[] {
  const lasting = all.filter(({ until }) => until >= before);
  const surplus = lasting.length > most ? lasting.toSorted((a, b) => b.until - a.until).slice(most) : [];
  return [...all.filter(({ until }) => until < before), ...surplus].map(({ key }) => key);
}
