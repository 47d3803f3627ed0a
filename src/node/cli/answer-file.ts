import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { WorkflowError, type FileValue, type JsonSchema } from "../../index.ts";

/** Media types by the end of a name: those that forms ask for most. What is not here has none. */
const MEDIA_TYPES: ReadonlyMap<string, string> = new Map([
  [".csv", "text/csv"],
  [".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  [".gif", "image/gif"],
  [".htm", "text/html"],
  [".html", "text/html"],
  [".jpeg", "image/jpeg"],
  [".jpg", "image/jpeg"],
  [".json", "application/json"],
  [".md", "text/markdown"],
  [".mp3", "audio/mpeg"],
  [".mp4", "video/mp4"],
  [".pdf", "application/pdf"],
  [".png", "image/png"],
  [".svg", "image/svg+xml"],
  [".txt", "text/plain"],
  [".webp", "image/webp"],
  [".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  [".xml", "application/xml"],
  [".yaml", "application/yaml"],
  [".yml", "application/yaml"],
  [".zip", "application/zip"],
]);

/** A file of this machine as an answer; its path is seen from the working directory. Throws `COMMAND_INVALID`, before a file is read that is too large. */
export function readAnswerFile(path: string, { maxLength = Infinity }: JsonSchema): FileValue {
  const name = basename(path);
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new TypeError("it is no file");
    if (found.size > maxLength) throw new TypeError(`it has ${found.size} bytes, and at most ${maxLength} may be given`);
    const bytes = new Uint8Array(readFileSync(path));
    return { name, type: MEDIA_TYPES.get(extname(name).toLowerCase()) ?? "", size: bytes.length, bytes };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WorkflowError("COMMAND_INVALID", `The file "${path}" cannot be given as an answer: ${reason}.`, { cause: error });
  }
}
