import { stringify } from "devalue";
import { type Encoded, richForm, type RichForm } from "../../model/encoding.ts";
import { WorkflowError } from "../../model/errors.ts";
import { MAX_VALUE_BYTES } from "../../model/limits.ts";
import type { JournalParts } from "../journal-parts.ts";
import { copyRich } from "./copy-rich.ts";
import { rememberForm } from "./encoded-forms.ts";
import { type BlobContents, readRich } from "./read-rich.ts";
import { BYTES_TAG, OBJECT_TAG, SerializedObject, StoredBytes } from "./stored-value.ts";

export { type GivenFile, keepFile, openFiles, readFile } from "./file-contents.ts";

/** Paths that one event lists. */
const MAX_PATHS = 20;

export interface EncodeOptions {
  /** What the value is, for messages. */
  readonly what: string;
  readonly services: JournalParts;
  readonly run: string;
  /** Takes the hashes of the blobs that the value refers to. */
  readonly blobs: Set<string>;
}

const REDUCERS = {
  [BYTES_TAG]: (value: unknown) => value instanceof StoredBytes && [value.kind, value.blob],
  [OBJECT_TAG]: (value: unknown) => value instanceof SerializedObject && [value.serializer, value.data],
};

/**
 * Encodes a value that is more than plain JSON, with its secrets masked; its large bytes are stored before it resolves. What the run keeps is
 * what reading the journal would give. Rejects with `VALUE_UNSERIALIZABLE`, `LIMIT_EXCEEDED` and what the store throws.
 */
export async function encodeRich(value: unknown, { what, services, run, blobs }: EncodeOptions): Promise<Encoded> {
  const { host, store, guard, values: rules } = services;
  const copied = copyRich(value, { what, rules, mask: (leaf) => guard?.mask(run, leaf) ?? leaf });
  const hashes: string[] = [];
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const bytes of copied.blobs) {
    const hash = await host.hash(bytes);
    hashes.push(hash);
    if (contents.has(hash)) continue;
    contents.set(hash, bytes);
    // What the run refers to already is there: an answer, what its block gives and what the run gives are often the same file.
    if (!blobs.has(hash)) await store.putBlob(hash, bytes);
    blobs.add(hash);
  }
  const form = richForm(stringify(copied.copy, REDUCERS), hashes);
  const kept = readRich(form, { contents, rules });
  rememberForm(kept, form);
  const { dropped } = copied;
  if (dropped.length > 0) services.onEvent?.({ type: "dropped", run, what, paths: dropped.slice(0, MAX_PATHS) });
  return { encoded: form, value: kept };
}

/** Reads a value with its blobs; see `decodeValue`. */
export async function decodeRich(form: RichForm, services: JournalParts): Promise<unknown> {
  const value = readRich(form, { contents: await readBlobs(form.blobs ?? [], services), rules: services.values });
  rememberForm(value, form);
  return value;
}

async function readBlobs(hashes: readonly unknown[], { store, host }: JournalParts): Promise<BlobContents> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  let total = 0;
  for (const hash of new Set(hashes)) {
    if (typeof hash !== "string" || !SHA_256.test(hash)) throw new TypeError("A blob is named by a hash.");
    const content = await store.getBlob(hash);
    if (content === undefined) throw damaged(hash, "missing from");
    if (typeof content === "string" || (total += content.length) > MAX_VALUE_BYTES || (await host.hash(content)) !== hash) {
      throw damaged(hash, "damaged in");
    }
    contents.set(hash, content);
  }
  return contents;
}

const SHA_256 = /^[0-9a-f]{64}$/;

function damaged(blob: string, how: string): WorkflowError {
  return new WorkflowError("RUN_CORRUPT", `Blob ${blob}, to which a value of the run refers, is ${how} the store.`, { details: { blob } });
}
