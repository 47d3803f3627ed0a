/** A file of a {@link crashDisk}: as programs see it, and as a power cut leaves it at best and at worst. */
export interface FileNode {
  readonly kind: "file";
  readonly inode: number;
  bytes: Uint8Array;
  /** What was synced. */
  durable: Uint8Array;
  /** What the file was after each write since then. */
  pending: Uint8Array[];
  modifiedAt: number;
  /** Rises with everything that happens to it. */
  changedAt: number;
}

/** A directory of a {@link crashDisk}. */
export interface DirectoryNode {
  readonly kind: "directory";
  readonly inode: number;
  readonly names: Map<string, CrashNode>;
  /** The names that were synced. */
  readonly durable: Map<string, CrashNode>;
  /** Rises with each change of its names. */
  changedAt: number;
}

export type CrashNode = FileNode | DirectoryNode;

/** One change of names: made, removed, or both at once for a file that was moved. A power cut leaves all of it or nothing. */
export interface NameChange {
  readonly parts: readonly { readonly directory: DirectoryNode; readonly name: string; readonly node: CrashNode | undefined }[];
}

/** An empty directory. */
export function emptyDirectory(inode: number): DirectoryNode {
  return { kind: "directory", inode, names: new Map(), durable: new Map(), changedAt: nextInstant() };
}

let instant = 0;

/** A moment that no other change of any disk has, also of one that a power cut left. */
export function nextInstant(): number {
  instant += 1;
  return instant;
}

/** Makes a change of names in the view that programs have, or in the one that lasts. */
export function applyChange({ parts }: NameChange, view: "names" | "durable"): void {
  for (const { directory, name, node } of parts) {
    if (node === undefined) directory[view].delete(name);
    else directory[view].set(name, node);
    if (view === "names") directory.changedAt = nextInstant();
  }
}
