import { assertOptions } from "../core/model/assert-options.ts";
import { WorkflowError } from "../core/model/errors.ts";
import { assertStoreKey } from "../core/model/ids.ts";
import type { Store } from "../core/ports/store.ts";
import { assertClient } from "./assert-client.ts";
import { checkCommit, storeClosed } from "./check-commit.ts";
import { inOrder } from "./in-order.ts";
import { leasesIn, leaseTime } from "./leases.ts";
import { readRange } from "./read-range.ts";
import { getBlob, putBlob, sweepBlobs } from "./s3/blobs.ts";
import { type Bucket, bucketAt, type SignedFetch } from "./s3/bucket.ts";
import { claimObjects } from "./s3/claims.ts";
import { journalsIn } from "./s3/journal.ts";
import { listRows, listRuns, runsIn } from "./s3/lists.ts";
import { putNote, readNotes } from "./s3/notes.ts";
import { openClient } from "./s3/open-client.ts";

export type { SignedFetch, SignedRequest } from "./s3/bucket.ts";

/** How an {@link s3Store} works. */
export interface S3StoreOptions {
  /** The address of the bucket: `https://bucket.s3.eu-central-1.amazonaws.com`, or `https://host/bucket`. */
  readonly bucket: string;
  /** The beginning of all keys: parts of letters, digits, `_`, `.` and `-`, separated by `/`. No part begins with `.` or `-`. Default: none. */
  readonly prefix?: string;
  /** Signs and sends a request: `(url, init) => client.fetch(url, init)` for an `AwsClient` of `aws4fetch`. It need not try again: the store does. */
  readonly fetch: SignedFetch;
  /** How long a process without a sign of life keeps its runs, in milliseconds; at least 1,000. Default: 15,000. */
  readonly leaseMs?: number;
}

/** The version of the keys. */
const VERSION = 1;
const PREFIX = /^\w[\w.-]*(\/\w[\w.-]*)*\/?$/;

/**
 * A store in a bucket of S3, or of a service that honours `If-None-Match: *` when it creates objects and lists new objects at once. Processes on any number
 * of machines may use one prefix. A commit takes two requests, one after the other. The store detects and refuses a service that would create an object
 * twice. It has no `watch` and no cache of results. Throws `POLICY_INVALID` without `fetch` and if `leaseMs` is too short, and `STORE_ADDRESS_INVALID` for an invalid bucket or
 * prefix. Errors of the service are thrown by the calls of the store, as `STORE_…`.
 */
export function s3Store(options: S3StoreOptions): Store {
  assertOptions("s3Store", options, { bucket: true, prefix: true, fetch: true, leaseMs: true });
  assertClient("s3Store", options, ["fetch"], "a function that signs requests as `fetch`");
  const leaseMs = leaseTime("s3Store", options.leaseMs);
  const bucket = bucketAt(...placeOf(options), options.fetch);
  const holder = crypto.randomUUID();
  const journals = journalsIn(open, holder);
  const leases = leasesIn(claimObjects(open, holder, leaseMs), leaseMs);
  const writes = inOrder();
  const notes = inOrder();
  let prepared: Promise<void> | undefined;
  let isClosed = false;

  async function open(): Promise<Bucket> {
    if (isClosed) throw storeClosed();
    prepared ??= prepareBucket(bucket).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    await prepared;
    return bucket;
  }

  return {
    kind: "s3",
    durable: true,
    async commit(commit) {
      await open();
      checkCommit(commit);
      await writes.add(commit.run, () => journals.commit(commit));
    },
    async head(run) {
      await open();
      assertStoreKey(run, "The run id");
      return (await journals.standing(run))?.link.head;
    },
    async read(run, range) {
      await open();
      assertStoreKey(run, "The run id");
      const { from, to } = readRange(range);
      return journals.read(run, from, to);
    },
    async runs(query = {}) {
      return listRuns(await open(), journals, query);
    },
    async checkpoints(query = {}) {
      return listRows(await open(), journals, query);
    },
    async putBlob(hash, content) {
      assertStoreKey(hash, "The hash");
      // The caller may change its bytes after the call.
      const own = typeof content === "string" ? content : content.slice();
      await putBlob(await open(), hash, own);
    },
    async getBlob(hash) {
      assertStoreKey(hash, "The hash");
      return getBlob(await open(), hash);
    },
    async sweepBlobs(keep, before) {
      return sweepBlobs(await open(), keep, before);
    },
    async putNote(run, key, text) {
      assertStoreKey(run, "The run id");
      assertStoreKey(key, "The key of the note");
      await notes.add(run, async () => putNote(await open(), journals, run, key, text));
    },
    async notes(run, prefix = "") {
      assertStoreKey(run, "The run id");
      return readNotes(await open(), journals, run, prefix);
    },
    async usage() {
      return { runs: (await runsIn(await open())).size };
    },
    async delete(run) {
      await open();
      assertStoreKey(run, "The run id");
      await writes.add(run, () => journals.delete(run));
    },
    async claim(run, lost) {
      await open();
      assertStoreKey(run, "The run id");
      return leases.take(run, lost);
    },
    async close() {
      if (isClosed) return;
      await Promise.all([writes.settled(), notes.settled()]);
      await leases.close();
      isClosed = true;
    },
  };
}

