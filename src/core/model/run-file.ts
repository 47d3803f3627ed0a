import { WorkflowError } from "./errors.ts";
import { parseFilePath, showPath } from "./file-path.ts";
import { FORBIDDEN_KEYS } from "./value.ts";

/** A file that a run keeps, without its bytes. */
export interface RunFile {
  readonly name: string;
  /** Its media type, `image/png` for example; empty where it is unknown. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of its bytes, as 64 hexadecimal digits. */
  readonly hash: string;
  /** The block that wrote it last. */
  readonly block: string;
  /** The item, from 0, where the block has `for_each`. */
  readonly item?: number;
}

/** A file as the step that wrote it has it in the journal. */
export interface StoredFile extends Omit<RunFile, "block" | "item"> {
  /** Its bytes as base64, where they are few. Others are a blob of the store, under their hash. */
  readonly bytes?: string;
}

/** Stands, in values made from references, for the bytes of a file of the run. They are read before a block is given them. */
export class FileBytes {
  readonly hash: string;
  readonly #file: StoredFile;

  constructor(file: StoredFile) {
    this.hash = file.hash;
    this.#file = file;
  }

  get file(): StoredFile {
    return this.#file;
  }

  /** In a text a file stands without its bytes. */
  toJSON(): undefined {
    return undefined;
  }
}

/**
 * Throws `PATH_FORBIDDEN` for a name that a file of a run cannot have: a path, what is no valid name on every platform, what looks like another
 * name, and what no reference could lead to.
 */
export function assertFileName(name: unknown): asserts name is string {
  if (typeof name !== "string") throw new WorkflowError("PATH_FORBIDDEN", "A file of a run needs a name. Give a text.");
  const { parts, isAbsolute, text } = parseFilePath(name, { absolute: true, writing: true });
  const reason =
    isAbsolute || parts.length > 1 || text !== name
      ? "files of a run have names and no folders"
      : name.normalize("NFC") !== name
        ? "the same letters can be written shorter, and it would look like another name; normalize it (NFC)"
        : FORBIDDEN_KEYS.has(name) || name === "__internal__"
          ? "no reference can lead to it"
          : undefined;
  if (reason !== undefined) throw new WorkflowError("PATH_FORBIDDEN", `A file of a run cannot be called ${showPath(name)}: ${reason}.`);
}
