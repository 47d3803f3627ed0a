import { utf8Length } from "../../model/utf8.ts";

/** Bytes of a name: git keeps each branch in a file of its name. */
const MAX_BRANCH_BYTES = 200;
const FORBIDDEN = /[\p{Cc} ~^:?*[\\\p{Surrogate}]|\.\.|@\{|\/\/|^\/|\/$|\.$/u;

/** Whether git takes a text as the name of a branch, and no option or other way to name a commit. Source: git, "git-check-ref-format". */
export function isBranchName(name: string): boolean {
  if (name === "" || name === "@" || name === "HEAD" || name.startsWith("-") || utf8Length(name) > MAX_BRANCH_BYTES) return false;
  return !FORBIDDEN.test(name) && name.split("/").every((part) => !part.startsWith(".") && !part.endsWith(".lock"));
}

/** Whether a text can name a commit and is no option. What it names is git's affair. */
export function isRevision(name: string): boolean {
  return name !== "" && !name.startsWith("-") && !/\p{Cc}/u.test(name) && utf8Length(name) <= MAX_BRANCH_BYTES;
}
