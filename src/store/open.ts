import { isWorkflowError, WorkflowError } from "../core/model/errors.ts";
import type { Store } from "../core/ports/store.ts";
import { assertOptions } from "../core/model/assert-options.ts";
import { memoryStore } from "./memory.ts";

const SCHEME = /^([A-Za-z][A-Za-z0-9+-]+):(.*)$/s;
const FORMS =
  '"memory:", "indexeddb:name", "file:path", "sqlite:path", "postgres://host/name", "redis://host", "s3://bucket/prefix" or a plain path';

/** What to do if a store cannot be opened. */
export interface OpenStoreOptions {
  /**
   * Returns a store in memory if the platform lacks what the store needs, as in some private windows. Its `durable` is false, so the page can say so.
   * Default: false.
   */
  readonly orMemory?: boolean;
}

/**
 * Opens the store that an address names: `memory:`, `indexeddb:name`, `file:path`, `file:///path` or a plain path (Node only), or `sqlite:path` (Node, with
 * the package `libsql`), `postgres://user@host/name` (Node, with the package `pg`), `redis://host` and `rediss://host` (Node, with the package `ioredis`), or
 * `s3://bucket/prefix` (Node, with the package `aws4fetch`). Loads only the code of that store. `memory:` works everywhere and keeps nothing. Throws
 * `STORE_ADDRESS_INVALID` for any other address, and `STORE_UNAVAILABLE` if the platform lacks what the store needs.
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
    case "sqlite": {
      const path = rest.replace(/^\/\/(?=\/)/, "");
      if (path === "" || path.startsWith("//")) break;
      assertNode();
      return (await import("./sqlite.ts")).openSqliteStore(path);
    }
    case "postgres":
    case "postgresql":
      if (!rest.startsWith("//") || rest.length === 2) break;
      assertNode("speak to a database");
      return (await import("./postgres.ts")).openPostgresStore(address);
    case "redis":
    case "rediss":
      if (!URL.canParse(address) || new URL(address).hostname === "") break;
      assertNode("speak to a server of Redis");
      return (await import("./redis.ts")).openRedisStore(address);
    case "s3":
      if (!URL.canParse(address) || new URL(address).hostname === "") break;
      assertNode("keep runs in S3");
      return (await import("./s3.ts")).openS3Store(address);
    case undefined:
      if (address.trim() === "") break;
      return openDirectory(address);
  }
  throw invalid(`${quoted(address)} is no address of a store.`);
}

async function openDirectory(path: string): Promise<Store> {
  assertNode();
  const { filesystemStore } = await import("./filesystem.ts");
  if (!path.startsWith("file:")) return filesystemStore(path);
  try {
    return filesystemStore(new URL(path));
  } catch (cause) {
    throw invalid(`${quoted(path)} names no directory of this machine: ${(cause as Error).message}.`, cause);
  }
}

function assertNode(to = "keep runs in files"): void {
  if ("process" in globalThis && typeof process.versions?.node === "string") return;
  throw new WorkflowError("STORE_UNAVAILABLE", `A page cannot ${to}. Use "indexeddb:name" in a browser.`);
}

/** An address as errors quote it: without user and password, since errors are logged. */
function quoted(address: string): string {
  const [before, behind] = [address.indexOf("//") + 2, address.lastIndexOf("@")];
  const shown = before > 1 && behind > before ? `${address.slice(0, before)}…${address.slice(behind)}` : address;
  return JSON.stringify(shown.slice(0, 200));
}

function invalid(what: string, cause?: unknown): WorkflowError {
  return new WorkflowError("STORE_ADDRESS_INVALID", `${what} Use ${FORMS}.`, { cause });
}
