import { decodeBase64, encodeBase64 } from "../../model/base64.ts";
import { WorkflowError } from "../../model/errors.ts";
import { MAX_VALUE_BYTES } from "../../model/limits.ts";
import { mapMembers } from "../../model/map-members.ts";
import { FileBytes, type StoredFile } from "../../model/run-file.ts";
import type { JournalParts } from "../journal-parts.ts";

/** A file that a block gives to its run. */
export interface GivenFile extends Pick<StoredFile, "name" | "type"> {
  readonly bytes: Uint8Array;
  /** Whether its bytes are to stand in the entry of the step; else they are stored before this resolves. */
  readonly isInline: boolean;
}

/** Keeps the bytes of a file, with the secrets in them masked. Gives the file as the journal will have it. Rejects with what the store throws. */
export async function keepFile(
  { name, type, bytes: given, isInline }: GivenFile,
  { services, run }: { readonly services: JournalParts; readonly run: string },
): Promise<StoredFile> {
  const { host, store, guard } = services;
  const bytes = new Uint8Array((guard?.mask(run, given) ?? given) as Uint8Array);
  const hash = await host.hash(bytes);
  if (!isInline) await store.putBlob(hash, bytes);
  return { name, type, size: bytes.length, hash, ...(isInline && { bytes: encodeBase64(bytes) }) };
}

/** The bytes of a file of a run. Rejects with `RUN_CORRUPT` for what is missing or damaged, and with what the store throws. */
export async function readFile(
  { name, size, hash, bytes: inline }: StoredFile,
  { store, host }: JournalParts,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = inline === undefined ? await store.getBlob(hash) : decodeBase64(inline);
  if (typeof bytes === "object" && bytes.length === size && (await host.hash(bytes)) === hash) return bytes;
  throw new WorkflowError(
    "RUN_CORRUPT",
    `The bytes of the file "${name}" are ${bytes === undefined ? "missing from" : "damaged in"} the store.`,
    {
      details: { blob: hash },
    },
  );
}

/** A value with the bytes of the files that it refers to. Rejects as {@link readFile} does, and with `LIMIT_EXCEEDED`. */
export async function openFiles(value: unknown, services: JournalParts): Promise<unknown> {
  const wanted = new Map<string, StoredFile>();
  mapFiles(value, (file) => wanted.set(file.hash, file));
  let total = 0;
  for (const { size } of wanted.values()) total += size;
  if (total > MAX_VALUE_BYTES) {
    throw new WorkflowError(
      "LIMIT_EXCEEDED",
      `The files that are referred to have ${total} bytes; ${MAX_VALUE_BYTES} may be given at once.`,
      {
        details: { size: total, limit: MAX_VALUE_BYTES },
      },
    );
  }
  const contents = new Map<string, Uint8Array>();
  for (const [hash, file] of wanted) contents.set(hash, await readFile(file, services));
  return mapFiles(value, ({ hash }) => new Uint8Array(contents.get(hash)!));
}

/** A value with each reference to bytes replaced by what is made of it; itself where it holds none. */
function mapFiles(value: unknown, change: (file: StoredFile) => unknown): unknown {
  if (value instanceof FileBytes) return change(value.file);
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value;
  return mapMembers(value, (member) => mapFiles(member, change));
}
