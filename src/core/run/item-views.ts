import type { BlockView, ItemView } from "../model/view.ts";
import { OPENED, PAUSED, PENDING, type RunState, STOPPED, type Unit } from "../machine/machine.ts";

/** What the views of a block and of an item have in common. */
export type UnitView = Omit<ItemView, "key">;

/** Which items of a block changed since an earlier view of it. */
export interface ItemChanges {
  readonly known: readonly ItemView[] | undefined;
  readonly items: ReadonlySet<number> | undefined;
}

export interface ItemViewer {
  readonly block: number;
  readonly view: (unit: Unit) => UnitView;
  /** The blocks and items that are executed right now. */
  readonly running: readonly Unit[];
  /** Without it, or where it knows of no items yet, all are made. */
  readonly since: ItemChanges | undefined;
}

/** The items of a block as pages see them, and what that makes of the block. Items that did not change stay the same objects. */
export function viewItems(state: RunState, { block, view, running, since }: ItemViewer): Pick<BlockView, "items" | "status"> {
  const { keys, codes } = state.items.get(block)!;
  const itemView = (item: number): ItemView => ({ key: keys[item]!, ...view({ block, item }) });
  const items = since?.known ? [...since.known] : keys.map((_, item) => itemView(item));
  if (since?.known) for (const item of since.items ?? []) items[item] = itemView(item);
  const isOpen = state.blocks[block] === OPENED;
  return {
    items,
    status: isOpen
      ? statusOf(
          codes,
          running.some((unit) => unit.block === block),
        )
      : view({ block }).status,
  };
}

/** A block whose items have begun works while one of them does or can; else it waits as they do. */
function statusOf(codes: Uint8Array, isRunning: boolean): BlockView["status"] {
  if (isRunning) return "running";
  if (codes.includes(STOPPED)) return "stopped";
  return codes.includes(PENDING) ? "running" : codes.includes(PAUSED) ? "paused" : "waiting";
}
