import type { Disk } from "../../core/ports/disk.ts";
import { type CrashNode, type DirectoryNode, type FileNode, type NameChange, emptyDirectory } from "./disk-nodes.ts";
import { tornContents } from "./torn-contents.ts";

/**
 * A disk in memory whose power can be cut: it remembers what was synced and what was not.
 *
 * Its model is harsher than file systems are: without a sync a write may be there, torn or missing, sector by sector; names that were made,
 * removed or moved may each be there or not, in any order. It trusts three things: what was synced stays, a sector is written whole,
 * and a move is there as a whole or not at all.
 */
export interface CrashDisk extends Disk {
  /** How many operations changed something so far. */
  readonly operations: number;
  /** The states in which a power cut at this moment may leave the disk, up to a bound. The disk itself goes on. */
  states(bounds?: CrashBounds): Generator<CrashState, void, undefined>;
  /** Another disk, as a power cut leaves this one at worst: with nothing but what was synced. */
  powerCut(): CrashDisk;
  /** A view of the disk for a process that is killed at an operation: this one and all that follow fail, and change nothing. */
  killedAt(operation: number): Disk;
}

/** What a {@link crashDisk} is made with. */
export interface CrashDiskOptions {
  /** Called before each sync, when the most may be lost. */
  readonly beforeSync?: () => unknown;
  /** What is on it, all of it synced. Default: an empty root. */
  readonly root?: DirectoryNode;
}

/** How far the states of a {@link CrashDisk} are enumerated. */
export interface CrashBounds {
  /**
   * Of the newest changes of names that were not synced so many are there or not in every combination, each with all older ones there and
   * with none. Default: 8.
   */
  readonly names?: number;
  /**
   * Files that were not synced are each whole or as they were in every combination, up to so many; beyond that all whole or all as they were.
   * One of them at a time is torn. Default: 3.
   */
  readonly files?: number;
  /** What a disk writes as a whole, in bytes. Default: 512. */
  readonly sectorBytes?: number;
  /** Of a torn write every combination of sectors is tried up to so many, else each one missing, each one alone, and each beginning. Default: 6. */
  readonly sectors?: number;
}

/** One state in which a power cut may leave a disk. */
export interface CrashState {
  /** The same for states that hold the same files. */
  readonly key: string;
  /** A disk in this state, all of it synced. */
  restore(options?: Omit<CrashDiskOptions, "root">): CrashDisk;
}

/** What a disk holds, synced and not. */
export interface UnsyncedDisk {
  readonly root: DirectoryNode;
  /** Oldest first. */
  readonly unsynced: readonly NameChange[];
  /** Makes another disk. */
  readonly make: (options: CrashDiskOptions) => CrashDisk;
}

type Tree = Map<string, CrashNode>;

/** Every state up to the bounds, none twice. */
export function* crashStates(disk: UnsyncedDisk, bounds: CrashBounds = {}): Generator<CrashState, void, undefined> {
  const { names = 8, files = 3, sectorBytes = 512, sectors = 6 } = bounds;
  const seen = new Set<string>();
  const fingerprint = fingerprints();
  for (const tree of trees(disk, names)) {
    const entries = [...tree].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const changed = [...new Set(tree.values())].filter((node): node is FileNode => node.kind === "file" && node.pending.length > 0);
    for (const contents of combinations(changed, { files, sectorBytes, sectors })) {
      const key = entries.map(([path, node]) => `${path}:${node.kind === "file" ? fingerprint(contentOf(node, contents)) : ""}`).join("\n");
      if (seen.has(key)) continue;
      seen.add(key);
      yield { key, restore: (options) => disk.make({ ...options, root: restored(entries, contents) }) };
    }
  }
}

/** The one state in which nothing is left but what was synced. */
export function worstState({ root }: Pick<UnsyncedDisk, "root">): DirectoryNode {
  return restored([...walk(root, [])], new Map());
}

