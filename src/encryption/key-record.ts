import { encodeBase64 } from "../core/model/base64.ts";
import { isConflict, WorkflowError } from "../core/model/errors.ts";
import type { RunHead } from "../core/model/run.ts";
import { isRecord } from "../core/model/value.ts";
import type { Store } from "../core/ports/store.ts";
import { bytesOfText, openText, sealText } from "./seal.ts";
import type { Place } from "./seal.ts";
import { drawSecrets, generationOf } from "./keyring.ts";
import { isDerivation, keyOf, newDerivation } from "./store-secret.ts";
import type { Derivation, StoreSecret } from "./store-secret.ts";
import { keyWrong, tampered } from "./tampering.ts";

/** The run that is none: its head holds what opens the store. A head is the one thing that every store replaces by comparison. */
export const KEY_RUN = "store.key";
const VERSION = 1;

/** The status of {@link KEY_RUN}: runs that go on are what no cleanup takes. */
export const KEY_STATUS = "running";

/** The secrets of a store as they were read, and the head they were read from. */
export interface KeyRecord {
  readonly head: RunHead;
  readonly secrets: Uint8Array<ArrayBuffer>;
}

/** Opens the record of a store's keys. Throws `STORE_KEY_WRONG`, and `STORE_TAMPERED` where there is none. */
export async function openKeyRecord(store: Store, secret: StoreSecret): Promise<KeyRecord> {
  const head = await store.head(KEY_RUN);
  if (!head) throw missing();
  const { generation, derivation, sealed } = readRecord(head);
  const secrets = await openText(await keyOf(secret, derivation), sealed, placeOf(generation, derivation));
  if (!secrets) throw keyWrong("The key or passphrase is not the one of this store, or the record of its keys was changed.");
  return { head, secrets };
}

/** Opens the record of a store's keys; makes it in a store without runs. Throws as {@link openKeyRecord} does. */
export async function openOrMakeKeyRecord(store: Store, secret: StoreSecret): Promise<KeyRecord> {
  if (!(await store.head(KEY_RUN))) {
    const { items, damaged = [] } = await store.runs({ limit: 1 });
    // Another tab may be first: here, or between the two reads.
    const made = items.length + damaged.length === 0 ? await makeKeyRecord(store, secret) : undefined;
    if (made) return made;
  }
  return openKeyRecord(store, secret);
}

async function makeKeyRecord(store: Store, secret: StoreSecret): Promise<KeyRecord | undefined> {
  const secrets = drawSecrets();
  try {
    return { head: await replaceKeyRecord(store, undefined, secrets, secret), secrets };
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}

/** Replaces the record. Throws `STORE_CONFLICT` where another process did. */
export async function replaceKeyRecord(
  store: Store,
  before: RunHead | undefined,
  secrets: Uint8Array<ArrayBuffer>,
  secret: StoreSecret,
): Promise<RunHead> {
  const derivation = newDerivation(secret);
  const generation = generationOf(secrets);
  const record = {
    version: VERSION,
    generation,
    ...(derivation && { salt: encodeBase64(derivation.salt), iterations: derivation.iterations }),
    secrets: await sealText(await keyOf(secret, derivation), secrets, placeOf(generation, derivation)),
  };
  const head: RunHead = {
    id: KEY_RUN,
    workflow: KEY_RUN,
    definition: "",
    status: KEY_STATUS,
    // The oldest of all, so that lists have it at their end.
    createdAt: 0,
    updatedAt: 0,
    changedAt: 0,
    revision: (before?.revision ?? 0) + 1,
    epoch: 1,
    entries: 0,
    pauses: [],
    sealed: JSON.stringify(record),
  };
  const expected = before && { revision: before.revision, epoch: before.epoch };
  await store.commit({ run: KEY_RUN, expected, head, entries: [], durability: "strict" });
  return head;
}

/** How many keys the store has had by now. Throws `STORE_TAMPERED` where nothing says so any more. */
export async function currentGeneration(store: Store): Promise<number> {
  const head = await store.head(KEY_RUN);
  if (!head) throw missing();
  return readRecord(head).generation;
}

function missing(): WorkflowError {
  return new WorkflowError(
    "STORE_TAMPERED",
    "This store has no record of the key that its runs would be sealed with: they are not sealed, or it was removed. Restore it from a copy; move runs that are not sealed into an empty store by export and import.",
  );
}

interface StoredRecord {
  readonly generation: number;
  readonly derivation: Derivation | undefined;
  readonly sealed: unknown;
}

function readRecord({ sealed = "" }: RunHead): StoredRecord {
  const record = parse(sealed);
  if (isRecord(record) && typeof record["version"] === "number" && record["version"] > VERSION) {
    throw new WorkflowError(
      "SCHEMA_VERSION_UNSUPPORTED",
      `The keys of this store are kept in form ${record["version"]}; this copy of wavepoint reads form ${VERSION}. Update it.`,
      { details: { found: record["version"], supported: VERSION } },
    );
  }
  const salt = isRecord(record) && record["salt"] !== undefined ? bytesOfText(record["salt"]) : undefined;
  const derivation = salt && isRecord(record) ? { salt, iterations: Number(record["iterations"]) } : undefined;
  const isWhole = isRecord(record) && (record["salt"] === undefined) === (salt === undefined) && Number.isInteger(record["generation"]);
  if (!isWhole || (derivation && !isDerivation(derivation))) throw tampered("The record of the store's keys", { run: KEY_RUN });
  return { generation: Number(record["generation"]), derivation, sealed: record["secrets"] };
}

function placeOf(generation: number, derivation: Derivation | undefined): Place {
  return ["keys", VERSION, generation, ...(derivation ? [encodeBase64(derivation.salt), derivation.iterations] : [])];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
