/**
 * The file operations that a store of files stands on, so that a test can put a disk of its own in their place and cut its power. Paths are
 * absolute, open files are numbers. What fails throws an error with a `code` as Node gives it: "ENOENT", "EEXIST", "ENOSPC".
 *
 * Bytes last once `sync` of their file has resolved; a name that was made, moved or removed once `syncDirectory` of its directory has.
 */
export interface Disk {
  /** Another text each time the machine was switched on: what was not synced under another one may be lost. */
  readonly session: string;
  /**
   * Opens a file for reading, for changing, for adding to its end, or as a new one that no other may share (`EEXIST` where the name is
   * taken).
   */
  open(path: string, how: "read" | "edit" | "append" | "create"): number;
  close(file: number): void;
  /** Fills `bytes` from `offset` on with what stands at a position; gives how many bytes there were, 0 at the end. */
  read(file: number, bytes: Uint8Array, offset: number, position: number): number;
  /** Writes `bytes` from `offset` on to a position; gives how many were written, which may be fewer. */
  write(file: number, bytes: Uint8Array, offset: number, position: number): number;
  /** Writes `bytes` behind the end of a file that was opened for that, also where other processes add to it; gives how many were written. */
  append(file: number, bytes: Uint8Array): number;
  truncate(file: number, length: number): void;
  /** Resolves once all bytes of the file are on the disk. */
  sync(file: number): Promise<void>;
  /** What an open file is, or what is there under a path; nothing where there is nothing. */
  facts(target: string | number): FileFacts | undefined;
  list(directory: string): readonly string[];
  /** Makes a directory with those it stands in, for its owner alone. Gives the outermost one that was made, nothing where it was there. */
  makeDirectory(path: string): string | undefined;
  /** Moves a file or directory, in place of a file that had the name. */
  rename(from: string, to: string): void;
  /** Gives a file one more name; `EEXIST` where it is taken. */
  link(path: string, name: string): void;
  /** Removes a file, or a directory with all that is in it. Nothing happens where it does not exist. */
  remove(path: string): void;
  /** Sets the instant a file counts as changed (milliseconds since the epoch). */
  touch(path: string, at: number): void;
  /** Takes a file or directory away from everyone but its owner. */
  restrict(path: string): void;
  /** Resolves once the names in a directory are on the disk as they are. */
  syncDirectory(path: string): Promise<void>;
}

/** What a {@link Disk} tells of a file. */
export interface FileFacts {
  /** Tells a file from another one that took its name. */
  readonly inode: number;
  readonly isDirectory: boolean;
  readonly sizeBytes: number;
  /** Whole milliseconds since the epoch, of the content. */
  readonly modifiedAt: number;
  /** Milliseconds since the epoch, with fractions: of the last change of any kind to the file. */
  readonly changedAt: number;
}
