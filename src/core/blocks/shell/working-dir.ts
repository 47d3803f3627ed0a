import { parseFilePath } from "../../model/file-path.ts";

/** A folder below the root, as `.` or `a/b`. An empty text is the root. Throws `PATH_FORBIDDEN`. */
export function parseFolder(path: string): string {
  const trimmed = path.replace(/(?:\/+\.?)+$/, "");
  if (trimmed === "." || path === "" || path === ".") return ".";
  return parseFilePath(trimmed === "" ? path : trimmed).text;
}
