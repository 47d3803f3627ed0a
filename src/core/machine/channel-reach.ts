import type { RunReading } from "./state.ts";

/** Gives, for one block after another, the blocks that read in a later wave what it may write to channels, but those that were given before. */
export function channelReach(run: RunReading): (writer: number) => readonly number[] {
  const { compiled } = run;
  const { ids, waveOf } = compiled.plan;
  const readers = new Map<string, number[]>([...compiled.channels.keys()].map((name) => [name, []]));
  for (const block of ids.keys()) for (const name of channelsRead(run, block)) readers.get(name)?.push(block);
  /** From which wave on the readers of a channel were given. */
  const reached = new Map<string, number>();
  return (writer) =>
    channelsWritten(run, writer).flatMap((name) => {
      const wave = waveOf[writer]!;
      const before = reached.get(name) ?? Infinity;
      reached.set(name, Math.min(wave, before));
      return (readers.get(name) ?? []).filter((reader) => waveOf[reader]! > wave && waveOf[reader]! <= before);
    });
}

/** The channels that a block may write: as the workflow says, and as its code may. Where blocks add blocks, those may write any. */
export function channelsWritten({ compiled, state }: RunReading, block: number): readonly string[] {
  if (state.added) return [...compiled.channels.keys()];
  const { type, writes } = compiled.workflow.blocks[block]!;
  return [...Object.keys(writes ?? {}), ...(state.started.touches?.[type]?.writes ?? [])];
}

function channelsRead(run: RunReading, block: number): Iterable<string> {
  return new Set([...run.compiled.block(block).readsChannels, ...readByCode(run, block)]);
}

/** The channels that a block may read without its inputs telling what it read. */
export function channelsReadAside(run: RunReading, block: number): Iterable<string> {
  return new Set([...run.compiled.block(block).readsAside, ...readByCode(run, block)]);
}

/** The channels that the code of a block may read. */
export function readByCode({ compiled, state }: RunReading, block: number): readonly string[] {
  const { reads = [] } = state.started.touches?.[compiled.workflow.blocks[block]!.type] ?? {};
  // A block type may serve workflows that have other channels.
  return reads.filter((name) => compiled.channels.has(name));
}
