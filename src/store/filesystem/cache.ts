import { join } from "node:path";
import type { Disk } from "../../core/ports/disk.ts";
import { sweptKeys } from "../swept-keys.ts";
import { namesIn, readFile, replaceSoon } from "./disk.ts";
import { lineText, onlyLine, openFile, sealedLines } from "./line.ts";
import { fileName } from "./names.ts";

/** A text on its way into a cache. */
export interface NewCached {
  readonly key: string;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  readonly temporary: string;
}

/** Writes a text to a separate file, whose time of change is set to the end of its life. */
export function writeCached(disk: Disk, directory: string, { key, text, until, temporary }: NewCached): void {
  const path = join(directory, fileName(key));
  replaceSoon(disk, temporary, path, sealedLines([onlyLine(text)], [key]));
  disk.touch(path, until);
}

/** Reads the text of a key; nothing if it is missing or damaged. */
export function readCached(disk: Disk, directory: string, key: string): string | undefined {
  const bytes = readFile(disk, join(directory, fileName(key)));
  const { content, seal } = (bytes && openFile(bytes)) ?? {};
  return content !== undefined && seal?.[0] === key ? lineText(content, 0, content.length) : undefined;
}

/** Deletes what ended before an instant, and of the rest all but the `most` that last longest; gives how many. */
export function sweepCache(disk: Disk, directory: string, { before, most }: { readonly before: number; readonly most: number }): number {
  const all = namesIn(disk, directory).map((name) => {
    const key = join(directory, name);
    return { key, until: disk.facts(key)?.modifiedAt ?? before };
  });
  const gone = sweptKeys(all, before, most);
  for (const path of gone) disk.remove(path);
  return gone.length;
}
