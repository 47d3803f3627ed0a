import { errorData, WorkflowError } from "../model/errors.ts";
import { parseFilePath } from "../model/file-path.ts";
import type { Values } from "../model/value.ts";
import { failure, success, type BlockContext, type BlockResult, type InputProblem } from "../ports/block.ts";
import { parseFolder } from "./shell/working-dir.ts";
import { utf8Length } from "../model/utf8.ts";

/** Milliseconds for one call of git: a large repository takes its time to be written out. */
const TIMEOUT_MS = 600_000;

interface Inputs {
  readonly branch: string;
  readonly path: string;
  readonly base?: string;
  readonly repository: string;
}

interface Outputs {
  readonly path: string;
  readonly branch: string;
  readonly commit: string;
  readonly created_branch: boolean;
  readonly success: boolean;
}

/** What is wrong with the inputs, as far as it can be told before the block runs. */
export function checkWorktree({ branch, path, base, repository }: Values): InputProblem[] {
  const problems: InputProblem[] = [];
  const check = (input: string, value: unknown, look: (text: string) => unknown): void => {
    try {
      if (typeof value === "string") look(value);
    } catch (thrown) {
      const { code, message } = errorData(thrown, "BLOCK_INPUT_INVALID");
      problems.push({ input, code, message });
    }
  };
  check("branch", branch, assertBranch);
  check("path", path, parsePath);
  check("base", base, assertBase);
  check("repository", repository, parseFolder);
  return problems;
}

