import type { Entry } from "../model/journal.ts";
import { isName } from "../model/ids.ts";
import { checkJsonSchema } from "../model/check-json-schema.ts";
import { findPolicyProblem, type RunPolicy } from "../model/policy.ts";
import { isRecord } from "../model/value.ts";

type Test = (value: unknown) => boolean;

export const isText: Test = (value) => typeof value === "string";
export const isCount: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isNumber: Test = (value) => Number.isFinite(value);
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText);
const isTrue: Test = (value) => value === true;
const isError: Test = (value) => isRecord(value) && isText(value["code"]) && isText(value["message"]);
/** Why something was skipped. */
export const isReason: Test = (value) => isRecord(value) && isText(value["kind"]);
const isAskedAgain: Test = (value) => isRecord(value) && isCount(value["times"]) && isNumber(value["firstAt"]) && isNumber(value["lastAt"]);
const isEarlier: Test = (value) => isRecord(value) && isText(value["state"]) && "response" in value;
/** Nothing more is looked at here: what could not be planned or run is found out where that is done. */
export const isAddedBlock = (value: unknown): boolean => isRecord(value) && isName(value["id"]) && isText(value["type"]);
const isConsequence: Test = (value) => value === "fail" || value === "skip" || (isRecord(value) && "answer" in value);
const isOptionalCount: Test = (value) => value === undefined || isCount(value);
const isUnits: Test = (value) =>
  Array.isArray(value) && value.every((unit) => isRecord(unit) && isText(unit["block"]) && isOptionalCount(unit["item"]));
const isAnything: Test = () => true;
const HASH = /^[0-9a-f]{64}$/;
/** A file as the step has it that wrote it. */
export const isStoredFile: Test = (value) =>
  isRecord(value) &&
  isText(value["name"]) &&
  isText(value["type"]) &&
  isCount(value["size"]) &&
  isText(value["hash"]) &&
  HASH.test(value["hash"] as string) &&
  (value["bytes"] === undefined || isText(value["bytes"]));
/** From where outputs were taken over. */
const isCachedFrom: Test = (value) => isRecord(value) && isText(value["run"]) && isNumber(value["at"]);
const isOneOf =
  (...names: readonly string[]): Test =>
  (value) =>
    names.includes(value as string);

type Members = { readonly [name: string]: unknown };
type NamesOf<E> = E extends Entry ? Exclude<keyof E, "type"> : never;

/**
 * What the members of entries hold, whichever entry they stand in: the compiler sees to it that none is left out. Values of blocks and people are
 * anything.
 */
