import type { RunHead } from "../../core/model/run.ts";
import type { Commit } from "../../core/ports/store.ts";
import { appendCommit } from "./append.ts";
import type { Connection } from "./connection.ts";
import { errorName } from "./failure.ts";
import { randomName } from "./schema.ts";
import type { Database } from "./schema.ts";
import type { StoredRun } from "./tail.ts";
import { takeOver } from "./commit-after-others.ts";

/** Runs a store remembers its own last commit of. */
const REMEMBERED_RUNS = 64;

/** Writes the commits of a store, those of one run one after another. */
export interface RunWriters {
  commit(commit: Commit): Promise<void>;
  /** Resolves when nothing is being written. */
  settled(): Promise<void>;
}

interface Known {
  readonly database: Database;
  readonly run: StoredRun;
}

/** Returns writers over a connection, which know no run yet. */
export function runWriters(connection: Connection): RunWriters {
  /** How runs stood after the last commit of this store, on the connection that was used; least recently written first. */
  const known = new Map<string, Known>();
  const busy = new Map<string, Promise<void>>();
  let name: string | undefined;

  async function write(commit: Commit): Promise<void> {
    const { run, forgotten = [], base } = commit;
    name ??= randomName();
    const last = known.get(run);
    known.delete(run);
    const mayAppend = forgotten.length === 0 && base === undefined && last !== undefined && follows(commit, last.run.head);
    const writer = name;
    const now = await connection.use(async (database, attempt): Promise<Known | undefined> => {
      if (mayAppend && last.database === database && attempt === 0) {
        try {
          return { database, run: await appendCommit(database, commit, last.run) };
        } catch (error) {
          if (errorName(error) !== "ConstraintError") throw error;
        }
      }
      const stands = await takeOver(database, commit, { writer, again: attempt > 0 });
      return stands && { database, run: stands };
    });
    if (now === undefined) return;
    known.set(run, now);
    if (known.size > REMEMBERED_RUNS) known.delete(known.keys().next().value!);
  }

  return {
    commit(commit) {
      const { run } = commit;
      const before = busy.get(run);
      const written = before === undefined ? write(commit) : before.then(() => write(commit));
      const settled = written.catch(() => {}).finally(() => busy.get(run) === settled && busy.delete(run));
      busy.set(run, settled);
      return written;
    },
    async settled() {
      await Promise.all(busy.values());
    },
  };
}

/** Whether a commit continues this head. */
function follows({ expected, head, entries }: Commit, before: RunHead): boolean {
  return before.revision === expected?.revision && before.epoch === expected.epoch && before.entries === head.entries - entries.length;
}
