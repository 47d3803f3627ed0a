import { success, type BlockResult } from "../../ports/block.ts";
import type { Files } from "../../ports/files.ts";
import { type Values, type Value, isRecord } from "../../model/value.ts";
import { attempt, inTurn } from "./one-at-a-time.ts";
import { parseDocument, writeDocument } from "./document.ts";
import { readIfThere } from "./read.ts";

interface StatePlace {
  readonly path: string;
}

interface StateWrite extends StatePlace {
  readonly create_parents: boolean;
}

/** SetState: replaces the whole document by this object. */
export function setState(
  files: Files,
  { path, data, create_parents: makeFolders }: StateWrite & { readonly data: Values },
): Promise<BlockResult<{ readonly path: string; readonly size_bytes: number }>> {
  return attempt(async () => {
    const written = await inTurn(files, path, () => writeDocument(files, path, { data, makeFolders }));
    return success({ path: written.path, size_bytes: written.sizeBytes });
  });
}

/** ReadState: the object that the document holds. */
export function readState(
  files: Files,
  { path, required }: StatePlace & { readonly required: boolean },
): Promise<BlockResult<{ readonly data: Values; readonly found: boolean; readonly path: string }>> {
  return attempt(async () => {
    const { file, path: shown } = await readIfThere(files, path, { required });
    return success({ data: file === undefined ? {} : parseDocument(file), found: file !== undefined, path: shown });
  });
}

/** MergeState: the document with updates laid over it. */
export function mergeState(
  files: Files,
  {
    path,
    updates,
    create_if_missing: create,
    create_parents: makeFolders,
  }: StateWrite & { readonly updates: Values; readonly create_if_missing: boolean },
): Promise<BlockResult<{ readonly merged_data: Values; readonly created: boolean; readonly path: string }>> {
  return attempt(() =>
    inTurn(files, path, async () => {
      const { file } = await readIfThere(files, path, { required: !create });
      const data = mergeValues(file === undefined ? {} : parseDocument(file), updates);
      const written = await writeDocument(files, path, { data, makeFolders });
      return success({ merged_data: data, created: file === undefined, path: written.path });
    }),
  );
}

/** One object laid over another: members that are objects in both are merged, everything else is replaced, lists and null included. */
function mergeValues(under: Values, over: Values): Values {
  const merged = new Map<string, Value>(Object.entries(under));
  for (const [key, value] of Object.entries(over)) {
    const old = merged.get(key);
    merged.set(key, isObject(old) && isObject(value) ? mergeValues(old, value) : value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: Value | undefined): value is Values {
  return isRecord(value);
}