const MEMBERS: { readonly [name in NamesOf<Entry>]: (value: unknown, entry: Members) => boolean } = {
  at: isNumber,
  ms: isNumber,
  until: isNumber,
  version: isCount,
  workflow: isText,
  definition: isText,
  inputs: isAnything,
  parent: (value) => isRecord(value) && isText(value["run"]) && isText(value["block"]),
  callers: isTexts,
  policy: (value) => isRecord(value) && findPolicyProblem(value as RunPolicy) === undefined,
  previous: (value) => isRecord(value) && isText(value["run"]) && isText(value["conversation"]),
  previousOutputs: isAnything,
  block: isText,
  item: isCount,
  outputs: isAnything,
  given: isText,
  repeats: isTrue,
  unknown: isTrue,
  turn: isCount,
  childEntries: isCount,
  entered: isCount,
  ids: isTexts,
  undone: isTexts,
  error: isError,
  reason: isReason,
  next: isTexts,
  cached: isCachedFrom,
  count: isCount,
  key: isText,
  keys: isTexts,
  run: isText,
  blockType: isText,
  name: isText,
  reference: isAnything,
  value: isAnything,
  pause: isCount,
  path: isTexts,
  asks: isText,
  prompt: isText,
  title: isText,
  schema: (value) => checkJsonSchema(value).length === 0,
  metadata: isAnything,
  prefill: isAnything,
  child: isCount,
  more: isTrue,
  withCaller: isTrue,
  sensitive: isTrue,
  skippable: isTrue,
  declinable: isTrue,
  about: isOneOf("outcome", "repetition"),
  onTimeout: isConsequence,
  onEvent: (value) => isRecord(value) && Object.values(value).every(isConsequence),
  events: isTexts,
  id: isText,
  signal: isText,
  earlier: isEarlier,
  again: isAskedAgain,
  response: isAnything,
  action: isOneOf("decline", "cancel", "skip"),
  by: isOneOf("timeout", "event", "earlier"),
  wave: isCount,
  entries: isCount,
  state: isAnything,
  steps: Array.isArray,
  as: isCount,
  calls: isTexts,
  inner: isCount,
  call: isText,
  cause: isCount,
  channels: isAnything,
  writes: isAnything,
  checkpoint: isAnything,
  added: (value) => Array.isArray(value) && value.every(isAddedBlock),
  requested: isCount,
  files: (value) => Array.isArray(value) && value.every(isStoredFile),
  read: (value) => isRecord(value) && Object.values(value).every((hash) => hash === null || isText(hash)),
  touches: (value) => isRecord(value) && Object.values(value).every((of) => isRecord(of) && isTexts(of["reads"]) && isTexts(of["writes"])),
  units: isUnits,
  stopped: isUnits,
  pauses: (value) => Array.isArray(value) && value.every(isCount),
  blocks: (value) => isRecord(value) && Object.values(value).every((id) => id === null || isText(id)),
  to: isText,
  ownership: isCount,
  status: isOneOf("completed", "failed", "cancelled"),
};
const TESTS = new Map(Object.entries(MEMBERS));

/** The members that an entry of a kind cannot be without. */
type Needed<Kind> = {
  readonly [name in keyof Kind as object extends Pick<Kind, name> ? never : Exclude<name, "type" | "at">]: true;
};

const NEEDED: { readonly [kind in Entry["type"]]: Needed<Extract<Entry, { readonly type: kind }>> } = {
  started: { version: true, workflow: true, definition: true, inputs: true },
  completed: { block: true, outputs: true },
  failed: { block: true, error: true },
  skipped: { block: true, reason: true },
  items: { block: true, count: true },
  attempted: { block: true, error: true, until: true },
  waiting: { block: true },
  iterated: { block: true },
  memoized: { block: true, key: true, given: true, value: true },
  paused: { block: true, pause: true, prompt: true, schema: true },
  answered: { pause: true, response: true },
  signalled: { id: true, name: true, value: true },
  reopened: { pause: true, error: true },
  called: { block: true },
  opened: { run: true, blockType: true, name: true, reference: true },
  resumed: {},
  suspended: {},
  forgotten: {},
  base: { version: true, entries: true, definition: true, state: true, steps: true },
  recovered: {},
  began: { block: true },
  revised: {},
  reentered: {},
  kept: { units: true },
  withdrawn: { block: true, pauses: true },
  effected: { block: true },
  forked: {},
  supplied: { block: true },
  assumed: { block: true },
  moved: { definition: true },
  transferred: { to: true, ownership: true },
  arrived: { ownership: true },
  compensating: { status: true, error: true },
  finished: { status: true },
};
const NEEDED_NAMES: ReadonlyMap<unknown, readonly string[]> = new Map(
  Object.entries(NEEDED).map(([kind, members]) => [kind, Object.keys(members)]),
);

/**
 * Whether the members of an entry are of the kinds that are written; their content is not checked. The fold reports an entry of an unknown
 * kind.
 */
export function isEntryShaped(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  return (NEEDED_NAMES.get(entry["type"]) ?? []).every((name) => Object.hasOwn(entry, name)) && hasEntryMembers(entry);
}

/** Whether what has an instant and members of entries has them as they are written. Of a long loop a snapshot holds very many. */
export function hasEntryMembers(given: Members): boolean {
  if (!isNumber(given["at"])) return false;
  for (const name of Object.keys(given)) {
    const value = given[name];
    if (value !== undefined && TESTS.get(name)?.(value, given) === false) return false;
  }
  return true;
}
