import { assertStoreKey } from "../core/model/ids.ts";
import { WorkflowError } from "../core/model/errors.ts";
import type { RunHead } from "../core/model/run.ts";
import type { Store } from "../core/ports/store.ts";
import { currentGeneration, KEY_RUN } from "./key-record.ts";
import type { Keyring } from "./keyring.ts";
import { drawRunKey, unwrapRunKey } from "./run-key.ts";
import type { WrappedKey } from "./run-key.ts";
import { NO_MARK } from "./sealed-entries.ts";
import { openHead, readSeal } from "./sealed-head.ts";
import type { ChainEnd } from "./sealed-head.ts";
import { keyWrong, tampered } from "./tampering.ts";

/** Runs whose keys are remembered. */
const REMEMBERED_RUNS = 512;

/** A stored run: its head as it was sealed, its key, and the end of its chain. */
export interface OpenedRun {
  readonly run: string;
  readonly head: RunHead | undefined;
  readonly wrapped: WrappedKey;
  readonly key: CryptoKey;
  readonly chain: ChainEnd;
}

/** Opens the heads of a store, and remembers the keys in them. */
export interface RunSeals {
  /** The run as it stands. Throws `STORE_KEY_INVALID`, `STORE_TAMPERED`, `STORE_KEY_WRONG` where another key has replaced the one given. */
  read(run: string): Promise<OpenedRun | undefined>;
  open(stored: RunHead): Promise<OpenedRun>;
  /** The key of a run as it was when it was last looked at; another run may have its name now. */
  known(run: string): CryptoKey | undefined;
  /** A run that is not stored yet. Throws `STORE_KEY_WRONG` as `read` does. */
  create(run: string): Promise<OpenedRun>;
}

/** Opens nothing yet. */
export function runSeals(store: Store, keyring: Keyring): RunSeals {
  /** Keys by their wrapped form, and by the run; least recently used first. */
  const keys = new Map<string, CryptoKey>();
  const newest = new Map<string, CryptoKey>();

  function remember(remembered: Map<string, CryptoKey>, name: string, key: CryptoKey): void {
    remembered.delete(name);
    remembered.set(name, key);
    if (remembered.size > REMEMBERED_RUNS) for (const oldest of [...remembered.keys()].slice(0, 1)) remembered.delete(oldest);
  }

  async function assertCurrent(): Promise<void> {
    if ((await currentGeneration(store)) === keyring.generation) return;
    throw keyWrong("The key of this store was changed since it was opened.");
  }

  async function keyOfRun(run: string, wrapped: WrappedKey): Promise<CryptoKey> {
    const name = `${run} ${wrapped.generation} ${wrapped.text}`;
    const key = keys.get(name) ?? (await unwrapRunKey(keyring, run, wrapped));
    if (!key) {
      if (wrapped.generation > keyring.generation) await assertCurrent();
      throw tampered(`The key of run ${run}`, { run });
    }
    remember(keys, name, key);
    remember(newest, run, key);
    return key;
  }

  const seals: RunSeals = {
    async read(run) {
      assertRunKey(run);
      const stored = await store.head(run);
      if (stored && stored.id !== run) throw tampered(`The head of run ${run}`, { run });
      return stored && seals.open(stored);
    },
    async open(stored) {
      const seal = readSeal(stored);
      const key = await keyOfRun(stored.id, seal.wrapped);
      return { run: stored.id, wrapped: seal.wrapped, key, ...(await openHead(stored, seal, key)) };
    },
    async create(run) {
      await assertCurrent();
      const drawn = await drawRunKey(keyring, run);
      remember(newest, run, drawn.key);
      return { run, head: undefined, ...drawn, chain: { last: NO_MARK } };
    },
    known: (run) => newest.get(run),
  };
  return seals;
}

/** Throws `STORE_KEY_INVALID` for what can be no run of an encrypted store. */
export function assertRunKey(run: unknown): asserts run is string {
  assertStoreKey(run, "The run id");
  if (run === KEY_RUN)
    throw new WorkflowError("STORE_KEY_INVALID", `The run id "${KEY_RUN}" is taken by the encrypted store. Choose another one.`);
}
