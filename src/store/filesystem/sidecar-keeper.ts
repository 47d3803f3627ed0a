import { holds } from "./open-run.ts";
import type { OpenRun } from "./open-run.ts";
import { writeSidecar } from "./sidecar.ts";

/** Runs with fewer rows get a new sidecar whenever it is asked for. */
const SMALL_INDEX = 64;

/** Writes the sidecar of a run when it is worth it. */
export interface SidecarKeeper {
  /** Tells that more was acknowledged. */
  changed(): void;
  /** Writes it unless the run is large and has hardly grown. */
  save(): void;
  /** Writes it if anything changed. A cache that cannot be written costs time and nothing else. */
  write(): void;
}

/** A {@link SidecarKeeper} for a run. */
export function sidecarKeeper(run: OpenRun): SidecarKeeper {
  let isChanged = false;
  /** Up to where the newest sidecar goes. */
  let written = run.state.position;

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
    },
    save() {
      const { rows, position } = run.state;
      const grown = position.segment === written.segment ? position.bytes - written.bytes : position.bytes;
      if (rows.size < SMALL_INDEX || grown > position.bytes / 4) write();
    },
    write,
  };
}
