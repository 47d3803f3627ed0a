import { openDB, type DBSchema, type IDBPDatabase } from "idb";

/** A try to have an effect in the world outside of runs: a letter is stamped. */
export interface Effect {
  readonly run: string;
  readonly block: string;
  /** Whose letter it is. */
  readonly to: string;
  readonly at: number;
  /** Whether something happened; false where the key showed that it had happened before. */
  readonly happened: boolean;
}

/**
 * The outside world of the demo: a database of its own, which no store of runs knows, so that a crash of the engine leaves it as it is. It
 * can tell a repetition by the key it is given, as a good service does.
 */
export interface Effects {
  /** Stamps, unless that was done for this key. Gives whether it was done now. */
  stamp(effect: { readonly run: string; readonly block: string; readonly to: string; readonly key: string }): Promise<boolean>;
  /** Every try of a run, oldest first. */
  of(run: string): Promise<readonly Effect[]>;
}

const NAME = "wavepoint-demo-outside";

interface Outside extends DBSchema {
  stamped: { key: string; value: string };
  tries: { key: number; value: Effect; indexes: { run: string } };
}

export function openEffects(): Effects {
  let opened: Promise<IDBPDatabase<Outside>> | undefined;
  const open = (): Promise<IDBPDatabase<Outside>> =>
    (opened ??= openDB<Outside>(NAME, 1, {
      upgrade(database) {
        database.createObjectStore("stamped");
        database.createObjectStore("tries", { autoIncrement: true }).createIndex("run", "run");
      },
    }));
  return {
    async stamp({ run, block, to, key }) {
      const transaction = (await open()).transaction(["stamped", "tries"], "readwrite");
      const stamped = transaction.objectStore("stamped");
      const happened = (await stamped.getKey(key)) === undefined;
      if (happened) await stamped.add(block, key);
      await transaction.objectStore("tries").add({ run, block, to, at: Date.now(), happened });
      await transaction.done;
      return happened;
    },
    of: async (run) => (await open()).getAllFromIndex("tries", "run", run),
  };
}
