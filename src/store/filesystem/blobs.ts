import { readFileSync } from "node:fs";
import { join } from "node:path";
import { WorkflowError } from "../../core/model/errors.ts";
import { replaceFile } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { errorCode } from "./failure.ts";
import { isSeal, lineText, openSeal, sealedLines, textLine } from "./line.ts";
import { fileName } from "./names.ts";

/** Keeps a text in a file of its own. */
export async function writeBlob(disk: Disk, directory: string, temporary: string, hash: string, text: string): Promise<void> {
  const path = join(directory, fileName(hash));
  if (readBlob(directory, hash) === text) return;
  await replaceFile(disk, temporary, path, sealedLines([textLine(text)], [hash]));
}

/** The text kept under a hash. Throws `STORE_DATA_CORRUPT` where it is not what was written. */
export function readBlob(directory: string, hash: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(directory, fileName(hash)));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  const line = bytes.indexOf(10);
  const seal = isSeal(bytes, line + 1) ? openSeal(bytes, 0, line + 1, bytes.length - 1) : undefined;
  if (bytes.at(-1) === 10 && seal?.[0] === hash) return lineText(bytes, 0, line);
  throw new WorkflowError("STORE_DATA_CORRUPT", `The blob ${hash} is damaged. Restore its file from a copy.`, { details: { hash } });
}
