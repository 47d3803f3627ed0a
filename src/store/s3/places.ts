import type { RunHead } from "../../core/model/run.ts";
import type { RunPlace, RunTraits } from "../listing.ts";
import { compareRuns, traitsOf } from "../listing.ts";

/** The latest instant that there is. */
const LAST_INSTANT = 8_640_000_000_000_000;
const DIGITS = 16;
/** Counts of the objects of a run end here. */
const LAST_NUMBER = 999_999_999_999;

/** Which list: each has its own keys, since S3 lists in one direction only. */
export type Order = "newest" | "oldest";

/** A number as a key, the highest first. */
export function falling(number: number): string {
  return String(LAST_NUMBER - number).padStart(String(LAST_NUMBER).length, "0");
}

/** The number that {@link falling} wrote at the end of a key. */
export function numberOf(key: string): number {
  return LAST_NUMBER - Number(key.slice(key.lastIndexOf("/") + 1));
}

/** An instant as a key, the latest first. */
export function fallingInstant(instant: number): string {
  return risingInstant(LAST_INSTANT - instant);
}

/** The instant that {@link fallingInstant} wrote. */
export function instantOf(text: string): number {
  return LAST_INSTANT - Number(text);
}

function risingInstant(instant: number): string {
  return String(instant).padStart(DIGITS, "0");
}

/** A run in a list: its key says all that lists filter and sort by. */
export interface ListedPlace extends RunTraits {
  readonly place: RunPlace;
  /** The number of the link that brought the run there. */
  readonly placed: number;
}

/** The keys under which a run is listed since a link of its journal. No other link of it has the same. */
export function placeKeys(head: RunHead, placed: number): readonly string[] {
  const { workflow, status, isCalled } = traitsOf(head);
  const traits = [status, isCalled ? 1 : 0, encodeURIComponent(workflow), placed].join("/");
  return (["newest", "oldest"] as const).map((order) => `${startKey(order, head)}${traits}`);
}

/** What the keys of a place begin with. Of runs at the same instant the name decides: before a longer one of the same beginning, or behind it. */
function startKey(order: Order, { changedAt, id }: RunPlace): string {
  return order === "oldest" ? `oldest/${risingInstant(changedAt)}/${id}!/` : `newest/${fallingInstant(changedAt)}/${complement(id)}~/`;
}

/** A key behind all of a place, and before those of the next one. */
export function behind(order: Order, place: RunPlace): string {
  return `${startKey(order, place)}~`;
}

/** What a key of a list says. */
export function readPlace(key: string): ListedPlace {
  const [order, instant = "", name = "", status = "", called, workflow = "", placed] = key.split("/");
  const place =
    order === "oldest"
      ? { changedAt: Number(instant), id: name.slice(0, -1) }
      : { changedAt: instantOf(instant), id: complement(name.slice(0, -1), true) };
  return {
    place,
    status: status as RunTraits["status"],
    isCalled: called === "1",
    workflow: decodeURIComponent(workflow),
    placed: Number(placed),
  };
}

/** Whether a run stands at a place: a writer that was not first may have left another one of the same number. */
export function isPlaceOf(
  { place, placed, workflow, status, isCalled }: ListedPlace,
  link: { readonly head: RunHead; readonly placed: number },
): boolean {
  const traits = traitsOf(link.head);
  const isSame = traits.workflow === workflow && traits.status === status && traits.isCalled === isCalled;
  return isSame && link.placed === placed && link.head.changedAt === place.changedAt;
}

/** Whether a run keeps its places in the lists between these two heads. */
export function isAtSamePlace(before: RunHead, after: RunHead): boolean {
  const [a, b] = [traitsOf(before), traitsOf(after)];
  return compareRuns(before, after) === 0 && a.status === b.status && a.workflow === b.workflow && a.isCalled === b.isCalled;
}

/** A name so written that later ones come first, and back. */
function complement(text: string, isBack = false): string {
  if (!isBack) return Array.from(text, (unit) => (0xff - unit.charCodeAt(0)).toString(16)).join("");
  return text.replaceAll(/../g, (pair) => String.fromCharCode(0xff - Number.parseInt(pair, 16)));
}
