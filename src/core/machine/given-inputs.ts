import type { CompiledWorkflow } from "../definition/definition.ts";
import type { Scope } from "../expression/scope.ts";
import { walkPath } from "../expression/walk-path.ts";
import { type Block, CALLING_TYPES } from "../model/workflow.ts";
import { fingerprint } from "../model/fingerprint.ts";
import { isRecord, type Value } from "../model/value.ts";
import { channelCode, channelScope } from "./channel-scope.ts";
import { lookUp, unitScope } from "./context.ts";
import { changedReads } from "./files.ts";
import { keyOf, type RunReading, type RunState } from "./state.ts";
import { dropMemos, foldedPart, isMore } from "./memos.ts";
import { changeUnit, type Items, unitState } from "./unit-state.ts";
import type { Unit } from "./unit.ts";

/**
 * A short text for all that a unit is given: what its block does, its inputs, and, after points, the answers and signals that it continued with; `signal`
 * is the newest one. Everything before its last question, or in earlier iterations, is one part, so that a loop of n turns stores n short texts. Two
 * executions with the same text need not both happen. Clock, durations and attempts are left out, and secrets appear by name. Nothing where the inputs
 * cannot be resolved.
 */
export function givenOf(run: RunReading, unit: Unit, signal?: string): string | undefined {
  const inputs = inputsGiven(run, unit);
  if (inputs === undefined) return undefined;
  const { state } = run;
  const { asked, loop, signals } = unitState(state, unit).progress;
  const iteration = loop?.past.length ?? 0;
  const place = lastAnswered(state, asked, iteration);
  const { entry, answer } = state.pauses[asked[place] ?? -1] ?? {};
  const parts = [inputs].concat(foldedPart(entry ? entry.given : loop?.past.at(-1)?.given) ?? []);
  if (answer) parts.push(fingerprint(answer.action ? { action: answer.action } : { response: answer.response }));
  for (const [id, taken] of signals ?? []) if (taken.past === iteration && taken.asked > place) parts.push(signalPrint(state, id));
  if (signal !== undefined && !signals?.has(signal)) parts.push(signalPrint(state, signal));
  return parts.join(".");
}

/** Where among the questions of a unit the last one stands that it was answered in this iteration; -1 where there is none. */
function lastAnswered({ pauses }: RunState, asked: readonly number[], iteration: number): number {
  for (let place = asked.length - 1; place >= 0; place--) {
    const { entry, answer, again } = pauses[asked[place]!]!;
    if ((again?.count ?? 0) < iteration) break;
    if (answer && (entry.child ?? entry.about) === undefined) return place;
  }
  return -1;
}

function signalPrint({ signals }: RunState, id: string): string {
  const { name, value } = signals!.get(id)!;
  return fingerprint({ event: name, value });
}

/** The same without the answers. */
export function inputsGiven(run: RunReading, unit: Unit): string | undefined {
  const { compiled } = run;
  try {
    const scope = steadyScope(run);
    const base = channelScope(run, unit, scope);
    const block = compiled.block(unit.block);
    const inputs = block.inputs(unitScope({ compiled, state: run.state, scope }, unit, { base, known: steadyItems }));
    const stamps = channelCode(run)?.stampsOf(run, unit) ?? [];
    const essence = essenceOf(compiled.workflow.blocks[unit.block]!);
    const read = changedReads(run, unit);
    if (read) return fingerprint([essence, inputs, stamps, read]);
    return fingerprint(stamps.length > 0 ? [essence, inputs, stamps] : [essence, inputs]);
  } catch {
    // An error in the inputs shows when the block runs.
    return undefined;
  }
}

/** Notes what a unit was given in an execution. If that has changed, so does its idempotency key. */
export function noteGiven(state: RunState, unit: Unit, given: string): void {
  if (isNoted(state, unit, given)) return;
  const own = changeUnit(state, unit);
  const k = keyNumber(state, unit, given);
  if (own.memos && !isMore(given, keyOf(state, unit)?.given)) dropMemos(state, own, given);
  own.key = { given, k };
}

