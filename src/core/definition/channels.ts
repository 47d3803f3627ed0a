import { encodePlain } from "../model/encoding.ts";
import { errorData, WorkflowError } from "../model/errors.ts";
import { canonicalText } from "../model/fingerprint.ts";
import { isName } from "../model/ids.ts";
import { checkJson } from "../model/check-json.ts";
import { isPlainSchema } from "../expression/ready-schema.ts";
import type { Value } from "../model/value.ts";
import { hasType, showValue, withArticle } from "../model/value-type.ts";
import type { ChannelDeclaration, ValueType, Workflow } from "../model/workflow.ts";
import type { ChannelReducer, ChannelReducers } from "../ports/reducer.ts";
import { checkJsonSchema } from "../model/check-json-schema.ts";
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
  /** Whether changes that fit may still join to something that does not. */
  readonly computes?: true;
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
  ["sum", { types: ["number", "integer"], empty: () => 0, computes: true, join: (held, change) => (held as number) + (change as number) }],
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

/** What is known of a channel whose reducer is not: it may take and hold anything. */
const ANY: Reducer = { change: () => ({ schema: {} }), join: (_, change) => change };

/** The names of the reducers that every executor knows. */
export const REDUCER_NAMES: readonly string[] = [...REDUCERS.keys()];

export const NO_REDUCERS: ChannelReducers = new Map();

/**
 * The reducers that a host gives. Throws `ID_INVALID` and `ID_DUPLICATE` for names that they cannot have, and `SCHEMA_INVALID` for a schema that cannot
 * be used.
 */
export function readReducers(given: { readonly [name: string]: ChannelReducer }): ChannelReducers {
  const entries = Object.entries(given);
  for (const [name, { schema }] of entries) {
    if (!isName(name)) {
      throw new WorkflowError("ID_INVALID", `A reducer cannot be named ${showValue(name)}. Use letters, digits, "_" and "-".`);
    }
    if (REDUCERS.has(name)) throw new WorkflowError("ID_DUPLICATE", `There is a reducer "${name}" already. Name yours otherwise.`);
    const problem = schema && schemaProblem(schema);
    if (problem !== undefined) {
      throw new WorkflowError("SCHEMA_INVALID", `The reducer "${name}" has a schema that cannot be used: ${problem}`);
    }
  }
  return entries.length === 0 ? NO_REDUCERS : new Map(entries);
}

/** Why a schema cannot be used for channels; nothing if it can. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  const [first] = checkJsonSchema(schema);
  return first ?? (isPlainSchema(schema) ? undefined : "Patterns and conditions are not looked at here.");
}

function reducerOf({ reduce = "replace" }: ChannelDeclaration, reducers: ChannelReducers): Reducer | undefined {
  const own = REDUCERS.get(reduce);
  const given = own ? undefined : reducers.get(reduce);
  return given ? fromHost(reduce, given) : own;
}

/** What code of the host is shown: it cannot change it. */
function frozen(value: unknown): Value {
  return (Object.isFrozen(value) ? value : (encodePlain(value)?.value ?? value)) as Value;
}

function fromHost(name: string, given: ChannelReducer): Reducer {
  return {
    computes: true,
    change: () => ({ schema: given.schema ?? {} }),
    join(held, change) {
      const refused = (why: string, cause?: unknown): WorkflowError =>
        new WorkflowError("REDUCER_FAILED", `The reducer "${name}" ${why}`, { details: { reducer: name }, cause });
      let joined: unknown;
      try {
        joined = given.reduce(frozen(held), frozen(change));
      } catch (cause) {
        throw refused(`failed: ${errorData(cause, "REDUCER_FAILED").message}`, cause);
      }
      const kept = encodePlain(joined);
      if (kept) return kept.value;
      throw refused(`gave ${showValue(joined)}, which is not plain JSON. Let it give what JSON can hold.`);
    },
  };
}

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
  /** Throws `REDUCER_FAILED` where a reducer of the host throws, or gives what is not plain JSON. */
  join(held: unknown, change: unknown): unknown;
  /** Whether changes that fit may still join to something that does not. */
  readonly computes: boolean;
  /** Why a change does not do, as the end of a sentence; nothing if it does. */
  refuse(change: unknown): string | undefined;
  /** Why a value does not do as a whole, in the same way. */
  refuseWhole(value: unknown): string | undefined;
}

/** The channels that a workflow declares, by name. Throws `REDUCER_MISSING`. */
export function compileChannels({ channels = {} }: Pick<Workflow, "channels">, reducers: ChannelReducers): ReadonlyMap<string, Channel> {
  return new Map(
    Object.entries(channels).map(([name, declared]) => {
      const reducer = reducerOf(declared, reducers);
      if (reducer) return [name, compileChannel(name, declared, reducer)];
      throw new WorkflowError(
        "REDUCER_MISSING",
        `Channel "${name}" has the reducer "${declared.reduce}", which this executor does not have. Give it to createExecutor in \`reducers\`; the run was left as it is.`,
        { details: { channel: name, reducer: String(declared.reduce) } },
      );
    }),
  );
}

/** A channel as far as its declaration tells. */
export function describeChannel(name: string, declared: ChannelDeclaration, reducers: ChannelReducers = NO_REDUCERS): Channel {
  return compileChannel(name, declared, reducerOf(declared, reducers) ?? ANY);
}

function compileChannel(name: string, declared: ChannelDeclaration, reducer: Reducer): Channel {
  const { grows = false, each = false, computes = false, empty, types } = reducer;
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
    computes,
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
