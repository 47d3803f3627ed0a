import { join } from "node:path";
import { fileName, shardOf } from "../../../src/store/filesystem/names.ts";

/** Where a store in a directory keeps the files of a run. */
export function runPath(directory: string, run: string, ...names: readonly string[]): string {
  const name = fileName(run);
  return join(directory, "runs", shardOf(name), name, ...names);
}
