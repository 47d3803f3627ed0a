export { nodeFiles } from "./files/node-files.ts";
export type { NodeFilesOptions } from "./files/node-files.ts";
export { httpListener } from "./http-listener.ts";
export type { HttpListener } from "./http-listener.ts";
export { loadDirectories } from "./load-directories.ts";
export type { DirectoryOptions } from "./load-directories.ts";
export { nodeShell } from "./shell/node-shell.ts";
export type { NodeShellOptions } from "./shell/node-shell.ts";
