export { nodeFiles } from "./files/node-files.ts";
export type { NodeFilesOptions } from "./files/node-files.ts";
