import { runId } from "../model/ids.ts";
import type { StartedEntry } from "../model/journal.ts";
import type { RunFork } from "../model/run.ts";
import { WorkflowError } from "../model/errors.ts";
import { entriesAt, type CheckpointPlace } from "./checkpoints.ts";
import type { Services } from "./services.ts";
import { foldRun } from "./read-run.ts";
import { Session } from "./session.ts";
import type { RunState } from "./state.ts";
import { unitName } from "./unit.ts";

/**
 * Makes a new run with the past of another up to a checkpoint, and new runs for what its blocks had called and were waiting for. The old
 * runs stay as they are. Gives the id of the new run.
 */
export async function forkRun(services: Services, source: RunState, place: CheckpointPlace): Promise<string> {
  const id = runId(services.host.newId());
  await copyRun(services, { from: source.id, to: id, entries: entriesAt(source, place), fork: { run: source.id, checkpoint: place.id } });
  return id;
}

interface Copy {
  readonly from: string;
  readonly to: string;
  readonly entries: number;
  readonly fork?: RunFork;
  readonly parent?: StartedEntry["parent"];
}

async function copyRun(services: Services, copy: Copy): Promise<void> {
  const past = await foldRun(services, copy.from, copy.entries);
  // Called runs first: a crash in between leaves copies nobody refers to, never a run that misses what it called.
  await copyCalledRuns(services, past, copy.to);
  const texts = await services.store.read(copy.from, { to: copy.entries });
  const started: StartedEntry = copy.parent ? { ...past.started, parent: copy.parent } : past.started;
  const session = new Session(
    services,
    { ...past, id: copy.to, started, fresh: past.fresh.map((row) => ({ ...row, run: copy.to })) },
    undefined,
    {
      origin: {
        createdAt: services.host.now(),
        ...(copy.parent ? { parent: copy.parent } : {}),
        ...(copy.fork ? { fork: copy.fork } : {}),
      },
      size: texts.reduce((sum, text) => sum + text.length, 0),
    },
  );
  const first = copy.parent ? JSON.stringify({ ...(JSON.parse(texts[0]!) as object), parent: copy.parent }) : texts[0]!;
  await session.create([first, ...texts.slice(1)]);
}

async function copyCalledRuns(services: Services, past: RunState, to: string): Promise<void> {
  const waiting = new Map<string, number[]>();
  for (const number of past.open) {
    const { entry } = past.pauses[number]!;
    const address = unitName(entry.block, entry.item);
    if (entry.child !== undefined) waiting.set(address, [...(waiting.get(address) ?? []), entry.child]);
  }
  for (const [block, pauses] of waiting) {
    const from = await services.childId(past.id, block);
    const child = await services.find(from);
    if (!child) {
      throw new WorkflowError(
        "RUN_NOT_FOUND",
        `The run that block "${block}" of run ${past.id} called was deleted, so this checkpoint cannot be forked.`,
      );
    }
    if (!child.active) await child.refresh();
    const { state } = child.session;
    const ends = pauses.map((number) => entriesAt(state, { id: `${from}#${number}`, run: from, kind: "pause", number }));
    await copyRun(services, {
      from,
      to: await services.childId(to, block),
      entries: Math.max(...ends),
      parent: { run: to, block },
    });
  }
}
