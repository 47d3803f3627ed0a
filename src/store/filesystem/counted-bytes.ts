import { WorkflowError, isWorkflowError } from "../../core/model/errors.ts";
import { allSynced, writeAll } from "./disk.ts";
import { becomeWriter, syncBefore, syncNames } from "./open-run.ts";
import type { OpenRun } from "./open-run.ts";
import { inodeOf } from "./segment-writer.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { countedBefore, newestSegment, segmentChain } from "./segments.ts";
import { lookSteadily } from "./steady.ts";

/** How long a writer waits for another one to finish the header of its segment. */
const HEADER_PATIENCE_MS = 250;
const HEADER_POLL_MS = 5;

/**
 * Returns how many bytes of a writer's segment count, now that another segment follows it; 0 if the run was deleted. Throws `STORE_FAILED` if this can no
 * longer be known.
 */
export async function countedBytes(run: OpenRun, writer: SegmentWriter): Promise<number> {
  for (let waited = 0; ; waited += HEADER_POLL_MS) {
    const counted = lookSteadily(run.disk, run.directory, () => look(run, writer));
    if (counted !== undefined) return counted;
    if (waited >= HEADER_PATIENCE_MS) await decide(run);
    else await pollPause();
  }
}

function look(run: OpenRun, { segment, inode, position }: SegmentWriter): number | undefined {
  const { disk, directory } = run;
  // Check this before the chain: the replacement of a segment exists before the segment is removed, and says how much of it counted.
  const isGone = inodeOf(disk, directory, segment) !== inode;
  const segments = segmentChain(run);
  const [first] = segments;
  if (first?.replaced && first.number > segment) {
    const counted = countedBefore(first.replaced, segment);
    if (counted === undefined) throw unknown(run.run);
    return counted;
  }
  if (isGone) return 0;
  // List them after the chain was read: only a newest segment whose header was written before any other segment was made is final.
  const newest = newestSegment(disk, directory);
  if (newest === segment) return position;
  return segments.at(-1)?.number === newest ? (segments.find(({ number }) => number === segment)?.end ?? 0) : undefined;
}

/**
 * Waits until the store that took the run has finished its first write, for a quarter of a second at most. Without it, two stores whose callers try again at
 * once take the run from each other before either has written.
 */
export async function waitForHolder(run: OpenRun): Promise<void> {
  for (let waited = 0; waited < HEADER_PATIENCE_MS && isBeginning(run); waited += HEADER_POLL_MS) await pollPause();
}

function isBeginning(run: OpenRun): boolean {
  const { disk, directory } = run;
  return lookSteadily(disk, directory, () => {
    const newest = newestSegment(disk, directory);
    return newest >= 0 && segmentChain(run).at(-1)?.number !== newest;
  });
}

function pollPause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, HEADER_POLL_MS));
}

/** Decides how much counts: adds a segment after one whose writer never wrote a header. Does nothing if another store decides. */
async function decide(run: OpenRun): Promise<void> {
  const { disk } = run;
  let next: SegmentWriter;
  try {
    next = becomeWriter(run);
  } catch (error) {
    if (isWorkflowError(error) && error.code === "STORE_CONFLICT") return;
    throw error;
  }
  try {
    await syncBefore(run, next);
    writeAll(disk, next.file, next.header!, 0);
    await allSynced([disk.sync(next.file), syncNames(run, next)]);
  } finally {
    disk.close(next.file);
  }
}

/** Others took the run very often since, and replaced what tells. */
function unknown(run: string): WorkflowError {
  return new WorkflowError(
    "STORE_FAILED",
    `Run ${run} was taken by others while this commit was being written, and whether it counts is no longer kept. Read the run again.`,
    { details: { run } },
  );
}