/** The trees of names that may be left, none twice. */
function* trees({ root, unsynced }: UnsyncedDisk, newest: number): Generator<Tree, void, undefined> {
  const seen = new Set<string>();
  const older = unsynced.slice(0, Math.max(0, unsynced.length - newest));
  const varied = unsynced.slice(older.length);
  for (const before of older.length > 0 ? [older, []] : [older]) {
    for (let chosen = 0; chosen < 2 ** varied.length; chosen += 1) {
      const tree = walk(root, [...before, ...varied.filter((_, index) => chosen & (1 << index))]);
      const key = [...tree].map(([path, { inode }]) => `${path}:${inode}`).join("\n");
      if (seen.has(key)) continue;
      seen.add(key);
      yield tree;
    }
  }
}

/** The paths that can be reached, with some changes of names made and the others not. */
function walk(root: DirectoryNode, changes: readonly NameChange[]): Tree {
  const changed = new Map<DirectoryNode, Map<string, CrashNode | undefined>>();
  for (const { parts } of changes) {
    for (const { directory, name, node } of parts) {
      const names = changed.get(directory) ?? new Map<string, CrashNode | undefined>();
      changed.set(directory, names.set(name, node));
    }
  }
  const tree: Tree = new Map();
  const visit = (directory: DirectoryNode, path: string): void => {
    for (const [name, node] of new Map<string, CrashNode | undefined>([...directory.durable, ...(changed.get(directory) ?? [])])) {
      if (node === undefined) continue;
      tree.set(`${path}/${name}`, node);
      if (node.kind === "directory") visit(node, `${path}/${name}`);
    }
  };
  visit(root, "");
  return tree;
}

type Contents = ReadonlyMap<FileNode, Uint8Array>;

function contentOf(file: FileNode, contents: Contents): Uint8Array {
  return contents.get(file) ?? file.durable;
}

/** What files that were not synced may hold. */
function* combinations(files: readonly FileNode[], bounds: Required<Omit<CrashBounds, "names">>): Generator<Contents, void, undefined> {
  const many = files.length > bounds.files;
  for (let chosen = 0; chosen < (many ? 2 : 2 ** files.length); chosen += 1) {
    const isWhole = (index: number): boolean => Boolean(many ? chosen : chosen & (1 << index));
    const contents = new Map(files.filter((_, index) => isWhole(index)).map((file) => [file, file.bytes]));
    yield contents;
    for (const [index, file] of files.entries()) {
      // Torn with every choice for the others; its own whole state stood above.
      if (!many && !isWhole(index)) continue;
      for (const torn of tornContents(file, bounds)) yield new Map([...contents, [file, torn]]);
    }
  }
}

/** The root of a disk that holds this and nothing else. */
function restored(entries: readonly (readonly [string, CrashNode])[], contents: Contents): DirectoryNode {
  const root = emptyDirectory(1);
  const made = new Map<string, DirectoryNode>([["", root]]);
  const files = new Map<FileNode, FileNode>();
  for (const [path, node] of entries) {
    const cut = path.lastIndexOf("/");
    const directory = made.get(path.slice(0, cut))!;
    const copy = node.kind === "file" ? (files.get(node) ?? settled(node, contentOf(node, contents))) : emptyDirectory(node.inode);
    if (node.kind === "file") files.set(node, copy as FileNode);
    else made.set(path, copy as DirectoryNode);
    directory.names.set(path.slice(cut + 1), copy);
    directory.durable.set(path.slice(cut + 1), copy);
  }
  return root;
}

function settled({ inode, modifiedAt, changedAt }: FileNode, bytes: Uint8Array): FileNode {
  return { kind: "file", inode, bytes, durable: bytes, pending: [], modifiedAt, changedAt };
}

/** Numbers contents so that equal bytes have the same number. */
function fingerprints(): (bytes: Uint8Array) => string {
  const known = new Map<Uint8Array, string>();
  return (bytes) => {
    let found = known.get(bytes);
    if (found === undefined) {
      found = `${bytes.length}.${hashOf(bytes)}`;
      known.set(bytes, found);
    }
    return found;
  };
}

/** 64 bits in two halves, FNV-1a with two starts: they tell states apart, and protect nothing. */
function hashOf(bytes: Uint8Array): string {
  let one = 0x811c9dc5;
  let two = 0x1b873593;
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x01000193);
    two = Math.imul(two ^ byte, 0x85ebca6b) ^ (two >>> 13);
  }
  return `${(one >>> 0).toString(36)}.${(two >>> 0).toString(36)}`;
}
