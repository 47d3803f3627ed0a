import type { BlockType } from "../ports/block.ts";
import { defineBlock } from "./define-block.ts";
import { checkWorktree, makeWorktree } from "./git-worktree.ts";

/**
 * Makes a worktree of a git repository, where the host granted commands. The worktree that an earlier attempt made is found again. Seed 2,
 * "YAML Workflow Example".
 */
export const createWorktreeBlock: BlockType = defineBlock({
  type: "CreateWorktree",
  description: "Makes a worktree of a git repository.",
  effect: "repeatable",
  needs: ["shell"],
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
  async checkInputs(inputs) {
    return checkWorktree(inputs);
  },
  async execute(context) {
    return makeWorktree(context);
  },
});
