export { nodeFiles } from "./files/node-files.ts";
export type { NodeFilesOptions } from "./files/node-files.ts";
export { loadDirectories } from "./load-directories.ts";
export type { DirectoryOptions } from "./load-directories.ts";
export { nodeShell } from "./shell/node-shell.ts";
export type { NodeShellOptions } from "./shell/node-shell.ts";
