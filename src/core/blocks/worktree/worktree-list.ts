/** A worktree as git lists it. */
export interface ListedWorktree {
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
export function parseWorktrees(list: string): readonly ListedWorktree[] {
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
