import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createExecutor, type RunResult, type Values } from "wavepoint";
import { nodeShell } from "wavepoint/node";
import { memoryStore } from "wavepoint/store/memory";

let root = "";
let outside = "";

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "wavepoint-git-")));
  outside = await realpath(await mkdtemp(join(tmpdir(), "wavepoint-outside-")));
  await writeFile(join(root, "file.txt"), "first\n");
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  git("add", ".");
  git("commit", "-q", "-m", "first");
});
afterEach(async () => {
  await rm(root, { recursive: true });
  await rm(outside, { recursive: true });
});

function git(...args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-C", root, ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

async function makeWorktree(inputs: Values, given: Values = {}): Promise<RunResult> {
  const names = ["path", "branch", "commit", "created_branch", "success"];
  const engine = createExecutor({ store: memoryStore(), grants: { shell: nodeShell({ root }) } });
  try {
    await engine.load({
      name: "it",
      inputs: Object.fromEntries(Object.keys(given).map((name) => [name, { type: "string" }])),
      blocks: [{ id: "a", type: "CreateWorktree", inputs }],
      outputs: Object.fromEntries(names.map((name) => [name, `\${blocks.a.outputs.${name}}`])),
    });
    return await (await engine.start("it", given)).settled();
  } finally {
    await engine.close();
  }
}

describe("CreateWorktree", () => {
  test("makes a new branch and its worktree", async () => {
    const commit = git("rev-parse", "HEAD");
    const { outputs } = await makeWorktree({ branch: "feature/x", path: ".worktrees/feature/x" });
    expect(outputs).toEqual({ path: ".worktrees/feature/x", branch: "feature/x", commit, created_branch: true, success: true });
    expect(await readFile(join(root, ".worktrees/feature/x/file.txt"), "utf8")).toBe("first\n");
    expect(git("-C", ".worktrees/feature/x", "branch", "--show-current")).toBe("feature/x");
  });

  test("takes a branch that is there", async () => {
    git("branch", "old");
    const { outputs } = await makeWorktree({ branch: "old", path: "tree" });
    expect(outputs).toMatchObject({ branch: "old", created_branch: false });
  });

  test("starts a new branch at the given commit", async () => {
    const first = git("rev-parse", "HEAD");
    git("commit", "-q", "--allow-empty", "-m", "second");
    expect((await makeWorktree({ branch: "new", path: "tree", base: "main~1" })).outputs).toMatchObject({
      commit: first,
      created_branch: true,
    });
  });

  test("finds the worktree that an earlier attempt made", async () => {
    const inputs = { branch: "x", path: "trees/x" };
    const before = await makeWorktree(inputs);
    await writeFile(join(root, "trees/x/work.txt"), "mine");
    const again = await makeWorktree(inputs);
    expect(again.outputs).toEqual({ ...before.outputs, created_branch: false });
    expect(await readdir(join(root, "trees/x"))).toContain("work.txt");
  });

  test("makes one anew that an earlier attempt did not finish", async () => {
    git("worktree", "add", "-q", "-b", "x", "tree");
    await rm(join(root, "tree/file.txt"));
    await writeFile(join(root, ".git/worktrees/tree/locked"), "initializing");
    expect((await makeWorktree({ branch: "x", path: "tree" })).outputs).toMatchObject({ created_branch: false, success: true });
    expect(await readFile(join(root, "tree/file.txt"), "utf8")).toBe("first\n");
  });

  test("works in a repository below the root", async () => {
    await mkdir(join(root, "sub"));
    execFileSync("git", ["clone", "-q", root, join(root, "sub/repo")], { stdio: "ignore" });
    const { outputs } = await makeWorktree({ branch: "x", path: "trees/x", repository: "sub/repo" });
    expect(outputs).toMatchObject({ path: "trees/x", success: true });
    expect(git("worktree", "list")).not.toContain("trees/x");
  });

  test.each([
    ["another branch is there", { branch: "other", path: "taken" }, "FILE_EXISTS"],
    ["a folder with something in it is there", { branch: "x", path: "full" }, "BLOCK_FAILED"],
    ["the branch is checked out elsewhere", { branch: "main", path: "tree" }, "BLOCK_FAILED"],
    ["there is no such base", { branch: "x", path: "tree", base: "none" }, "BLOCK_FAILED"],
    ["there is no repository", { branch: "x", path: "tree", repository: "no" }, "FILE_MISSING"],
    ["a link leads outside", { branch: "x", path: "out/deep/tree" }, "PATH_FORBIDDEN"],
  ])("fails where %s", async (_, inputs, code) => {
    git("worktree", "add", "-q", "-b", "here", "taken");
    await mkdir(join(root, "full"));
    await writeFile(join(root, "full/file"), "");
    await symlink(outside, join(root, "out"));
    expect((await makeWorktree(inputs)).error).toMatchObject({ code });
    expect(await readdir(outside)).toEqual([]);
  });

  const wrong: readonly (readonly [Values, string])[] = [
    ...[
      "-f",
      "--orphan",
      "a b",
      "a..b",
      "a~1",
      "a^",
      "a:b",
      "a?",
      "a*",
      "a[",
      "a\\b",
      "/a",
      "a/",
      "a//b",
      ".a",
      "a/.b",
      "a.lock",
      "a.",
      "a@{1}",
      "@",
      "HEAD",
      "a\nb",
      "a\u007f",
    ].map((branch): [Values, string] => [{ branch, path: "tree" }, "BLOCK_INPUT_INVALID"]),
    [{ branch: "x", path: "../tree" }, "PATH_FORBIDDEN"],
    [{ branch: "x", path: "/tmp/tree" }, "PATH_FORBIDDEN"],
    [{ branch: "x", path: ".git/tree" }, "PATH_FORBIDDEN"],
    [{ branch: "x", path: "tree", base: "--detach" }, "BLOCK_INPUT_INVALID"],
    [{ branch: "x", path: "tree", base: "" }, "BLOCK_INPUT_INVALID"],
    [{ branch: "x", path: "tree", repository: ".." }, "PATH_FORBIDDEN"],
  ];
  test.each(wrong)("refuses %j, at load and when it runs", async (inputs, code) => {
    await expect(makeWorktree(inputs)).rejects.toMatchObject({ code });
    const [[name, value] = ["", ""]] = Object.entries(inputs)
      .filter(([key, text]) => key !== "path" || text !== "tree")
      .toReversed();
    expect((await makeWorktree({ ...inputs, [name]: "${inputs.v}" }, { v: value })).error).toMatchObject({ code });
  });

  test("takes a path that looks like an option for a path", async () => {
    expect((await makeWorktree({ branch: "x", path: "-f" })).outputs).toMatchObject({ path: "-f" });
    expect(await readFile(join(root, "-f/file.txt"), "utf8")).toBe("first\n");
  });
});
