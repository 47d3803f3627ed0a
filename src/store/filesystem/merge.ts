/** A descending walk that is begun only when it is its turn. */
export interface LazyWalk<T, P> {
  /** None of its items comes behind this place in ascending order. */
  readonly bound: P;
  begin(): Iterator<T>;
}

interface Waiting<T, P> {
  readonly place: P;
  /** Absent while the walk has not begun: then the place is its bound. */
  readonly found?: { readonly item: T; readonly walk: Iterator<T> };
  readonly lazy: LazyWalk<T, P>;
}

/** The items of several descending walks as one, beginning no walk before its bound is reached. `compare` gives ascending order. */
export function* mergeDescending<T extends P, P>(
  walks: readonly LazyWalk<T, P>[],
  compare: (a: P, b: P) => number,
): Generator<T, void, undefined> {
  /** Ascending, so that the next one stands at the end. */
  const waiting: Waiting<T, P>[] = walks.map((lazy) => ({ place: lazy.bound, lazy }));
  waiting.sort((a, b) => compare(a.place, b.place));

  function wait(lazy: LazyWalk<T, P>, walk: Iterator<T>): void {
    const next = walk.next();
    if (next.done === true) return;
    let low = 0;
    let high = waiting.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(waiting[middle]!.place, next.value) <= 0) low = middle + 1;
      else high = middle;
    }
    waiting.splice(low, 0, { place: next.value, found: { item: next.value, walk }, lazy });
  }

  for (let top = waiting.pop(); top !== undefined; top = waiting.pop()) {
    if (top.found === undefined) {
      wait(top.lazy, top.lazy.begin());
    } else {
      yield top.found.item;
      wait(top.lazy, top.found.walk);
    }
  }
}
