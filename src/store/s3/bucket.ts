import { WorkflowError } from "../../core/model/errors.ts";

/** Sends a signed request: `(url, init) => client.fetch(url, init)` for an `AwsClient` of `aws4fetch`. */
export type SignedFetch = (url: string, init: SignedRequest) => Promise<Response>;

/** What is asked of S3. */
export interface SignedRequest {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly headers: { readonly [name: string]: string };
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
}

/** An object in a list. */
export interface ListedObject {
  readonly key: string;
  /** When it was last written, by the clock of the service. */
  readonly modifiedAt: number;
}

/** Some of a list, in the order of keys. */
export interface ListedPage {
  readonly objects: readonly ListedObject[];
  readonly isWhole: boolean;
  /** The clock of the service, to the second. */
  readonly now: number;
}

/** The objects below one prefix. Each call rejects with the errors of the port. */
export interface Bucket {
  get(key: string): Promise<Response | undefined>;
  put(key: string, body: string | Uint8Array<ArrayBuffer>, type?: string): Promise<void>;
  /** Makes an object if there is none under the key, and gives whether it did. A repeated request may find its own object there. */
  create(key: string, body: string): Promise<boolean>;
  remove(keys: readonly string[]): Promise<void>;
  /** Up to 1,000 objects whose keys begin so, those behind a key only. */
  list(prefix: string, options?: { readonly after?: string | undefined; readonly limit?: number }): Promise<ListedPage>;
  /** All of them, page by page. */
  pages(prefix: string, after?: string): AsyncGenerator<ListedPage, void, undefined>;
}

/** How long a request may take, how often it is tried, and how long it is waited before the second time, in milliseconds: twice that before each that follows. */
const REQUEST_MS = 30_000;
const ATTEMPTS = 6;
const FIRST_WAIT_MS = 50;
/** The most requests at once. */
export const SIDE_BY_SIDE = 16;

/** What is answered for now only: two wrote at the same time, too many requests, a failure of the service. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504]);
/** So does what arrived too slowly, which S3 calls a bad request. */
const SLOW = /^400 RequestTimeout\b/;
const FULL = 507;

/** The objects of a bucket, whose address ends with a slash, below a prefix. */
export function bucketAt(root: string, prefix: string, send: SignedFetch): Bucket {
  async function request(
    method: SignedRequest["method"],
    url: string,
    accepted: readonly number[],
    more: { readonly body?: string | Uint8Array<ArrayBuffer>; readonly headers?: SignedRequest["headers"] } = {},
  ): Promise<Response> {
    let failure: WorkflowError | undefined;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (attempt - 1)));
      let response: Response;
      try {
        response = await wholeOf(await send(url, { method, headers: {}, ...more, signal: AbortSignal.timeout(REQUEST_MS) }));
      } catch (error) {
        failure = lost(causesOf(error).join(": "), error);
        continue;
      }
      if (response.ok || accepted.includes(response.status)) return response;
      const reason = await reasonOf(response);
      if (!PASSING.has(response.status) && !SLOW.test(reason)) throw refused(response.status, reason);
      failure = lost(reason);
    }
    throw failure!;
  }

  async function list(
    below: string,
    { after, limit = 1000 }: { readonly after?: string | undefined; readonly limit?: number } = {},
  ): Promise<ListedPage> {
    const asked = new URLSearchParams({ "list-type": "2", "max-keys": String(limit), prefix: prefix + below });
    if (after !== undefined) asked.set("start-after", prefix + after);
    const response = await request("GET", `${root}?${asked.toString().replaceAll("+", "%20")}`, []);
    const now = Date.parse(response.headers.get("date") ?? "");
    if (Number.isNaN(now)) throw refused(response.status, "its answer has no Date, by which claims end");
    const text = await response.text();
    // A proxy may answer with a page of its own, which would read as a list without runs.
    if (!text.includes("<ListBucketResult")) throw refused(response.status, "its answer is no list of objects");
    return { ...readList(text, prefix.length), now };
  }

  return {
    async get(key) {
      const response = await request("GET", root + prefix + key, [404]);
      return response.status === 404 ? undefined : response;
    },
    async put(key, body, type = "application/json") {
      await request("PUT", root + prefix + key, [], { body, headers: { "content-type": type } });
    },
    async create(key, body) {
      const headers = { "content-type": "application/json", "if-none-match": "*" };
      return (await request("PUT", root + prefix + key, [412], { body, headers })).ok;
    },
    async remove(keys) {
      await sideBySide(keys, (key) => request("DELETE", root + prefix + key, [404]));
    },
    list,
    async *pages(below, after) {
      for (let from = after; ;) {
        const page = await list(below, { after: from });
        yield page;
        if (page.isWhole) return;
        from = page.objects.at(-1)!.key;
      }
    },
  };
}

/** Calls a function with each item, a few at a time. Returns the results in their order. */
export async function sideBySide<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += SIDE_BY_SIDE) {
    results.push(...(await Promise.all(items.slice(from, from + SIDE_BY_SIDE).map(work))));
  }
  return results;
}

/** What ListObjectsV2 answers. Keys of the store have no character that XML escapes. */
function readList(xml: string, cut: number): Omit<ListedPage, "now"> {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, object]) => ({
    key: tag(object!, "Key").slice(cut),
    modifiedAt: Date.parse(tag(object!, "LastModified")),
  }));
  return { objects, isWhole: tag(xml, "IsTruncated") !== "true" };
}

function tag(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? "";
}

/** Reads the whole body, so that a connection that is cut within it counts as a failed request. */
async function wholeOf(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, { status: response.status, headers: response.headers });
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text().catch(() => "");
  return [response.status, tag(text, "Code"), tag(text, "Message").replace(/\.$/, "")].filter(Boolean).join(" ");
}

/** What failed, and why: `fetch` says only that it did. */
function causesOf(error: unknown): readonly string[] {
  return error instanceof Error ? [error.message, ...(error.cause === undefined ? [] : causesOf(error.cause))] : [String(error)];
}

function lost(reason: string, cause?: unknown): WorkflowError {
  const message = `S3 did not answer, or not as it should: ${reason}. Read the run again before going on: this write may or may not have happened.`;
  return new WorkflowError("STORE_LOST", message, { cause });
}

function refused(status: number, reason: string): WorkflowError {
  if (status === FULL)
    return new WorkflowError("STORE_QUOTA", `S3 has no room: ${reason}. Make room and try again; what was stored before is unharmed.`);
  return new WorkflowError(
    "STORE_FAILED",
    `S3 refused: ${reason}. Look at the address, the bucket and what the keys may do. Nothing was changed.`,
  );
}
