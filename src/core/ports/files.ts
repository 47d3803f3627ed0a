/**
 * Files that a host grants, below one root. An implementation follows no link, opens only regular files, and counts the bytes that it reads instead of
 * trusting a size. It throws only `WorkflowError`: `PATH_FORBIDDEN` for a path outside the root or with a reserved name, `FILE_REFUSED` for a link, for
 * what is not a regular file and for what is too large, `FILE_MISSING`, `FILE_EXISTS`, `FILE_FAILED`.
 */
export interface Files {
  /** Reads a whole file. */
  read(path: string, options?: ReadOptions): Promise<FileContent>;
  /** Writes a whole file atomically: there is the old content or the new one, never a part. */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<WrittenFile>;
  /** A folder for one step alone; absent where the platform has none (browsers). */
  scratch?(): Promise<ScratchFolder>;
}

/** How a file is read. */
export interface ReadOptions {
  /** The most bytes. Default, and the largest value: 10 MB. */
  readonly maxBytes?: number;
  /** Allows an absolute path, where the host allows such paths. Default: false. */
  readonly unsafe?: boolean;
}

/** A file that was read. */
export interface FileContent {
  /** The path as messages and outputs show it. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** How a file is written. */
export interface WriteOptions {
  /** Default: false, `FILE_EXISTS`. */
  readonly overwrite?: boolean;
  /** Permissions, 0 to 0o777, where the platform has them. Default: those of the replaced file, else 0o644 without what the process masks. */
  readonly mode?: number;
  /** Whether to make missing folders; else `FILE_MISSING`. Default: true. */
  readonly makeFolders?: boolean;
  readonly unsafe?: boolean;
}

/** A file that was written. */
export interface WrittenFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Whether there was no such file before. */
  readonly created: boolean;
}

/** A folder for one step alone, removed with everything in it after the step. */
export interface ScratchFolder {
  /** Absolute. */
  readonly path: string;
  /** Reads a file in it, under the rules of {@link Files.read}. */
  read(name: string, options?: Pick<ReadOptions, "maxBytes">): Promise<FileContent>;
  remove(): Promise<void>;
}
