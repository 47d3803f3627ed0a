import { holds } from "./open-run.ts";
import type { OpenRun } from "./open-run.ts";
import { writeSidecar } from "./sidecar.ts";

/** Runs with fewer rows get a new sidecar whenever it is asked for. */
const SMALL_INDEX = 64;

/** Bytes of a journal that are read as fast as could be spared, and the part of a long one by which it grows until it is written down again. */
const SHORT_TAIL = 1_048_576;
const PART_OF_ALL = 8;

/** Writes the sidecar of a run when it is worth it. */
export interface SidecarKeeper {
  /** More was acknowledged. Writes the sidecar if a crash would otherwise leave much to read. */
  changed(): void;
  /** Writes the sidecar, unless the run is large and has hardly grown. */
  save(): void;
  /** Writes it if anything changed. A cache that cannot be written costs time and nothing else. */
  write(): void;
}

/** A {@link SidecarKeeper} for a run. */
export function sidecarKeeper(run: OpenRun): SidecarKeeper {
  let isChanged = false;
  /** The position up to which the newest sidecar reaches. */
  let written = run.state.position;

  function grown(): number {
    const { position } = run.state;
    return position.segment === written.segment ? position.bytes - written.bytes : position.bytes;
  }

  function write(): void {
    const { disk, directory, writer, state } = run;
    // With a header that waits to be written, the state is what others wrote.
    if (!isChanged || writer === undefined || writer.header !== undefined || !holds(run, writer)) return;
    try {
      writeSidecar(disk, directory, run.temporary(), state);
      written = state.position;
      isChanged = false;
    } catch {
      // What follows from the journal is read from it the next time.
    }
  }

  return {
    changed() {
      isChanged = true;
      if (grown() > Math.max(SHORT_TAIL, run.state.position.bytes / PART_OF_ALL)) write();
    },
    save() {
      const { rows, position } = run.state;
      if (rows.size < SMALL_INDEX || grown() > position.bytes / 4) write();
    },
    write,
  };
}
