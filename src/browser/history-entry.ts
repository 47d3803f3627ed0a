import { isRecord } from "../core/model/value.ts";

/** What an entry of the browser's history says of a run: at which of its questions the page was. */
export interface HistoryEntry {
  readonly run: string;
  /** How many questions had been answered. */
  readonly answered: number;
  /** The same of the entries before it, as far back as all of them are of this run. */
  readonly before: readonly number[];
}

/** The member of an entry's state that is ours; all other members belong to other code. */
const MEMBER = "wavepoint";

/** Under which member of an entry's state a wizard has its own. */
export function memberOf(name: string | undefined): string {
  return name === undefined ? MEMBER : `${MEMBER}:${name}`;
}

/** Reads what an entry says; nothing where it belongs to other code. */
export function readEntry(state: unknown, member: string): HistoryEntry | undefined {
  const entry = isRecord(state) && Object.hasOwn(state, member) ? state[member] : undefined;
  if (!isRecord(entry) || typeof entry["run"] !== "string" || typeof entry["answered"] !== "number") return undefined;
  const { run, answered, before } = entry;
  return { run, answered, before: Array.isArray(before) ? before.filter((one) => typeof one === "number") : [] };
}

/** Writes it into the present entry, or into a new one behind it. The address stays as it is, and so does what others keep in the state. */
export function writeEntry(entry: HistoryEntry, member: string, how: "replace" | "push"): void {
  const state: unknown = history.state;
  const kept = isRecord(state) ? Object.entries(state) : [];
  const others = how === "push" ? kept.map(([key, value]) => [key, isMember(key) ? withoutBefore(value) : value]) : kept;
  const next = { ...(Object.fromEntries(others) as object), [member]: entry };
  if (how === "push") history.pushState(next, "");
  else history.replaceState(next, "");
}

function isMember(key: string): boolean {
  return key === MEMBER || key.startsWith(`${MEMBER}:`);
}

/** To other wizards of the page a step of this one is none: what is before it is the question at which they are. */
function withoutBefore(value: unknown): unknown {
  return isRecord(value) ? { ...value, before: [] } : value;
}
