import { isWorkflowError } from "wavepoint";
import type { FileContent, Files, WriteOptions } from "wavepoint";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** Writes a text and gives what came of it: "created", "replaced", or the code of the error. */
export function write(files: Files, path: string, text: string, options?: WriteOptions): Promise<string> {
  return attempt(async () => ((await files.write(path, encoder.encode(text), options)).created ? "created" : "replaced"));
}

/** Reads a text: the text, or the code of the error. */
export function read(
  files: { read(path: string, options?: object): Promise<FileContent> },
  path: string,
  options?: { readonly maxBytes?: number; readonly unsafe?: boolean },
): Promise<string> {
  return attempt(async () => decoder.decode((await files.read(path, options)).bytes));
}

/** What the work gives, or the code of its error. What is no `WorkflowError` is thrown on. */
export async function attempt(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    return thrown.code;
  }
}
