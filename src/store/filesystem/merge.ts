/** The items of several descending walks as one. `compare` gives ascending order. */
export function* mergeDescending<T>(walks: readonly Iterator<T>[], compare: (a: T, b: T) => number): Generator<T, void, undefined> {
  const heap = walks.flatMap((walk) => {
    const first = walk.next();
    return first.done === true ? [] : [{ walk, item: first.value }];
  });
  heap.sort((a, b) => compare(b.item, a.item));
  for (let top = heap.shift(); top !== undefined; top = heap.shift()) {
    yield top.item;
    const next = top.walk.next();
    if (next.done === true) continue;
    const at = heap.findIndex(({ item }) => compare(item, next.value) < 0);
    heap.splice(at < 0 ? heap.length : at, 0, { walk: top.walk, item: next.value });
  }
}
