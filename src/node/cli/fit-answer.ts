import { isRecord } from "../../core/model/value.ts";
import { fitPlain } from "../../mcp/tools/fit-plain.ts";
import { type Answer, type FileValue, type JsonSchema, WorkflowError } from "../../index.ts";
import { readFileSync, statSync } from "node:fs";
import { basename, extname } from "node:path";
import { reasonOf } from "./workflow-file.ts";

/**
 * Converts an answer of a text file or a command line to the question's schema, at any depth: a text becomes the JSON that it spells if the schema takes no
 * text, a number or a boolean becomes a text if it takes only texts, and a path becomes the file if it takes a file. Throws `COMMAND_INVALID` for a file that
 * cannot be read.
 */
export function fitAnswer(answer: Answer, schema: JsonSchema): Answer {
  return withFiles(fitPlain(answer, schema), schema);
}

function withFiles(answer: Answer, schema: JsonSchema): Answer {
  const { format, properties = {}, items } = schema;
  if (format === "file") return typeof answer === "string" ? readAnswerFile(answer, schema) : answer;
  if (Array.isArray(answer)) return items ? answer.map((item: Answer) => withFiles(item, items)) : answer;
  if (!isRecord(answer)) return answer;
  const members = Object.entries(answer as { readonly [name: string]: Answer });
  return Object.fromEntries(
    members.map(([name, member]) => [name, Object.hasOwn(properties, name) ? withFiles(member, properties[name]!) : member]),
  );
}

/** Media types by the end of a name: the ones that forms use most. Other names have none. */
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
function readAnswerFile(path: string, { maxLength = Infinity }: JsonSchema): FileValue {
  const name = basename(path);
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new TypeError("it is no file");
    if (found.size > maxLength) throw new TypeError(`it has ${found.size} bytes, and at most ${maxLength} may be given`);
    const bytes = new Uint8Array(readFileSync(path));
    return { name, type: MEDIA_TYPES.get(extname(name).toLowerCase()) ?? "", size: bytes.length, bytes };
  } catch (error) {
    throw new WorkflowError("COMMAND_INVALID", `The file "${path}" cannot be given as an answer: ${reasonOf(error)}.`, { cause: error });
  }
}
