import { isWorkflowError, WorkflowError } from "../core/model/errors.ts";
import type { Store } from "../core/ports/store.ts";
import { assertOptions } from "../core/model/assert-options.ts";
import { memoryStore } from "./memory.ts";

const SCHEME = /^([A-Za-z][A-Za-z0-9+-]+):(.*)$/s;
const PLANNED: ReadonlySet<string> = new Set(["sqlite", "postgres", "postgresql", "redis", "rediss", "s3"]);
const FORMS = '"memory:", "indexeddb:name", "file:path" or a plain path';

/** What to do where a store cannot be had. */
export interface OpenStoreOptions {
  /**
   * Gives a store in memory where the platform lacks what the store needs: in private windows for example. Its `durable` is false, so that the
   * page can say so. Default: false.
   */
  readonly orMemory?: boolean;
}

/**
 * Opens the store that an address names: `memory:`, `indexeddb:name`, `file:path`, `file:///path` or a plain path (Node only). Loads only
 * the code of that store. Throws `STORE_ADDRESS_INVALID` for anything else, and `STORE_UNAVAILABLE` where the platform lacks what the
 * store needs; `memory:` works everywhere and keeps nothing.
 */
export async function openStore(address: string, options: OpenStoreOptions = {}): Promise<Store> {
  assertOptions("openStore", options, { orMemory: true });
  const { orMemory = false } = options;
  try {
    return await openNamed(address);
  } catch (error) {
    if (!orMemory || !isWorkflowError(error) || error.code !== "STORE_UNAVAILABLE") throw error;
    return memoryStore();
  }
}

async function openNamed(address: string): Promise<Store> {
  const [, scheme, rest = ""] = SCHEME.exec(address) ?? [];
  switch (scheme?.toLowerCase()) {
    case "memory":
      if (rest !== "") break;
      return memoryStore();
    case "indexeddb": {
      if (rest === "") break;
      const store = (await import("./indexeddb.ts")).indexedDbStore({ name: rest });
      // Asked once, so that a browser without IndexedDB says so now and not at the first write.
      await store.head("probe");
      return store;
    }
    case "file":
      if (rest === "") break;
      return openDirectory(rest.startsWith("//") ? address : rest);
    case undefined:
      if (address.trim() === "") break;
      return openDirectory(address);
    default:
      if (PLANNED.has(scheme!.toLowerCase())) throw invalid(`Stores of the form "${scheme}:" are not part of this version.`);
  }
  throw invalid(`${JSON.stringify(address.slice(0, 200))} is no address of a store.`);
}

async function openDirectory(path: string): Promise<Store> {
  if (!("process" in globalThis) || typeof process.versions?.node !== "string") {
    throw new WorkflowError("STORE_UNAVAILABLE", 'A page cannot keep runs in files. Use "indexeddb:name" in a browser.');
  }
  const { filesystemStore } = await import("./filesystem.ts");
  return filesystemStore(path.startsWith("file:") ? new URL(path) : path);
}

function invalid(what: string): WorkflowError {
  return new WorkflowError("STORE_ADDRESS_INVALID", `${what} Use ${FORMS}.`);
}