/**
 * Opens the prefix of an address (`s3://bucket/prefix`) with the package `aws4fetch`, which must be installed. The place of the service and the credentials
 * come from the variables that all tools of AWS read: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`, and
 * `AWS_ENDPOINT_URL_S3` for another service. Throws `STORE_UNAVAILABLE` without the package or the keys.
 */
export async function openS3Store(address: string, options: Pick<S3StoreOptions, "leaseMs"> = {}): Promise<Store> {
  assertOptions("openS3Store", options, { leaseMs: true });
  const url = new URL(address);
  const prefix = prefixOf(url);
  const client = await openClient(url, process.env);
  return s3Store({ ...client, ...options, ...(prefix && { prefix }) });
}

function prefixOf({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch (cause) {
    throw invalid("openS3Store", `${JSON.stringify(pathname.slice(1))} is no prefix`, cause);
  }
}

function placeOf({ bucket, prefix = "" }: S3StoreOptions): [root: string, prefix: string] {
  if (!URL.canParse(bucket)) throw invalid("s3Store", `${JSON.stringify(bucket)} is no address of a bucket`);
  if (prefix !== "" && !PREFIX.test(prefix)) throw invalid("s3Store", `${JSON.stringify(prefix)} is no prefix`);
  return [`${bucket.replace(/\/$/, "")}/`, prefix === "" ? "" : `${prefix.replace(/\/$/, "")}/`];
}

function invalid(of: string, what: string, cause?: unknown): WorkflowError {
  const message = `${of}: ${what}. Use "https://host/bucket", and letters, digits, "_", ".", "-" and "/" in a prefix.`;
  return new WorkflowError("STORE_ADDRESS_INVALID", message, { cause });
}

/** Throws `STORE_FAILED` if a newer version made the objects, or if the service creates an object twice. */
async function prepareBucket(bucket: Bucket): Promise<void> {
  const text = JSON.stringify({ version: VERSION });
  await bucket.create("version", text);
  if (await bucket.create("version", text)) {
    throw new WorkflowError(
      "STORE_FAILED",
      "This service does not know If-None-Match: it replaces what it should refuse to replace, and two writers would not notice each other. Use one that does.",
    );
  }
  const found = await bucket.get("version");
  const { version } = (found ? await found.json() : { version: VERSION }) as { readonly version: number };
  if (version <= VERSION) return;
  throw new WorkflowError(
    "STORE_FAILED",
    `The objects have version ${version}; this version of the package reads ${VERSION}. Use a newer one. Nothing was changed.`,
  );
}