/** Whether it is noted that this is what a unit was given last. */
export function isNoted(state: RunState, unit: Unit, given: string): boolean {
  return keyOf(state, unit)?.given === given;
}

/** The number in the idempotency key of a unit with these inputs. With one more answer it stays the same: the execution continues. */
export function keyNumber(state: RunState, unit: Unit, given: string | undefined): number {
  const key = keyOf(state, unit);
  if (!key) return 0;
  return given !== undefined && !isMore(given, key.given) ? key.k + 1 : key.k;
}

/** What tells the items of a list, or the members of an object, from each other: the value and how often it stood before, or the key. */
export function itemIds(value: Value): readonly string[] {
  if (!Array.isArray(value)) return Object.keys(value as object);
  const seen = new Map<string, number>();
  return (value as readonly Value[]).map((item) => {
    const id = fingerprint(item);
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}#${count}`;
  });
}

const steadyItems = new WeakMap<Items, readonly Value[]>();
const essences = new WeakMap<Block, string>();

/** Members of a block that say whether and when it runs, not what it does. */
const ASIDE: ReadonlySet<string> = new Set([
  "id",
  "description",
  "dependsOn",
  "join",
  "condition",
  "next",
  "onFailure",
  "compensate",
  "skippable",
  "declinable",
  "onRevise",
  "maxParallel",
  "priority",
  "cache",
]);

function essenceOf(block: Block): string {
  let known = essences.get(block);
  if (known === undefined) {
    const members = Object.entries(block).filter(([member, value]) => !ASIDE.has(member) && value !== undefined);
    essences.set(block, (known = fingerprint(Object.fromEntries(members))));
  }
  return known;
}

/** Members of metadata that differ between two executions of the same. */
const PASSING: ReadonlySet<string> = new Set([
  "execution_time_seconds",
  "execution_id",
  "execution_time_ms",
  "started_at",
  "completed_at",
  "attempts",
]);
/** What the engine adds to the outputs of a called workflow. */
const DURATIONS: ReadonlySet<string> = new Set(["execution_time_ms", "execution_time"]);

/** What expressions see, without what differs each time. */
function steadyScope({ compiled, state }: RunReading): Scope {
  const resolved = new Map<string, Value>();
  const run = { compiled, state, scope: { lookup: (path: readonly (string | number)[]): unknown => look(path) } };
  const look = (path: readonly (string | number)[]): unknown => {
    const [root, name, part, field] = path;
    if (root === "secrets" || (root === "inputs" && isSecret(compiled, state, name))) return `${root} ${String(name)}`;
    if (root === "metadata") return PASSING.has(String(name)) ? 0 : without(lookUp(run, path), PASSING);
    if (root !== "blocks") return lookUp(run, path);
    if (part === "metadata") return PASSING.has(String(field)) ? 0 : without(lookUp(run, path), PASSING);
    if (part === "inputs" && typeof name === "string" && compiled.plan.index.get(name) !== undefined) return inputsOf(name, path);
    if (!isCall(compiled, name)) return lookUp(run, path);
    return DURATIONS.has(String(field)) ? 0 : without(lookUp(run, path), DURATIONS);
  };
  const inputsOf = (name: string, path: readonly (string | number)[]): unknown => {
    let inputs = resolved.get(name);
    if (inputs === undefined) resolved.set(name, (inputs = compiled.block(compiled.plan.index.get(name)!).inputs(run.scope)));
    return walkPath(inputs, path, 3);
  };
  return run.scope;
}

function isSecret({ workflow }: CompiledWorkflow, { started }: RunState, name: string | number | undefined): boolean {
  const inputs = workflow.inputs ?? {};
  return typeof name === "string" && Object.hasOwn(inputs, name) && inputs[name]!.secret === true && !Object.hasOwn(started.inputs, name);
}

function isCall({ plan, workflow }: CompiledWorkflow, name: string | number | undefined): boolean {
  const block = typeof name === "string" ? plan.index.get(name) : undefined;
  return block !== undefined && CALLING_TYPES.has(workflow.blocks[block]!.type);
}

function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (!isRecord(value) || !Object.keys(value).some((name) => names.has(name))) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)));
}
