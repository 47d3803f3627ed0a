export { opfsFiles } from "./files/opfs-files.ts";
export type { OpfsFilesOptions } from "./files/opfs-files.ts";
