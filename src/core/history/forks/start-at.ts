import { encodePlain } from "../../model/encoding.ts";
import { isName } from "../../model/ids.ts";
import { WorkflowError } from "../../model/errors.ts";
import type { Entry, SuppliedEntry } from "../../model/journal.ts";
import { adviseName } from "../../model/suggestions.ts";
import { isRecord, type Value, type Values } from "../../model/value.ts";
import { encodeValue, holdsSecrets } from "../../journal/journal.ts";
import { addedPart, ancestorsOf, dependentsOf, type FoldedRun, readersOf, SETTLED, stagesOf, unitState } from "../../machine/machine.ts";
import type { ForkOptions, OpenRun, Services } from "../../run/run.ts";
import { assertWritesFall } from "./undone-since.ts";
import type { ForkChange } from "./copy-past.ts";

interface Source {
  readonly run: OpenRun;
  /** The run as it was at the checkpoint. */
  readonly past: FoldedRun;
  readonly options: ForkOptions;
}

/**
 * How a fork begins at a block; nothing where it begins at its checkpoint. Throws `KEY_UNKNOWN` for options that do not go together, `REFERENCE_UNKNOWN` for a
 * block that is not there, `OUTPUT_INVALID`, `CHANNEL_UNKNOWN`, `CHANNEL_INVALID` and `SECRET_MISPLACED`.
 */
export async function beginningOf(services: Services, source: Source): Promise<ForkChange["entries"] | undefined> {
  const { past, options } = source;
  assertTogether(options);
  const { startAt, outputs = {}, channels } = options;
  if (startAt === undefined) return undefined;
  const { plan } = past.compiled;
  const start = findBlock(source, startAt);
  const before = ancestorsOf(past.compiled, start);
  const given = new Map<number, Values>();
  if (!isRecord(outputs)) throw new WorkflowError("OUTPUT_INVALID", "The outputs of a fork are an object: outputs by the ids of blocks.");
  for (const [id, value] of Object.entries(outputs)) {
    const block = findBlock(source, id);
    if (block === start || !before.has(block)) {
      throw unfit(id, `Block "${id}" is not before "${startAt}", so it runs there itself.`);
    }
    given.set(block, await admitOutputs(services, source, block, value));
  }
  const stages = stagesOf(past);
  const isLacking = (block: number): boolean => block !== start && stages[block] !== SETTLED && !given.has(block);
  const lacking = [...before].filter(isLacking);
  assertNothingMissing(past, { start, before, lacking });
  const due = dueFrom(past, { start, before, given: [...given.keys()] });
  const held = channels === undefined ? undefined : admitChannels(services, source, channels);
  const supplied = [...given.keys(), ...lacking].toSorted((a, b) => plan.waveOf[a]! - plan.waveOf[b]! || a - b);
  const units = [...due, ...supplied].toSorted((a, b) => a - b);
  assertWritesFall(past, { units, stages, held });
  await addedPart.load();
  return function* (_, at): Generator<Entry> {
    yield {
      type: "reentered",
      units: units.map((block) => ({ block: plan.ids[block]! })),
      ...(held ? { channels: held } : {}),
      at,
    };
    for (const [i, block] of supplied.entries()) {
      const outputsOf = given.get(block);
      const more: Pick<SuppliedEntry, "more"> = i < supplied.length - 1 ? { more: true } : {};
      yield { type: "supplied", block: plan.ids[block]!, ...(outputsOf ? { outputs: outputsOf } : {}), ...more, at };
    }
  };
}

function assertTogether(options: ForkOptions): void {
  const names = (["outputs", "channels", "inputs", "revise", "definition"] as const).filter((name) => options[name] !== undefined);
  const isGiven = (name: (typeof names)[number]): boolean => name === "outputs" || name === "channels";
  const alone = names.find((name) => (options.startAt === undefined) === isGiven(name));
  if (alone === undefined) return;
  const message = isGiven(alone)
    ? `fork takes ${alone} only with startAt, which says where the new run begins.`
    : `fork does not take ${alone} with startAt. Fork with ${alone} first, then that run with startAt.`;
  throw new WorkflowError("KEY_UNKNOWN", message, { details: { option: alone } });
}

/** The number of a block. Throws `REFERENCE_UNKNOWN` for one that the run does not have at the checkpoint. */
function findBlock({ run, past }: Source, id: unknown): number {
  const { plan } = past.compiled;
  const block = isName(id) ? plan.index.get(id) : undefined;
  if (block !== undefined && plan.waveOf[block]! >= 0) return block;
  const shown = String(id).slice(0, 100);
  const details = { run: run.id, block: shown };
  if (block === undefined && isName(id) && run.session.compiled.plan.index.has(id)) {
    const message = `Block "${shown}" was added later: at this checkpoint run ${run.id} does not have it. Fork at a checkpoint behind the block that added it.`;
    throw new WorkflowError("REFERENCE_UNKNOWN", message, { details });
  }
  const there = plan.ids.filter((_, i) => plan.waveOf[i]! >= 0);
  const { sentence, details: advice } = adviseName(shown, there);
  const message = `Run ${run.id} has no block "${shown}" that it could begin at.${sentence}`;
  throw new WorkflowError("REFERENCE_UNKNOWN", message, { details: { ...details, ...advice } });
}

