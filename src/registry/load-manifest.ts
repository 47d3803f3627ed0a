import { errorData, isWorkflowError, WorkflowError, type ErrorData } from "../core/model/errors.ts";
import { MAX_WORKFLOW_FILES } from "../core/model/limits.ts";
import { isRecord } from "../core/model/value.ts";
import { mergeReports, type LoadReport } from "./load-report.ts";
import type { DuplicateOptions, Registry } from "./registry.ts";
import { decodeWorkflow, MAX_WORKFLOW_BYTES, tooLarge } from "./workflow-text.ts";
import { assertOptions } from "../core/model/assert-options.ts";

/** Requests that are under way at the same time. */
const MAX_REQUESTS = 6;

/** How a manifest and its workflows are fetched. */
export interface ManifestOptions extends DuplicateOptions {
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Ends the loading with `ABORTED`; then nothing was added. */
  readonly signal?: AbortSignal;
  /** Origins that workflows may come from beside that of the manifest, such as `https://cdn.example`. Default: none. */
  readonly origins?: readonly string[];
}

/**
 * Adds the workflows that a manifest names: `{ "workflows": ["a.yaml", "more/b.yaml"] }`, addresses relative to that of the manifest. A
 * relative address of the manifest itself counts from the page. Redirects are not followed. What cannot be read, the manifest
 * included, stands in the report; the rest is added, in the manifest's order.
 */
export async function loadManifest(registry: Registry, url: string | URL, options: ManifestOptions = {}): Promise<LoadReport> {
  assertOptions("loadManifest", options, { fetch: true, signal: true, origins: true, onDuplicate: true });
  const { signal } = options;
  const source = String(url);
  let addresses: readonly string[];
  let base: URL;
  try {
    base = new URL(url, globalThis.location?.href);
    addresses = readManifest(await readText(base, options));
  } catch (thrown) {
    refuseAborted(signal);
    return registry.addFailure(source, loadError(thrown));
  }
  const named = addresses.slice(0, MAX_WORKFLOW_FILES);
  const texts = await mapInTurns(named, (address) => readEntry(address, base, options).catch((thrown: unknown) => ({ thrown })));
  refuseAborted(signal);
  const reports = texts.map((text, index) => {
    const entry = named[index]!;
    return typeof text === "string"
      ? registry.addText(text, { source: entry, ...(options.onDuplicate ? { onDuplicate: options.onDuplicate } : {}) })
      : registry.addFailure(entry, loadError(text.thrown));
  });
  if (addresses.length > named.length) reports.push(registry.addFailure(source, tooMany(addresses.length).toJSON()));
  return mergeReports(reports);
}

function readManifest(text: string): readonly string[] {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw new WorkflowError("SCHEMA_INVALID", `The manifest is no JSON: ${(error as Error).message}.`, { cause: error });
  }
  const workflows = isRecord(manifest) && Object.hasOwn(manifest, "workflows") ? manifest["workflows"] : undefined;
  if (Array.isArray(workflows) && workflows.every((address) => typeof address === "string")) return workflows;
  throw new WorkflowError("SCHEMA_INVALID", 'A manifest is an object with a list of addresses: { "workflows": ["a.yaml"] }.');
}

async function readEntry(address: string, base: URL, options: ManifestOptions): Promise<string> {
  const url = new URL(address, base);
  const allowed = [base.origin, ...(options.origins ?? [])];
  // Addresses without an origin of their own, data: and file: for example, all share the origin "null".
  if (url.origin === "null" || !allowed.includes(url.origin)) {
    throw new WorkflowError(
      "HOST_FORBIDDEN",
      `A manifest from ${base.origin} may not name workflows from ${url.origin}. Name it in origins.`,
    );
  }
  return readText(url, options);
}

async function readText(url: URL, { fetch = globalThis.fetch, signal }: ManifestOptions): Promise<string> {
  signal?.throwIfAborted();
  const response = await fetch(url, { redirect: "error", credentials: "same-origin", ...(signal ? { signal } : {}) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new WorkflowError("HTTP_FAILED", `It was answered with the status ${response.status}. Check its address.`, {
      details: { status: response.status },
    });
  }
  return decodeWorkflow(await readBytes(response));
}

/** Counts the bytes that arrive, and does not trust the size that the server declares. */
async function readBytes(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader!.read()) {
    size += part.value.length;
    if (size > MAX_WORKFLOW_BYTES) {
      await reader!.cancel();
      throw tooLarge();
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

/** The results in the order of the items, a few at a time. */
async function mapInTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<readonly Result[]> {
  const results = new Array<Result>(items.length);
  const queue = items.entries();
  const turns = Array.from({ length: MAX_REQUESTS }, async () => {
    // One iterator for all: each takes the next item that no other has taken.
    for (const [index, item] of queue) results[index] = await work(item);
  });
  await Promise.all(turns);
  return results;
}

function tooMany(count: number): WorkflowError {
  return new WorkflowError(
    "LIMIT_EXCEEDED",
    `The manifest names ${count} workflows; those beyond ${MAX_WORKFLOW_FILES} were left out. Split it into several.`,
    { details: { limit: MAX_WORKFLOW_FILES } },
  );
}

function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new WorkflowError("ABORTED", "The loading of a manifest was aborted.", { cause: signal.reason });
}

function loadError(thrown: unknown): ErrorData {
  if (isWorkflowError(thrown)) return thrown.toJSON();
  const { message } = errorData(thrown, "HTTP_FAILED");
  return { code: "HTTP_FAILED", message: `It cannot be read: ${message}. Check its address.` };
}
