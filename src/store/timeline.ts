/** A member of a {@link Timeline}: the item, and whether it still belongs to it. */
export interface TimelineNode<T> {
  item: T;
  live: boolean;
}

/**
 * Items kept in ascending order. Appending at the end and removing cost the same however many there are; only an item that comes late
 * moves others. Removed nodes stay as tombstones until they outnumber the living ones.
 */
export interface Timeline<T extends Place, Place> {
  readonly size: number;
  add(item: T): TimelineNode<T>;
  remove(node: TimelineNode<T>): void;
  /** Living items in descending order; with `after`, only those before that place in ascending order. */
  descending(after?: Place): Generator<T, void, undefined>;
  /** Living items in ascending order; with `after`, only those after that place. */
  ascending(after?: Place): Generator<T, void, undefined>;
}

/** An empty {@link Timeline}. `compare` must never give 0 for two items that belong to it at the same time. */
export function timeline<T extends Place, Place>(compare: (a: Place, b: Place) => number): Timeline<T, Place> {
  let nodes: TimelineNode<T>[] = [];
  let dead = 0;

  /** The number of nodes whose item comes before this place. */
  function rank(item: Place): number {
    let low = 0;
    let high = nodes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(nodes[middle]!.item, item) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    get size(): number {
      return nodes.length - dead;
    },
    add(item) {
      const node = { item, live: true };
      const last = nodes.at(-1);
      if (last === undefined || compare(last.item, item) <= 0) nodes.push(node);
      else nodes.splice(rank(item), 0, node);
      return node;
    },
    remove(node) {
      if (!node.live) return;
      node.live = false;
      dead += 1;
      if (dead > 32 && dead > nodes.length / 2) {
        nodes = nodes.filter(({ live }) => live);
        dead = 0;
      }
    },
    *descending(after) {
      const seen = nodes;
      for (let at = (after === undefined ? seen.length : rank(after)) - 1; at >= 0; at -= 1) {
        const node = seen[at]!;
        if (node.live) yield node.item;
      }
    },
    *ascending(after) {
      const seen = nodes;
      for (let at = after === undefined ? 0 : rank(after); at < seen.length; at += 1) {
        const node = seen[at]!;
        if (node.live && (after === undefined || compare(node.item, after) > 0)) yield node.item;
      }
    },
  };
}
