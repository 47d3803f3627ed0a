import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Files } from "wavepoint";
import { nodeFiles } from "wavepoint/node";
import type { NodeFilesOptions } from "wavepoint/node";
import { filesBelow } from "../../../src/node/files/node-files.ts";
import { attempt, read, write } from "../../support/file-attempt.ts";
import { openHandlesBelow, temporaryFolder } from "./temporary-folder.ts";

const WAYS: readonly { readonly name: string; readonly make: (options: NodeFilesOptions) => Files }[] = [
  { name: "as the platform allows", make: nodeFiles },
  { name: "without addresses that lead through open folders", make: (options) => filesBelow(options, { hasHandlePaths: false }) },
];

describe.each(WAYS)("files $name", ({ make }) => {
  function setUp(options: Partial<NodeFilesOptions> = {}): { readonly root: string; readonly outside: string; readonly files: Files } {
    const all = temporaryFolder();
    const root = join(all, "app");
    const outside = join(all, "app-secrets");
    mkdirSync(root);
    mkdirSync(outside);
    writeFileSync(join(outside, "key"), "secret");
    return { root, outside, files: make({ root, ...options }) };
  }

  test("a file comes back as it was written", async () => {
    const { root, files } = setUp();
    const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i);
    expect(await files.write("./a//b.bin", bytes)).toEqual({ path: "a/b.bin", sizeBytes: 100_000, created: true });
    const found = await files.read("a/./b.bin");
    expect(found.path).toBe("a/b.bin");
    expect(Buffer.from(found.bytes).equals(bytes)).toBe(true);
    expect(readFileSync(join(root, "a/b.bin")).equals(bytes)).toBe(true);
  });

  test("an empty file is a file", async () => {
    const { files } = setUp();
    expect(await write(files, "empty", "")).toBe("created");
    expect(await read(files, "empty")).toBe("");
  });

  test("a file is replaced only on demand", async () => {
    const { files } = setUp();
    expect(await write(files, "a", "1")).toBe("created");
    expect(await write(files, "a", "2")).toBe("FILE_EXISTS");
    expect(await read(files, "a")).toBe("1");
    expect(await write(files, "a", "3", { overwrite: true })).toBe("replaced");
    expect(await read(files, "a")).toBe("3");
    expect(await write(files, "b", "4", { overwrite: true })).toBe("created");
  });

  test("of many writers that replace nothing one wins, and its content is whole", async () => {
    const { root, files } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => write(files, "one", String(i).repeat(10_000))));
    expect(outcomes.toSorted()).toEqual([...Array<string>(19).fill("FILE_EXISTS"), "created"]);
    expect(await read(files, "one")).toBe(String(outcomes.indexOf("created")).repeat(10_000));
    expect(readdirSync(root)).toEqual(["one"]);
  });

  test("a reader beside writers sees one whole content or another", async () => {
    const { root, files } = setUp();
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(200_000));
    await write(files, "f", texts[0]!);
    const writing = Promise.all(texts.map((text) => write(files, "f", text, { overwrite: true })));
    const seen = await Promise.all(Array.from({ length: 10 }, () => read(files, "f")));
    await writing;
    for (const text of seen) expect(texts.includes(text)).toBe(true);
    expect(readdirSync(root)).toEqual(["f"]);
  });

  test("folders on the way are made, unless that is not wanted", async () => {
    const { root, files } = setUp();
    expect(await write(files, "x/y/z", "1", { makeFolders: false })).toBe("FILE_MISSING");
    expect(existsSync(join(root, "x"))).toBe(false);
    expect(await write(files, "x/y/z", "1")).toBe("created");
    expect(await write(files, "x/y/w", "1", { makeFolders: false })).toBe("created");
  });

  test("what is missing is said to be missing", async () => {
    const { files } = setUp();
    expect(await read(files, "none")).toBe("FILE_MISSING");
    expect(await read(files, "none/at/all")).toBe("FILE_MISSING");
  });

  test("a root that is not there has another error than a missing file", async () => {
    const { root } = setUp();
    const files = make({ root: join(root, "gone") });
    await expect(files.read("a")).rejects.toMatchObject({ code: "FILE_FAILED", message: expect.stringContaining("gone") as string });
  });

  test("permissions are set as asked, kept when a file is replaced, and ordinary otherwise", async () => {
    const { root, files } = setUp();
    const mode = (name: string): number => statSync(join(root, name)).mode & 0o7777;
    await write(files, "script", "1", { mode: 0o751 });
    expect(mode("script")).toBe(0o751);
    await write(files, "script", "2", { overwrite: true });
    expect(mode("script")).toBe(0o751);
    await write(files, "script", "3", { overwrite: true, mode: 0o600 });
    expect(mode("script")).toBe(0o600);
    await write(files, "plain", "1");
    expect(mode("plain")).toBe(0o644 & ~process.umask());
  });

  test.each([0o4755, 0o1000, -1, 1.5, NaN])("the permissions %d are refused", async (mode) => {
    const { root, files } = setUp();
    expect(await write(files, "a", "1", { mode })).toBe("BLOCK_INPUT_INVALID");
    expect(readdirSync(root)).toEqual([]);
  });

  test("a set-uid bit does not survive a replacement", async () => {
    const { root, files } = setUp();
    writeFileSync(join(root, "a"), "1");
    chmodSync(join(root, "a"), 0o4755);
    await write(files, "a", "2", { overwrite: true });
    expect(statSync(join(root, "a")).mode & 0o7777).toBe(0o755);
  });

  test("a file over the limit is neither read nor written", async () => {
    const { root, files } = setUp();
    writeFileSync(join(root, "large"), Buffer.alloc(1_001));
    expect(await read(files, "large", { maxBytes: 1_000 })).toBe("FILE_REFUSED");
    expect(await read(files, "large", { maxBytes: 1_001 })).toHaveLength(1_001);
    const huge = new Uint8Array(10_485_761);
    expect(await attempt(async () => String(await files.write("huge", huge)))).toBe("FILE_REFUSED");
    writeFileSync(join(root, "huge"), huge);
    expect(await read(files, "huge", { maxBytes: Infinity })).toBe("FILE_REFUSED");
  });

  test("S4: a link is not followed, wherever it stands and wherever it leads", async () => {
    const { root, outside, files } = setUp();
    mkdirSync(join(root, "inner"));
    writeFileSync(join(root, "inner/file"), "1");
    symlinkSync(join(outside, "key"), join(root, "key"));
    symlinkSync(outside, join(root, "folder"));
    symlinkSync("inner", join(root, "alias"));
    symlinkSync("inner/file", join(root, "short"));
    symlinkSync(join(outside, "new"), join(root, "dangling"));
    for (const path of ["key", "folder/key", "alias/file", "short"]) {
      expect(await read(files, path), path).toBe("FILE_REFUSED");
      expect(await write(files, path, "2", { overwrite: true }), path).toBe("FILE_REFUSED");
    }
    for (const path of ["dangling", "folder/new", "folder/deep/new"]) expect(await write(files, path, "2"), path).toBe("FILE_REFUSED");
    expect(readdirSync(outside)).toEqual(["key"]);
    expect(readFileSync(join(outside, "key"), "utf8")).toBe("secret");
    expect(readFileSync(join(root, "inner/file"), "utf8")).toBe("1");
  });

  test("links that lead to the root are the host's own affair", async () => {
    const { root, outside } = setUp();
    symlinkSync(root, join(outside, "link"));
    const files = make({ root: join(outside, "link") });
    expect(await write(files, "a", "1")).toBe("created");
    expect(readFileSync(join(root, "a"), "utf8")).toBe("1");
  });

  test("a hard link is a file like any other, and writing breaks it", async () => {
    const { root, outside, files } = setUp();
    linkSync(join(outside, "key"), join(root, "hard"));
    expect(await read(files, "hard")).toBe("secret");
    expect(await write(files, "hard", "mine", { overwrite: true })).toBe("replaced");
    expect(readFileSync(join(outside, "key"), "utf8")).toBe("secret");
  });

  test("what is no regular file is refused at once", async () => {
    const { root, files } = setUp();
    mkdirSync(join(root, "folder"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(root, "socket"), done));
    onTestFinished(() => void server.close());
    for (const path of ["folder", "pipe", "socket"]) {
      expect(await read(files, path), path).toBe("FILE_REFUSED");
      expect(await write(files, path, "1", { overwrite: true }), path).toBe("FILE_REFUSED");
    }
    writeFileSync(join(root, "file"), "1");
    expect(await read(files, "file/below")).toBe("FILE_REFUSED");
    expect(await write(files, "file/below", "1")).toBe("FILE_REFUSED");
  });

  test("an absolute path below the root is a path like others", async () => {
    const { root, files } = setUp();
    expect(await write(files, join(root, "new/a"), "1")).toBe("created");
    expect(await read(files, join(root, "new/a"))).toBe("1");
    expect(await read(files, "new/a")).toBe("1");
    const link = `${root}-link`;
    symlinkSync(root, link);
    expect(await read(make({ root: link }), join(root, "new/a"))).toBe("1");
    expect(await read(make({ root: link }), join(link, "new/a"))).toBe("1");
    for (const path of [`${root}/../b`, `${root}x/a`, root, `${root}/`, `${root}/.git/config`]) {
      expect(await write(files, path, "1"), path).toBe("PATH_FORBIDDEN");
    }
  });

  test("an absolute path needs the word of the workflow and of the host", async () => {
    const { root, outside, files } = setUp();
    const trusting = make({ root, unsafe: true });
    const path = join(outside, "key");
    expect(await read(files, path)).toBe("PATH_FORBIDDEN");
    expect(await read(files, path, { unsafe: true })).toBe("PATH_FORBIDDEN");
    expect(await read(trusting, path)).toBe("PATH_FORBIDDEN");
    expect(await read(trusting, path, { unsafe: true })).toBe("secret");
    expect(await read(trusting, "../app-secrets/key", { unsafe: true })).toBe("PATH_FORBIDDEN");
    expect(await write(trusting, join(outside, "new"), "1", { unsafe: true })).toBe("created");
    symlinkSync(path, join(outside, "link"));
    expect(await read(trusting, join(outside, "link"), { unsafe: true })).toBe("FILE_REFUSED");
  });

  test("devices and what the system makes up are refused, also where absolute paths are allowed", async () => {
    const { root } = setUp();
    const files = make({ root, unsafe: true });
    for (const path of ["/dev/zero", "/dev/null", "/dev/stdin", "/proc/self/environ", `/proc/${process.pid}/environ`, "/proc/version"]) {
      expect(await read(files, path, { unsafe: true }), path).toBe("FILE_REFUSED");
    }
  });

  test("names of other programs are read and not written", async () => {
    const { root, files } = setUp();
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git/HEAD"), "ref");
    expect(await read(files, ".git/HEAD")).toBe("ref");
    for (const path of [".git/hooks/pre-commit", ".git/HEAD", ".checkpoints/run-1/journal", ".wavepoint/x"]) {
      expect(await write(files, path, "x", { overwrite: true }), path).toBe("PATH_FORBIDDEN");
    }
    expect(readdirSync(root)).toEqual([".git"]);
  });

  test("folders that the host keeps for itself are neither read nor written, under none of their names", async () => {
    const { root } = setUp();
    const files = make({ root, reserved: ["data/runs", join(root, "later")], unsafe: true });
    mkdirSync(join(root, "data/runs/deep"), { recursive: true });
    writeFileSync(join(root, "data/runs/journal"), "mine");
    for (const path of ["data/runs/journal", "data/runs/deep/x", "data/runs", "Data/Runs/journal", "later/x", "later"]) {
      expect(await read(files, path), path).toBe("PATH_FORBIDDEN");
      expect(await write(files, path, "x"), path).toBe("PATH_FORBIDDEN");
    }
    expect(await read(files, join(root, "data/runs/journal"), { unsafe: true })).toBe("PATH_FORBIDDEN");
    expect(await write(files, "data/running", "x")).toBe("created");
    expect(existsSync(join(root, "later"))).toBe(false);
  });

  test("a kept folder is known by what it is, not by the name the host has for it", async () => {
    const { root } = setUp();
    mkdirSync(join(root, "elsewhere/deep"), { recursive: true });
    writeFileSync(join(root, "elsewhere/deep/journal"), "mine");
    symlinkSync("elsewhere", join(root, "runs"));
    expect(await read(make({ root, reserved: ["runs"] }), "elsewhere/deep/journal")).toBe("PATH_FORBIDDEN");
  });

  test("no file is left open and none is left behind, after any outcome", async () => {
    const { root, files } = setUp();
    mkdirSync(join(root, "folder"));
    symlinkSync("folder", join(root, "link"));
    for (let i = 0; i < 5; i++) {
      await write(files, "a/b", "1", { overwrite: true });
      await read(files, "a/b");
      await read(files, "a/c");
      await read(files, "link/b");
      await read(files, "folder");
      await write(files, "folder", "1", { overwrite: true });
      await write(files, "a/b", "1");
      await write(files, "link/x", "1");
    }
    expect(openHandlesBelow(root)).toEqual([]);
    expect([".", "a", "folder"].map((folder) => readdirSync(join(root, folder)))).toEqual([["a", "folder", "link"], ["b"], []]);
  });
});
