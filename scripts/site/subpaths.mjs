// @ts-check
// What each public subpath is for, as docs/api.md says it.
import { readFileSync } from "node:fs";
import { ROOT } from "./read-documents.mjs";

/**
 * Sentences, by the name that users import.
 * @returns {ReadonlyMap<string, string>}
 */
export function readSubpaths() {
  const rows = readFileSync(`${ROOT}docs/api.md`, "utf8").matchAll(/^\| `(wavepoint[^`]*)`\s*\| ([^|]+)\|/gm);
  return new Map([...rows].map(([, name = "", purpose = ""]) => [name, purpose.trim()]));
}
