import type { RichForm } from "../../model/encoding.ts";
import { WorkflowError } from "../../model/errors.ts";
import { MAX_VALUE_BYTES } from "../../model/limits.ts";
import type { JournalParts } from "../journal-parts.ts";
import { rememberForm } from "./encoded-forms.ts";
import { readRich, type BlobContents } from "./read-rich.ts";

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
