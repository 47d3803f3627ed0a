import { describe, expect, test } from "vitest";
import { errorData } from "../../../src/core/model/errors.ts";
import { parseFilePath, showPath } from "../../../src/core/model/file-path.ts";
import type { FilePathOptions } from "../../../src/core/model/file-path.ts";

function verdict(path: string, options?: FilePathOptions): string {
  try {
    return parseFilePath(path, options).text;
  } catch (thrown) {
    return errorData(thrown, "BLOCK_FAILED").code;
  }
}

describe("a path", () => {
  test.each([
    ["a", "a"],
    ["a/b.txt", "a/b.txt"],
    ["./a//b/./c", "a/b/c"],
    ["a..b.txt", "a..b.txt"],
    ["..a/b", "..a/b"],
    ["...a", "...a"],
    ["%2e%2e/etc/passwd", "%2e%2e/etc/passwd"],
    ["~root/.ssh/id", "~root/.ssh/id"],
    ["$HOME/x", "$HOME/x"],
    ["console.log", "console.log"],
    ["com10", "com10"],
    ["größe/名前.txt", "größe/名前.txt"],
    ["a b/c d", "a b/c d"],
    [".git/config", ".git/config"],
    ["x".repeat(255), "x".repeat(255)],
  ])("%s may be read", (path, text) => {
    expect(verdict(path)).toBe(text);
  });

  test.each([
    ["nothing", ""],
    ["the root itself", "."],
    ["the root itself, longer", "./."],
    ["a folder", "a/"],
    ["a folder, longer", "a/."],
    ["a step upwards", "../a"],
    ["a step upwards after one down", "a/../../b"],
    ["a step upwards at the end", "a/.."],
    ["an absolute path", "/etc/passwd"],
    ["a share", "//server/share/x"],
    ["backslashes", "..\\..\\windows\\win.ini"],
    ["one backslash", "a\\b"],
    ["a device prefix", "\\\\?\\C:\\x"],
    ["a drive", "C:secret.txt"],
    ["an absolute path on a drive", "C:/secret.txt"],
    ["an address", "file:///etc/passwd"],
    ["a stream", "file.txt:stream"],
    ["NUL", "a\0.txt"],
    ["a line end", "a\n.txt"],
    ["an escape", "a\u001b[2J"],
    ["DEL", "a\u007f"],
    ["a control character past ASCII", "a\u0085b"],
    ["a text that runs backwards", "re\u202etxt.exe"],
    ["an isolate", "a\u2066b"],
    ["half a character", "a\ud800"],
    ["a device", "CON"],
    ["a device with an extension", "aux.txt"],
    ["a device with two extensions", "nul.tar.gz"],
    ["a device as a folder", "a/Lpt1/b"],
    ["a device with a superscript digit", "com\u00b9"],
    ["a device with blanks", "con .txt"],
    ["a device with a colon", "sub/NUL:"],
    ["a dot at the end", "name."],
    ["a blank at the end", "name "],
    ["a dot and a blank at the end of a folder", "name. /x"],
    ["dots only", "a/..."],
    ["a part of 256 bytes", "x".repeat(256)],
    ["a part of 256 bytes in fewer characters", "é".repeat(128)],
    ["4,097 bytes", `${"d/".repeat(2_048)}f`],
  ])("with %s may not", (_, path) => {
    expect(verdict(path)).toBe("PATH_FORBIDDEN");
    expect(verdict(path, { writing: true })).toBe("PATH_FORBIDDEN");
  });

  test.each([
    ".git/hooks/pre-commit",
    "a/.git/config",
    ".GIT/x",
    ".g\u200cit/x",
    "git~1/x",
    ".wavepoint/x",
    ".checkpoints/run-1/journal",
    "a/.git",
  ])("%s may be read and not written", (path) => {
    expect(verdict(path)).toBe(path);
    expect(verdict(path, { writing: true })).toBe("PATH_FORBIDDEN");
  });

  test.each([".gitignore", ".github/workflows/a.yml", "git", "checkpoints/a"])("%s may be written", (path) => {
    expect(verdict(path, { writing: true })).toBe(path);
  });

  test("may be absolute where that is allowed, and is no more than that", () => {
    expect(verdict("/var//log/./a", { absolute: true })).toBe("/var/log/a");
    for (const path of ["/", "/..", "/a/../b", "//server/share", "/dev/con", "C:/a"])
      expect(verdict(path, { absolute: true })).toBe("PATH_FORBIDDEN");
    expect(verdict("/a/.git/config", { absolute: true, writing: true })).toBe("PATH_FORBIDDEN");
  });
});

test("a message shows a path without what would change how it reads", () => {
  expect(showPath('a"\\\u202e\n\ud800')).toBe('"a\\"\\\\\\u202e\\u000a\\ud800"');
  expect(showPath("x".repeat(300))).toBe(`"${"x".repeat(200)}…"`);
});
