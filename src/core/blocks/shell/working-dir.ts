import { parseFilePath } from "../../model/file-path.ts";

/** A folder below the root, as `.` or `a/b`, or as an absolute path that the host looks at. An empty text is the root. Throws `PATH_FORBIDDEN`. */
export function parseFolder(path: string): string {
  const trimmed = withoutEmptyEnd(path);
  if (trimmed === "." || path === "") return ".";
  return parseFilePath(trimmed === "" ? path : trimmed, { absolute: true }).text;
}

/** The path without the "/" and "/." at its end. */
function withoutEmptyEnd(path: string): string {
  let end = path.length;
  for (;;) {
    if (path[end - 1] === "/") end -= 1;
    else if (path[end - 1] === "." && path[end - 2] === "/") end -= 2;
    else return path.slice(0, end);
  }
}