/** Makes the worktree, or finds the one that an earlier attempt made. */
export async function makeWorktree(context: BlockContext<Inputs>): Promise<BlockResult<Outputs>> {
  const { branch, path, base, repository } = context.inputs;
  try {
    assertBranch(branch);
    if (base !== undefined) assertBase(base);
    const place = parsePath(path);
    const git = gitIn(context, parseFolder(repository));
    const target = await resolveTarget(context, place);
    let hasBranch = await git.succeeds(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
    const known = parseWorktrees(await git.write(["worktree", "list", "--porcelain", "-z"])).find((listed) => listed.path === target);
    if (known?.isUnfinished) await git.write(["worktree", "remove", "--force", "--force", "--", target]);
    const isThere = known !== undefined && !known.isUnfinished && !known.isGone;
    if (isThere && known.branch !== branch) throw taken(path, known.branch);
    if (!isThere) await git.write(["worktree", "add", ...(hasBranch ? ["--", target, branch] : newBranch(branch, target, base))]);
    const commit = await gitIn(context, place).write(["rev-parse", "--verify", "HEAD"]);
    hasBranch ||= isThere;
    return success({ path: place, branch, commit: commit.trim(), created_branch: !hasBranch, success: true });
  } catch (thrown) {
    return failure(errorData(thrown, "BLOCK_FAILED"));
  }
}

function newBranch(branch: string, target: string, base: string | undefined): readonly string[] {
  return ["-b", branch, "--", target, ...(base === undefined ? [] : [base])];
}

interface Git {
  /** What git writes. Throws `BLOCK_FAILED` with its last words where it fails. */
  write(args: readonly string[]): Promise<string>;
  succeeds(args: readonly string[]): Promise<boolean>;
}

function gitIn(context: BlockContext<Inputs>, workingDir: string): Git {
  return {
    write: (args) => runProgram(context, ["git", ...args], workingDir),
    succeeds: async (args) => (await call(context, ["git", ...args], workingDir)).exitCode === 0,
  };
}

async function runProgram(context: BlockContext<Inputs>, command: readonly string[], workingDir: string): Promise<string> {
  const { ended, exitCode, stdout, stderr } = await call(context, command, workingDir);
  if (ended === "exit" && exitCode === 0) return stdout;
  const reason = ended === "exit" ? `exit code ${exitCode}` : ended;
  throw new WorkflowError("BLOCK_FAILED", `${command.slice(0, 3).join(" ")} failed (${reason}). It wrote: ${stderr.trim().slice(-1_000)}`);
}

function call(
  context: BlockContext<Inputs>,
  command: readonly string[],
  workingDir: string,
): ReturnType<NonNullable<typeof context.grants.shell>["run"]> {
  return context.grants.shell!.run({ command, workingDir, timeoutMs: TIMEOUT_MS, signal: context.signal });
}

/**
 * The absolute path of the worktree. The folders on the way are made one by one, each in the one before: a link among them that leads
 * outside of the root is refused before anything is made behind it.
 */
async function resolveTarget(context: BlockContext<Inputs>, place: string): Promise<string> {
  const parts = place.split("/");
  const name = parts.pop()!;
  let folder = ".";
  for (const part of parts) {
    await runProgram(context, ["mkdir", "-p", "--", part], folder);
    folder = folder === "." ? part : `${folder}/${part}`;
  }
  const parent = (await runProgram(context, ["pwd", "-P"], folder)).replace(/\n$/, "");
  return parent === "/" ? `/${name}` : `${parent}/${name}`;
}

function parsePath(path: string): string {
  return parseFilePath(path, { writing: true }).text;
}

function assertBranch(branch: string): void {
  if (isBranchName(branch)) return;
  throw new WorkflowError(
    "BLOCK_INPUT_INVALID",
    `${JSON.stringify(branch.slice(0, 80))} cannot name a branch. Use letters, digits, "-", "_", "." and "/", starting with a letter or digit.`,
  );
}

function assertBase(base: string): void {
  if (isRevision(base)) return;
  throw new WorkflowError(
    "BLOCK_INPUT_INVALID",
    `${JSON.stringify(base.slice(0, 80))} cannot name a commit. Give a branch, a tag or a hash.`,
  );
}

function taken(path: string, branch: string | undefined): WorkflowError {
  const what = branch === undefined ? "is on no branch" : `has the branch ${JSON.stringify(branch)}`;
  return new WorkflowError("FILE_EXISTS", `There is a worktree at ${JSON.stringify(path)} already, which ${what}. Use another path.`);
}

/** Bytes of a name: git keeps each branch in a file of its name. */
const MAX_BRANCH_BYTES = 200;
const FORBIDDEN = /[\p{Cc} ~^:?*[\\\p{Surrogate}]|\.\.|@\{|\/\/|^\/|\/$|\.$/u;

/** Whether git takes a text as the name of a branch, and no option or other way to name a commit. Source: git, "git-check-ref-format". */
function isBranchName(name: string): boolean {
  if (name === "" || name === "@" || name === "HEAD" || name.startsWith("-") || utf8Length(name) > MAX_BRANCH_BYTES) return false;
  return !FORBIDDEN.test(name) && name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}

/** Whether a text can name a commit and is no option. What it names is git's affair. */
function isRevision(name: string): boolean {
  return name !== "" && !name.startsWith("-") && !/\p{Cc}/u.test(name) && utf8Length(name) <= MAX_BRANCH_BYTES;
}

/** A worktree as git lists it. */
interface ListedWorktree {
  /** Absolute. */
  readonly path: string;
  /** Without `refs/heads/`; nothing for a worktree that is on no branch. */
  readonly branch: string | undefined;
  /** Whether git was making it and did not come to the end. */
  readonly isUnfinished: boolean;
  /** Whether its folder is gone. */
  readonly isGone: boolean;
}

/** Reads what `git worktree list --porcelain -z` writes. */
function parseWorktrees(list: string): readonly ListedWorktree[] {
  return list
    .split("\0\0")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const attributes = new Map<string, string>();
      for (const line of entry.split("\0")) {
        const blank = line.indexOf(" ");
        attributes.set(blank < 0 ? line : line.slice(0, blank), blank < 0 ? "" : line.slice(blank + 1));
      }
      return {
        path: attributes.get("worktree") ?? "",
        branch: attributes.get("branch")?.replace(/^refs\/heads\//, ""),
        isUnfinished: attributes.get("locked") === "initializing",
        isGone: attributes.has("prunable"),
      };
    });
}
