import { WorkflowError } from "./errors.ts";
import { MAX_PATH_BYTES, MAX_PATH_PART_BYTES } from "./limits.ts";
import { utf8Length } from "./utf8.ts";

/** A path that was looked at. */
export interface FilePath {
  /** Whether it starts at the root of the file system instead of the root that the host grants. */
  readonly isAbsolute: boolean;
  /** At least one. */
  readonly parts: readonly string[];
  /** As messages and outputs show it: without empty parts and ".". */
  readonly text: string;
}

export interface FilePathOptions {
  /** Whether a path may start with "/". Default: false. */
  readonly absolute?: boolean;
  /** Whether something will be written there: then names that belong to other programs are refused. Default: false. */
  readonly writing?: boolean;
}

/** Names a workflow never writes to: git runs hooks it finds there, and runs are kept there. Lower case. */
const RESERVED: ReadonlySet<string> = new Set([".git", "git~1", ".wavepoint", ".checkpoints"]);
/** Names that open a device on Windows, with any extension. Microsoft, "Naming Files, Paths, and Namespaces". */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])$/;
const CONTROL = /\p{Cc}/u;
/** Embeddings, overrides and isolates: a name with them looks different from what it is. Unicode TR 36. */
const BIDI_CONTROL = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Looks at the text of a path before anything is opened. The same paths are refused everywhere, so that a workflow that runs on one
 * platform runs on all. "~", "$HOME" and "%2e" mean nothing: they are names like others. Throws `PATH_FORBIDDEN`.
 */
export function parseFilePath(path: string, options: FilePathOptions = {}): FilePath {
  const isAbsolute = path.startsWith("/");
  if (isAbsolute && !(options.absolute && !path.startsWith("//"))) {
    throw forbidden(path, "it is absolute", "Use one below the root that the host grants.");
  }
  if (utf8Length(path) > MAX_PATH_BYTES) throw forbidden(path, `it is longer than ${MAX_PATH_BYTES} bytes`, "Shorten it.");
  const all = path.split("/");
  const parts = all.filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) throw forbidden(path, "it names no file", "Name a file below the root.");
  if (all.at(-1) === "" || all.at(-1) === ".") throw forbidden(path, "it names a folder", "Name a file.");
  for (const part of parts) {
    const problem = problemWith(part) ?? (options.writing ? problemWithWriting(part) : undefined);
    if (problem !== undefined) throw forbidden(path, problem, "Use another path.");
  }
  return { isAbsolute, parts, text: (isAbsolute ? "/" : "") + parts.join("/") };
}

function problemWith(part: string): string | undefined {
  if (part === "..") return 'it has a step upwards ("..")';
  if (part.includes("\\")) return 'it has a backslash; folders are separated by "/"';
  if (part.includes(":")) return 'it has a ":", which stands for drives, addresses and streams';
  if (CONTROL.test(part) || BIDI_CONTROL.test(part)) return "it has control characters";
  if (/\p{Surrogate}/u.test(part)) return "it is no valid Unicode text";
  if (part.endsWith(".") || part.endsWith(" ")) return "a part of it ends with a dot or a blank, which Windows leaves out";
  if (DEVICE.test(part.split(".")[0]!.trimEnd().toLowerCase())) return "a part of it names a device of Windows";
  if (utf8Length(part) > MAX_PATH_PART_BYTES) return `a part of it is longer than ${MAX_PATH_PART_BYTES} bytes`;
  return undefined;
}

function problemWithWriting(part: string): string | undefined {
  return isReservedName(part) ? `"${part}" is reserved, nothing may be written there` : undefined;
}

/** File systems differ in what they take for one name: capitals, compatible letters and invisible ones are left out of account. */
function isReservedName(part: string): boolean {
  return RESERVED.has(
    part
      .normalize("NFKC")
      .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
      .toLowerCase(),
  );
}

/** A path inside a message: short, and without characters that would change how the message reads. */
export function showPath(path: string): string {
  const escaped = path.slice(0, 200).replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069"\\]|\p{Surrogate}/gu, escape);
  return `"${escaped}${path.length > 200 ? "…" : ""}"`;
}

function escape(character: string): string {
  return character === '"' || character === "\\" ? `\\${character}` : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function forbidden(path: string, reason: string, advice: string): WorkflowError {
  return new WorkflowError("PATH_FORBIDDEN", `The path ${showPath(path)} cannot be used: ${reason}. ${advice}`);
}

/** Stands for the folder that a step has to itself. Seed 2, "Custom File-Based Outputs". */
const SCRATCH = "$SCRATCH/";

/** A path inside the step's own folder; nothing where the path leads elsewhere. */
export function withoutScratch(path: string): string | undefined {
  return path.startsWith(SCRATCH) ? path.slice(SCRATCH.length) : undefined;
}

/** A folder below the root, as `.` or `a/b`, or as an absolute path that the host looks at. An empty text is the root. Throws `PATH_FORBIDDEN`. */
export function parseFolder(path: string): string {
  const trimmed = withoutEmptyEnd(path);
  if (trimmed === "." || path === "") return ".";
  return parseFilePath(trimmed === "" ? path : trimmed, { absolute: true }).text;
}

/** The path without the "/" and "/." at its end. */
function withoutEmptyEnd(path: string): string {
  let end = path.length;
  for (;;) {
    if (path[end - 1] === "/") end -= 1;
    else if (path[end - 1] === "." && path[end - 2] === "/") end -= 2;
    else return path.slice(0, end);
  }
}
