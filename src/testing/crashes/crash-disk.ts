import type { Disk, FileFacts } from "../../core/ports/disk.ts";
import {
  type CrashNode,
  type DirectoryNode,
  type FileNode,
  type NameChange,
  applyChange,
  emptyDirectory,
  nextInstant,
} from "./disk-nodes.ts";
import { type CrashDisk, type CrashDiskOptions, crashStates, worstState } from "./disk-states.ts";
import { assertOptions } from "../../core/model/assert-options.ts";

export type { CrashDisk, CrashDiskOptions } from "./disk-states.ts";

/** How many turns of other promises a sync takes. */
const SYNC_TURNS = 50;

interface OpenFile {
  readonly node: FileNode;
  readonly writable: boolean;
}

/** A {@link CrashDisk}. */
export function crashDisk(options: CrashDiskOptions = {}): CrashDisk {
  assertOptions("crashDisk", options, { beforeSync: true, root: true });
  const { beforeSync, root = emptyDirectory(1) } = options;
  const open = new Map<number, OpenFile>();
  /** Changes of names since their directories were synced, oldest first. */
  let unsynced: NameChange[] = [];
  let operations = 0;
  let inodes = highestInode(root);
  let handles = 2;

  function find(path: string): CrashNode | undefined {
    let node: CrashNode | undefined = root;
    for (const name of parts(path)) node = node?.kind === "directory" ? node.names.get(name) : undefined;
    return node;
  }

  function parentOf(path: string): { readonly directory: DirectoryNode; readonly name: string } {
    const names = parts(path);
    const name = names.pop();
    const directory = find(`/${names.join("/")}`);
    if (name === undefined || directory?.kind !== "directory") throw failure("ENOENT", path);
    return { directory, name };
  }

  function rename(changes: NameChange["parts"]): void {
    operations += 1;
    const change = { parts: changes };
    applyChange(change, "names");
    unsynced.push(change);
  }

  function opened(file: number): OpenFile {
    const found = open.get(file);
    if (found === undefined) throw failure("EBADF", String(file));
    return found;
  }

  function put(node: FileNode, bytes: Uint8Array): void {
    operations += 1;
    node.bytes = bytes;
    node.pending.push(bytes);
    node.changedAt = nextInstant();
  }

  function removeTree(path: string): void {
    const node = find(path);
    if (node === undefined) return;
    if (node.kind === "directory") for (const name of node.names.keys()) removeTree(`${path}/${name}`);
    rename([{ ...parentOf(path), node: undefined }]);
  }

  function existing(path: string): CrashNode {
    const node = find(path);
    if (node === undefined) throw failure("ENOENT", path);
    return node;
  }

  const disk: CrashDisk = {
    session: `session ${nextInstant()}`,
    get operations() {
      return operations;
    },
    states: (bounds) => crashStates({ root, unsynced, make: crashDisk }, bounds),
    powerCut: () => crashDisk({ root: worstState({ root }) }),
    killedAt: (operation) => mortal(disk, operation),
    open(path, how) {
      const { directory, name } = parentOf(path);
      let node = directory.names.get(name);
      if (how === "create") {
        if (node !== undefined) throw failure("EEXIST", path);
        const empty = new Uint8Array();
        node = { kind: "file", inode: (inodes += 1), bytes: empty, durable: empty, pending: [], modifiedAt: 0, changedAt: nextInstant() };
        rename([{ directory, name, node }]);
      }
      if (node === undefined) throw failure("ENOENT", path);
      if (node.kind === "directory") throw failure("EISDIR", path);
      open.set((handles += 1), { node, writable: how !== "read" });
      return handles;
    },
    close(file) {
      opened(file);
      open.delete(file);
    },
    read(file, bytes, offset, position) {
      const found = opened(file).node.bytes.subarray(position, position + bytes.length - offset);
      bytes.set(found, offset);
      return found.length;
    },
    write(file, bytes, offset, position) {
      const { node, writable } = opened(file);
      if (!writable) throw failure("EBADF", String(file));
      const added = bytes.subarray(offset);
      const next = new Uint8Array(Math.max(node.bytes.length, position + added.length));
      next.set(node.bytes);
      next.set(added, position);
      put(node, next);
      return added.length;
    },
    append(file, bytes) {
      return disk.write(file, bytes, 0, opened(file).node.bytes.length);
    },
    truncate(file, length) {
      const { node } = opened(file);
      const next = new Uint8Array(length);
      next.set(node.bytes.subarray(0, length));
      put(node, next);
    },
    async sync(file) {
      const { node } = opened(file);
      beforeSync?.();
      const written = node.pending.length;
      const { bytes } = node;
      await work();
      operations += 1;
      node.durable = bytes;
      node.pending = node.pending.slice(written);
    },
    facts(target) {
      const node = typeof target === "number" ? opened(target).node : find(target);
      return node && factsOf(node);
    },
    list(path) {
      const node = existing(path);
      if (node.kind === "file") throw failure("ENOTDIR", path);
      return [...node.names.keys()];
    },
    makeDirectory(path) {
      let outermost: string | undefined;
      let at = "";
      for (const name of parts(path)) {
        const directory = existing(at || "/");
        if (directory.kind === "file") throw failure("ENOTDIR", at);
        at += `/${name}`;
        if (directory.names.has(name)) continue;
        rename([{ directory, name, node: emptyDirectory((inodes += 1)) }]);
        outermost ??= at;
      }
      return outermost;
    },
    rename(from, to) {
      const node = existing(from);
      rename([
        { ...parentOf(from), node: undefined },
        { ...parentOf(to), node },
      ]);
    },
    link(path, name) {
      const node = existing(path);
      if (find(name) !== undefined) throw failure("EEXIST", name);
      rename([{ ...parentOf(name), node }]);
    },
    remove: removeTree,
    touch(path, at) {
      const node = existing(path);
      if (node.kind === "directory") return;
      node.modifiedAt = at;
      node.changedAt = nextInstant();
    },
    restrict: (path) => void existing(path),
    async syncDirectory(path) {
      const directory = existing(path);
      beforeSync?.();
      const isSynced = ({ parts: changed }: NameChange): boolean => changed.some((part) => part.directory === directory);
      const synced = new Set(unsynced.filter(isSynced));
      await work();
      operations += 1;
      for (const change of synced) applyChange(change, "durable");
      unsynced = unsynced.filter((change) => !synced.has(change));
    },
  };
  return disk;
}

