import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WorkflowError } from "../../../index.ts";

/** The key of an MCP server whose store is no directory, or is shared by several machines. */
const KEY_VARIABLE = "WAVEPOINT_MCP_KEY";
const KEY_BYTES = 32;
/** The file is beside its runs: a person who can read it can read them too. */
const KEY_FILE = "mcp-key";

/**
 * Reads the key that ties the state which clients send back to its run: from the environment, else from a file in the store's directory, which is made if it
 * is missing. Returns nothing for other stores. Throws `COMMAND_INVALID`.
 */
export function readStateKey(address: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = environment[KEY_VARIABLE];
  if (given !== undefined && given !== "") {
    if (given.length >= KEY_BYTES) return given;
    throw new WorkflowError("COMMAND_INVALID", `${KEY_VARIABLE} is too short: give it at least ${KEY_BYTES} random characters.`);
  }
  const directory = directoryOf(address);
  return directory === undefined ? undefined : keyIn(directory);
}

function directoryOf(address: string): string | undefined {
  if (address.startsWith("file://")) return fileURLToPath(address);
  const path = address.replace(/^file:/, "");
  return /^[a-z][a-z0-9+-]+:/i.test(path) ? undefined : path;
}

function keyIn(directory: string): string {
  const path = join(directory, KEY_FILE);
  mkdirSync(directory, { recursive: true });
  if (!existsSync(path)) {
    try {
      // "wx": of two processes that start together, one makes it.
      writeFileSync(path, randomBytes(KEY_BYTES).toString("hex"), { mode: 0o600, flag: "wx" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
  const key = readFileSync(path, "utf8");
  if (key.length >= KEY_BYTES) return key;
  throw new WorkflowError("COMMAND_INVALID", `${path} holds no key. Delete it: a new one is made.`);
}
