import { describe, expect, onTestFinished, test } from "vitest";
import type { Files } from "wavepoint";
import { opfsFiles } from "wavepoint/browser";
import table from "../../corpus/hostile/tables/F-paths.json?raw";
import { attempt, read, write } from "../../support/file-attempt.ts";
import { hostilePaths } from "../../support/hostile-paths.ts";

let made = 0;

/** Files in a folder that no other test uses, and what stands in it. */
function setUp(): { readonly folder: string; readonly files: Files; readonly list: (path?: string) => Promise<readonly string[]> } {
  const folder = `files-${(made += 1)}`;
  const files = opfsFiles({ folder });
  onTestFinished(async () => {
    const root = await navigator.storage.getDirectory();
    await root.removeEntry(folder, { recursive: true }).catch(() => undefined);
  });
  return {
    folder,
    files,
    async list(path) {
      let inner = await (await navigator.storage.getDirectory()).getDirectoryHandle(folder);
      for (const name of path?.split("/") ?? []) inner = await inner.getDirectoryHandle(name);
      const names: string[] = [];
      for await (const name of inner.keys()) names.push(name);
      return names.toSorted();
    },
  };
}

describe("files of the browser", () => {
  test("a file comes back as it was written", async () => {
    const { files, list } = setUp();
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i);
    expect(await files.write("./a//b.bin", bytes, { mode: 0o600 })).toEqual({ path: "a/b.bin", sizeBytes: 100_000, created: true });
    expect(await files.read("a/b.bin")).toEqual({ path: "a/b.bin", bytes });
    expect(await list("a")).toEqual(["b.bin"]);
  });

  test("a file is replaced only on demand", async () => {
    const { files, list } = setUp();
    expect(await write(files, "a", "a long first content")).toBe("created");
    expect(await write(files, "a", "2")).toBe("FILE_EXISTS");
    expect(await write(files, "a", "3", { overwrite: true })).toBe("replaced");
    expect(await read(files, "a")).toBe("3");
    expect(await write(files, "empty", "", { overwrite: true })).toBe("created");
    expect(await read(files, "empty")).toBe("");
    expect(await list()).toEqual(["a", "empty"]);
  });

  test("of many writers that replace nothing one wins, and its content is whole", async () => {
    const { folder, files, list } = setUp();
    const others = opfsFiles({ folder });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, i) => write(i % 2 === 0 ? files : others, "one", String(i).repeat(10_000))),
    );
    expect(outcomes.toSorted()).toEqual([...Array<string>(9).fill("FILE_EXISTS"), "created"]);
    expect(await read(files, "one")).toBe(String(outcomes.indexOf("created")).repeat(10_000));
    expect(await list()).toEqual(["one"]);
  });

  test("folders on the way are made, unless that is not wanted", async () => {
    const { files, list } = setUp();
    expect(await write(files, "x/y", "1", { makeFolders: false })).toBe("FILE_MISSING");
    expect(await list()).toEqual([]);
    expect(await write(files, "x/y", "1")).toBe("created");
  });

  test("what is missing, a folder, or below a file has an error of its own", async () => {
    const { files } = setUp();
    await write(files, "folder/file", "1");
    expect(await read(files, "none")).toBe("FILE_MISSING");
    expect(await read(files, "none/at/all")).toBe("FILE_MISSING");
    expect(await read(files, "folder")).toBe("FILE_REFUSED");
    expect(await write(files, "folder", "1", { overwrite: true })).toBe("FILE_REFUSED");
    expect(await write(files, "folder/file/below", "1")).toBe("FILE_REFUSED");
  });

  test("a file over the limit is neither read nor written", async () => {
    const { files, list } = setUp();
    await write(files, "five", "12345");
    expect(await read(files, "five", { maxBytes: 4 })).toBe("FILE_REFUSED");
    expect(await read(files, "five", { maxBytes: 5 })).toBe("12345");
    expect(await attempt(async () => String(await files.write("huge", new Uint8Array(10_485_761))))).toBe("FILE_REFUSED");
    expect(await list()).toEqual(["five"]);
  });

  test("names of other programs are not written", async () => {
    const { files } = setUp();
    expect(await write(files, ".git/hooks/pre-commit", "1")).toBe("PATH_FORBIDDEN");
  });

  test("there are no absolute paths", async () => {
    const { files } = setUp();
    expect(await read(files, "/a", { unsafe: true })).toBe("PATH_FORBIDDEN");
  });

  test("a folder that leads out of the file system is refused", () => {
    expect(() => opfsFiles({ folder: "../a" })).toThrow(expect.objectContaining({ code: "PATH_FORBIDDEN" }) as Error);
  });

  test("a worker and a page have the same files", async () => {
    const root = await navigator.storage.getDirectory();
    onTestFinished(() => root.removeEntry("worker", { recursive: true }));
    const worker = new Worker(new URL("files-worker.ts", import.meta.url), { type: "module" });
    onTestFinished(() => worker.terminate());
    const outcomes = await new Promise((done, refuse) => {
      worker.addEventListener("message", ({ data }) => done(data));
      worker.addEventListener("error", ({ message }) => refuse(new Error(message)));
    });
    expect(outcomes).toEqual(["created", "FILE_EXISTS", "hello"]);
    expect(await read(opfsFiles({ folder: "worker" }), "from-a-worker")).toBe("hello");
  });

  test("where there is no such file system, an error says so", () => {
    const storage = Object.getOwnPropertyDescriptor(Navigator.prototype, "storage")!;
    onTestFinished(() => void Object.defineProperty(Navigator.prototype, "storage", storage));
    Object.defineProperty(Navigator.prototype, "storage", { configurable: true, value: undefined });
    expect(() => opfsFiles()).toThrow(expect.objectContaining({ code: "CAPABILITY_MISSING" }) as Error);
  });
});

const paths = hostilePaths(table);

test("the table of paths was found", () => {
  expect(paths.length).toBeGreaterThan(20);
});

describe("hostile paths in a browser", () => {
  test.each(paths)("$why", async ({ path, isTaken }) => {
    const { files, list } = setUp();
    const before = await write(files, "kept", "1");
    expect(before).toBe("created");
    expect(await write(files, path, "inside")).toBe(isTaken ? "created" : "PATH_FORBIDDEN");
    expect(await read(files, path)).toBe(isTaken ? "inside" : "PATH_FORBIDDEN");
    expect(await list()).toHaveLength(isTaken ? 2 : 1);
  });
});