/** A view of a disk that fails from an operation on. */
function mortal(disk: CrashDisk, last: number): Disk {
  function alive<A extends readonly unknown[], R>(call: (...given: A) => R): (...given: A) => R {
    return (...given) => {
      if (disk.operations >= last) throw failure("EIO", "the process was killed");
      return call(...given);
    };
  }
  return {
    session: disk.session,
    open: alive(disk.open),
    close: disk.close,
    read: alive(disk.read),
    write: alive(disk.write),
    append: alive(disk.append),
    truncate: alive(disk.truncate),
    async sync(file) {
      await alive(disk.sync)(file);
      alive(() => {})();
    },
    facts: alive(disk.facts),
    list: alive(disk.list),
    makeDirectory: alive(disk.makeDirectory),
    rename: alive(disk.rename),
    link: alive(disk.link),
    remove: alive(disk.remove),
    touch: alive(disk.touch),
    restrict: alive(disk.restrict),
    async syncDirectory(path) {
      await alive(disk.syncDirectory)(path);
      alive(() => {})();
    },
  };
}

/** Takes as long as it takes: who does not wait for a sync goes on before it is done. */
async function work(): Promise<void> {
  for (let turn = 0; turn < SYNC_TURNS; turn += 1) await Promise.resolve();
}

function parts(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}

function factsOf(node: CrashNode): FileFacts {
  const file = node.kind === "file" ? node : undefined;
  return {
    inode: node.inode,
    isDirectory: file === undefined,
    sizeBytes: file?.bytes.length ?? 0,
    modifiedAt: file?.modifiedAt ?? 0,
    changedAt: node.changedAt,
  };
}

function highestInode(node: CrashNode): number {
  return node.kind === "file" ? node.inode : Math.max(node.inode, ...[...node.names.values()].map(highestInode));
}

function failure(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}
