import { canonicalText } from "../model/fingerprint.ts";
import { checkJson } from "../model/check-json.ts";
import type { Value } from "../model/value.ts";
import { hasType, showValue, withArticle } from "../model/value-type.ts";
import type { ChannelDeclaration, ValueType, Workflow } from "../model/workflow.ts";
import type { JsonSchema } from "../model/json-schema.ts";

/** How the changes of a channel combine. What is held may be changed in place by `join`: it belongs to who folds. */
interface Reducer {
  /** The types that a channel with it may have; the first is the default. Default: any, and none by default. */
  readonly types?: readonly ValueType[];
  /** What it holds where nothing is said. Default: null. */
  readonly empty?: () => Value;
  /** Whether it joins changes to a list or an object of its own, which others must not see grow. */
  readonly grows?: true;
  /** Whether a change that is a list is a list of changes. */
  readonly each?: true;
  /** The type that a change must have, and what its schema is, from what the channel holds. Default: a change is a value of the channel. */
  readonly change?: (held: { readonly type?: ValueType | undefined; readonly schema: JsonSchema }) => ChangeRule;
  readonly join: (held: unknown, change: unknown) => unknown;
}

interface ChangeRule {
  readonly type?: ValueType | undefined;
  readonly schema: JsonSchema;
}

/** What a list holds already, as texts that only equal values share. Found out once for each list, which only grows. */
const members = new WeakMap<object, Set<string>>();

function addMember(list: unknown[], item: unknown): void {
  let known = members.get(list);
  if (!known) members.set(list, (known = new Set(list.map(canonicalText))));
  const text = canonicalText(item);
  if (known.has(text)) return;
  known.add(text);
  list.push(item);
}

const itemRule: Reducer["change"] = ({ schema }) => ({ schema: schema.items ?? {} });

const REDUCERS: ReadonlyMap<string, Reducer> = new Map<string, Reducer>([
  ["replace", { join: (_, change) => change }],
  [
    "append",
    {
      types: ["array"],
      empty: () => [],
      grows: true,
      change: itemRule,
      join(held, change) {
        (held as unknown[]).push(change);
        return held;
      },
    },
  ],
  ["sum", { types: ["number", "integer"], empty: () => 0, join: (held, change) => (held as number) + (change as number) }],
  [
    "merge",
    {
      types: ["object"],
      empty: () => ({}),
      grows: true,
      // A change needs not have all members.
      change: ({ schema }) => ({ type: "object", schema: { ...schema, required: [] } }),
      join: (held, change) => Object.assign(held as object, change),
    },
  ],
  [
    "union",
    {
      types: ["array"],
      empty: () => [],
      grows: true,
      each: true,
      change: itemRule,
      join(held, change) {
        for (const item of Array.isArray(change) ? change : [change]) addMember(held as unknown[], item);
        return held;
      },
    },
  ],
]);

/** The names of the reducers that every executor knows. */
export const REDUCER_NAMES: readonly string[] = [...REDUCERS.keys()];

/** A channel of a workflow, ready to be folded. */
export interface Channel {
  readonly name: string;
  /** The type of what it holds, where it has one. */
  readonly type: ValueType | undefined;
  /** Whether what it holds is a list or an object of its own that changes in place; otherwise each change gives another value. */
  readonly grows: boolean;
  /** What it holds when a run begins, to be joined with changes: given with the run, else its default. */
  begin(given: Value | undefined): unknown;
  /** What is held, to be joined with changes without the other one being changed. */
  copy(held: unknown): unknown;
  join(held: unknown, change: unknown): unknown;
  /** Why a change does not do, as the end of a sentence; nothing if it does. */
  refuse(change: unknown): string | undefined;
  /** Why a value does not do as a whole, in the same way. */
  refuseWhole(value: unknown): string | undefined;
}

/** The channels that a workflow declares, by name. Those whose reducer is not known hold what was written last. */
export function compileChannels({ channels = {} }: Pick<Workflow, "channels">): ReadonlyMap<string, Channel> {
  return new Map(Object.entries(channels).map(([name, declaration]) => [name, compileChannel(name, declaration)]));
}

function compileChannel(name: string, declared: ChannelDeclaration): Channel {
  const reducer = REDUCERS.get(declared.reduce ?? "replace") ?? REDUCERS.get("replace")!;
  const { grows = false, each = false, empty, types } = reducer;
  const type = declared.type ?? types?.[0];
  const whole: ChangeRule = { type, schema: declared.schema ?? {} };
  const change = reducer.change?.(whole) ?? whole;
  const copy = (held: unknown): unknown => (grows ? (Array.isArray(held) ? held.slice() : { ...(held as object) }) : held);
  return {
    name,
    type,
    grows,
    begin: (given) => copy(given ?? declared.default ?? empty?.() ?? null),
    copy,
    join: reducer.join,
    refuse: (value) => (each && Array.isArray(value) ? refuseFirst(value, change) : refuse(value, change)),
    refuseWhole: (value) => refuse(value, whole),
  };
}

function refuse(value: unknown, { type, schema }: ChangeRule): string | undefined {
  if (type !== undefined && !hasType(value, type)) return `must be ${withArticle(type)}, not ${showValue(value)}.`;
  const [issue] = checkJson(schema, value, { matches: () => true });
  return issue && `${issue.path === "" ? "" : `has a member "${issue.path}" that `}${issue.message}.`;
}

function refuseFirst(changes: readonly unknown[], rule: ChangeRule): string | undefined {
  for (const change of changes) {
    const reason = refuse(change, rule);
    if (reason !== undefined) return `has an item that ${reason}`;
  }
  return undefined;
}

/** The types that a channel may have, by the name of its reducer; nothing where it may have any. */
export function typesOfReducer(name: string): readonly ValueType[] | undefined {
  return REDUCERS.get(name)?.types;
}
