import { WorkflowError } from "../model/errors.ts";
import { parseFilePath, parseFolder } from "../model/file-path.ts";
import { utf8Length } from "../model/utf8.ts";
import { type BlockContext, type BlockType, success } from "../ports/block.ts";
import type { ShellOutcome } from "../ports/shell.ts";
import { defineBlock } from "./define-block.ts";
import { problemsOf } from "./input-problems.ts";

/** Milliseconds for one call of git: a large repository takes its time to be written out. */
const TIMEOUT_MS = 600_000;

/**
 * Makes a worktree of a git repository, where the host granted commands. The worktree that an earlier attempt made is found again. Seed 2,
 * "YAML Workflow Example".
 */
export const createWorktreeBlock: BlockType = defineBlock({
  type: "CreateWorktree",
  description: "Makes a worktree of a git repository.",
  effect: "repeatable",
  needs: ["shell"],
  channels: {},
  inputs: {
    jsonSchema: {
      type: "object",
      properties: {
        branch: { type: "string", minLength: 1, description: "The branch in it. Made where there is none of this name." },
        path: {
          type: "string",
          minLength: 1,
          description: "Where it will be, below the root that the host grants. Missing folders on the way are made.",
        },
        base: {
          type: "string",
          description: "A branch, a tag or a hash that a new branch starts from. Default: what the repository has checked out.",
        },
        repository: { type: "string", default: ".", description: "A folder in the repository, below the root that the host grants." },
      },
      required: ["branch", "path"],
      additionalProperties: false,
    },
  },
  outputs: {
    jsonSchema: {
      type: "object",
      properties: {
        path: { type: "string", description: "Where the worktree is, below the root; `working_dir` of a Shell block takes it." },
        branch: { type: "string", description: "The branch in it." },
        commit: { type: "string", description: "The hash of the commit that is checked out." },
        created_branch: { type: "boolean", description: "Whether the branch was made." },
        success: { type: "boolean", description: "`true`." },
      },
      required: ["path", "branch", "commit", "created_branch", "success"],
    },
  },
  checkInputs(inputs) {
    return Object.entries(ASSERTIONS).flatMap(([input, assert]) => {
      const text = inputs[input];
      return typeof text === "string" ? problemsOf(input, () => assert(text)) : [];
    });
  },
  async execute(context) {
    const { branch, path, base, repository } = context.inputs;
    assertBranch(branch);
    if (base !== undefined) assertBase(base);
    const place = parsePath(path);
    const folder = parseFolder(repository);
    const target = await resolveTarget(context, place);
    const found = await run(context, ["git", "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`], folder);
    const hadBranch = found.exitCode === 0;
    const list = await outputOf(context, ["git", "worktree", "list", "--porcelain", "-z"], folder);
    const known = parseWorktrees(list).find((listed) => listed.path === target);
    if (known?.isUnfinished) await outputOf(context, ["git", "worktree", "remove", "--force", "--force", "--", target], folder);
    const isThere = known !== undefined && !known.isUnfinished && !known.isGone;
    if (isThere && known.branch !== branch) throw taken(path, known.branch);
    const what = hadBranch ? ["--", target, branch] : ["-b", branch, "--", target, ...(base === undefined ? [] : [base])];
    if (!isThere) await outputOf(context, ["git", "worktree", "add", ...what], folder);
    const commit = await outputOf(context, ["git", "rev-parse", "--verify", "HEAD"], place);
    return success({ path: place, branch, commit: commit.trim(), created_branch: !hadBranch && !isThere, success: true });
  },
});

type Context = Pick<BlockContext<unknown>, "grants" | "signal">;

/** What a program writes. Throws `BLOCK_FAILED` with its last words where it fails. */
async function outputOf(context: Context, command: readonly string[], workingDir: string): Promise<string> {
  const { ended, exitCode, stdout, stderr } = await run(context, command, workingDir);
  if (ended === "exit" && exitCode === 0) return stdout;
  const reason = ended === "exit" ? `exit code ${exitCode}` : ended;
  throw new WorkflowError("BLOCK_FAILED", `${command.slice(0, 3).join(" ")} failed (${reason}). It wrote: ${stderr.trim().slice(-1_000)}`);
}

function run({ grants, signal }: Context, command: readonly string[], workingDir: string): Promise<ShellOutcome> {
  return grants.shell!.run({ command, workingDir, timeoutMs: TIMEOUT_MS, signal });
}

/**
 * The absolute path of the worktree. The folders on the way are made one by one, each in the one before: a link among them that leads
 * outside of the root is refused before anything is made behind it.
 */
async function resolveTarget(context: Context, place: string): Promise<string> {
  const parts = place.split("/");
  const name = parts.pop()!;
  let folder = ".";
  for (const part of parts) {
    await outputOf(context, ["mkdir", "-p", "--", part], folder);
    folder = folder === "." ? part : `${folder}/${part}`;
  }
  const parent = (await outputOf(context, ["pwd", "-P"], folder)).replace(/\n$/, "");
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

/** What is asked of each input, as far as it is known before the block runs. */
const ASSERTIONS: { readonly [input: string]: (text: string) => unknown } = {
  branch: assertBranch,
  path: parsePath,
  base: assertBase,
  repository: parseFolder,
};

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
