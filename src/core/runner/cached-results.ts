import { encodePlain, isRichForm } from "../model/encoding.ts";
import { errorData } from "../model/errors.ts";
import { canonicalText } from "../model/fingerprint.ts";
import { MAX_CACHED_LENGTH, MAX_CACHED_RESULTS } from "../model/limits.ts";
import type { CachedFrom } from "../model/run.ts";
import { isRecord } from "../model/value.ts";
import type { BlockResult } from "../ports/block.ts";
import type { CacheEvent } from "../ports/observer.ts";
import type { ResultCache } from "../ports/store.ts";
import { decodeValue, encodedForm, holdsSecrets } from "../journal/journal.ts";
import { channelCode, codeOf, COMPLETED, recordOf, unitScope } from "../machine/machine.ts";
import type { ReadyType } from "./ready-type.ts";
import { ResumedContext } from "./resumed-context.ts";
import { nameUnit, type Outcome, type StepContext } from "./step-context.ts";

/** Change it when the parts of a key, or the form of a result, change: results of other versions are not found then. */
const FORM = "cache/1";
/** After so many results, expired ones are removed. */
const SWEEP_EACH = 100;

/** How many results this process put into each cache. */
const puts = new WeakMap<ResultCache, number>();

/** A result as a cache keeps it. */
interface CachedResult extends CachedFrom {
  /** As a journal has them. */
  readonly outputs: unknown;
}

/**
 * Gives the cached outputs of a block of the same type with the same inputs in another run, if they are young enough. Else executes the block, and notes
 * the key to keep its outputs under. A cache that fails counts as empty.
 */
export async function executeCached(
  step: StepContext,
  type: ReadyType,
  execute: () => BlockResult | Promise<BlockResult>,
): Promise<Outcome> {
  const { cache } = step.place.services.store;
  const key = cache && (await keyOf(step, type));
  const found = key === undefined ? undefined : await find(step, cache!, key);
  // An answer before it may have been changed meanwhile.
  if (step.hasEnded || step.isStale) return undefined;
  if (found) {
    const { outputs, ...from } = found;
    step.cached = from;
    return { status: "known", outputs };
  }
  const outcome = await execute();
  if (outcome.status === "success" && !leavesTraces(step)) step.cacheKey = key;
  return outcome;
}

/** Whether a step did more than turn its inputs into outputs. */
function leavesTraces({ changes, chosen, ownFiles, isOfItsRun }: StepContext): boolean {
  return changes !== undefined || chosen !== undefined || ownFiles !== undefined || isOfItsRun;
}

/**
 * The key for all that a step is given: its type and the version of its code, its inputs as written and as resolved, and the channels that the code may
 * read. Nothing where the step depends on what only this run has: an answer, an event, an iteration, files, secrets, or inputs beyond plain JSON.
 */
async function keyOf(step: StepContext, { type, cacheVersion = "" }: ReadyType): Promise<string | undefined> {
  const { session, unit, definition } = step;
  const { services } = step.place;
  if (step instanceof ResumedContext || step.iteration > 1 || step.wokenAt !== undefined || step.signalId !== undefined) return undefined;
  const block = step.compiled.block(unit.block);
  // As the run has them: files and secrets are not what they stand for.
  const inputs = block.inputs(unitScope(session, unit));
  const reads = [...(channelCode(session)?.readByCode(session, unit.block) ?? [])].map((name) => [name, step.channels.get(name)]);
  const given = encodePlain([inputs, reads], services.values.isSecretKey)?.value;
  if (given === undefined) return undefined;
  const text = canonicalText(given);
  if (session.kept && canonicalText(block.inputs(step.scope)) !== canonicalText(inputs)) return undefined;
  if (services.guard && canonicalText(services.guard.mask(step.run, given)) !== text) return undefined;
  const written = { inputs: definition.inputs ?? {}, outputs: definition.outputs ?? {} };
  return step.host.hash(`${canonicalText([FORM, type, cacheVersion, written])}\n${text}`);
}

async function find(step: StepContext, cache: ResultCache, key: string): Promise<CachedResult | undefined> {
  try {
    const text = await cache.get(key);
    const result: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!isRecord(result) || typeof result["run"] !== "string" || typeof result["at"] !== "number") return undefined;
    const { run, at } = result;
    // By the clock of this process a result may come from the future.
    if (Math.abs(step.host.now() - at) >= step.definition.cache!.ttlMs) return undefined;
    return { run, at, outputs: await decodeValue(result["outputs"], step.place.services) };
  } catch (error) {
    tell(step, "cache_unread", error);
    return undefined;
  }
}

/**
 * Keeps the outputs of a step for other runs, once the step is stored. A run that is written only at its end stores no step by then: nothing is kept.
 */
export async function keepResult(step: StepContext): Promise<void> {
  const { session, unit, cacheKey, definition, host } = step;
  const { store } = step.place.services;
  const record = recordOf(session.state, unit);
  if (step.hasEnded || step.isStale || codeOf(session.state, unit) !== COMPLETED || !record) return;
  if (session.policy.durability === "exit") return;
  const at = session.state.started.at + record.at;
  const text = textOf(step, { run: step.run, at, outputs: encodedForm(record.outputs) });
  if (text === undefined) return;
  await session.flushed();
  try {
    const cache = store.cache!;
    await cache.put(cacheKey!, text, at + definition.cache!.ttlMs);
    const count = (puts.get(cache) ?? 0) + 1;
    puts.set(cache, count);
    if (count % SWEEP_EACH === 0) await cache.sweep(host.now(), MAX_CACHED_RESULTS);
  } catch (error) {
    tell(step, "cache_unkept", error);
  }
}

/** A result as a text; nothing where it is too large, or holds secrets or large bytes. */
function textOf({ place: { services }, run }: StepContext, result: CachedResult): string | undefined {
  const { outputs } = result;
  if (isRichForm(outputs) ? outputs.blobs !== undefined : holdsSecrets(outputs, services.values.isSecretKey)) return undefined;
  const text = JSON.stringify(result);
  if (text.length > MAX_CACHED_LENGTH) return undefined;
  return services.guard && services.guard.mask(run, text) !== text ? undefined : text;
}

function tell(step: StepContext, type: CacheEvent["type"], thrown: unknown): void {
  const { services } = step.place;
  const error = errorData(thrown, "STORE_FAILED");
  const { run, session, unit } = step;
  services.onEvent?.({ type, run, ...nameUnit(session, unit), error: services.guard?.mask(run, error) ?? error });
}