/** Outputs as the new run keeps them. Throws `OUTPUT_INVALID`, `SECRET_MISPLACED`, `VALUE_UNSERIALIZABLE` and `LIMIT_EXCEEDED`. */
async function admitOutputs(services: Services, { run, past }: Source, block: number, given: unknown): Promise<Values> {
  const { compiled, state } = past;
  const definition = compiled.workflow.blocks[block]!;
  const { id, type } = definition;
  if (definition.forEach !== undefined) {
    throw unfit(id, `Block "${id}" runs for each of its items, so it takes no outputs. Begin at it, or at a checkpoint behind it.`);
  }
  if (unitState(state, { block }).progress.added) {
    throw unfit(id, `Block "${id}" added blocks to the run, so it takes no other outputs. Begin at it, or at one of those that it added.`);
  }
  const checked = (await services.types.get(type)?.validateOutputs?.(given, definition)) ?? given;
  if (!isRecord(checked)) throw unfit(id, `The outputs of block "${id}" are not named values. Give an object.`);
  assertOpen(services, checked, `the outputs of block "${id}"`);
  const masked = services.guard?.mask(run.id, checked) ?? checked;
  const what = `The output of block "${id}"`;
  const { value } = await encodeValue(masked, { what, services, run: state.id, blobs: new Set() });
  return value as Values;
}

interface Reach {
  readonly start: number;
  /** The block where the run begins, and all that it depends on. */
  readonly before: ReadonlySet<number>;
}

/** Throws `OUTPUT_INVALID` where a block that runs needs one that has not run and has no given outputs; names all of those. */
function assertNothingMissing(
  { compiled, state }: FoldedRun,
  { start, before, lacking }: Reach & { readonly lacking: readonly number[] },
): void {
  const { ids } = compiled.plan;
  const readers = readersOf(compiled);
  const missing = lacking.flatMap((block) => {
    // The blocks that it added would be lost with it.
    const isAdding = unitState(state, { block }).progress.added !== undefined;
    const reader = isAdding ? start : readers[block]!.find((one) => one === start || !before.has(one));
    return reader === undefined ? [] : [{ id: ids[block]!, reader: ids[reader]! }];
  });
  if (missing.length === 0) return;
  const list = missing.slice(0, 20).map(({ id, reader }) => `"${id}", which "${reader}" needs`);
  throw new WorkflowError(
    "OUTPUT_INVALID",
    `A run that begins at block "${ids[start]!}" lacks the outputs of ${list.join(", and of ")}. Give them in outputs, or begin at a later checkpoint.`,
    { details: { blocks: missing.map(({ id }) => id) } },
  );
}

/** What is due: the block, what depends on it, and what depends on blocks that are given other outputs. */
function dueFrom(past: FoldedRun, { start, before, given }: Reach & { readonly given: readonly number[] }): ReadonlySet<number> {
  const due = new Set([start]);
  for (const block of [start, ...given]) for (const later of dependentsOf(past, block)) if (!before.has(later)) due.add(later);
  return due;
}

/** What channels hold as the new run keeps it. Throws `CHANNEL_UNKNOWN`, `CHANNEL_INVALID` and `SECRET_MISPLACED`. */
function admitChannels(services: Services, { run, past: { compiled } }: Source, given: unknown): Values {
  if (!isRecord(given)) throw new WorkflowError("CHANNEL_INVALID", "The channels of a fork are an object of names and values.");
  const held = Object.entries(given).map(([name, value]): readonly [string, Value] => {
    const channel = compiled.channels.get(name);
    if (!channel) {
      const { sentence, details } = adviseName(name, compiled.channels.keys());
      const message = `Workflow "${compiled.workflow.name}" has no channel "${name}".${sentence}`;
      throw new WorkflowError("CHANNEL_UNKNOWN", message, { details });
    }
    const plain = encodePlain(value);
    const reason = plain ? channel.refuseWhole(value) : "must be plain JSON.";
    if (!plain || reason !== undefined) {
      throw new WorkflowError("CHANNEL_INVALID", `The fork cannot begin: channel "${name}" ${reason}`, { details: { channel: name } });
    }
    return [name, plain.value as Value];
  });
  assertOpen(services, given, "these channels");
  const values = Object.fromEntries(held);
  return services.guard?.mask(run.id, values) ?? values;
}

function assertOpen({ values }: Services, given: unknown, where: string): void {
  if (!holdsSecrets(given, values.isSecretKey)) return;
  const message = `Something in ${where} stands under a secret key, which is kept in memory only. Begin at the block that gives it.`;
  throw new WorkflowError("SECRET_MISPLACED", message);
}

function unfit(block: string, message: string): WorkflowError {
  return new WorkflowError("OUTPUT_INVALID", message, { details: { block } });
}
