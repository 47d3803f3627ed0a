import { WorkflowError } from "../../model/errors.ts";
import { showPath } from "../../model/file-path.ts";
import type { BlockContext } from "../../ports/block.ts";
import type { Files } from "../../ports/files.ts";
import type { Values } from "../../model/value.ts";

/** Where a block looks for a file: in the folder that the host granted, or among the files of its run. */
export const IN = {
  type: "string",
  enum: ["folder", "run"],
  default: "folder",
  description: "`run`: a file of the run, by its name, which needs no grant. `folder`: a file below the root of the host's files.",
} as const;

/** What a block with the input {@link IN} needs from the host, by its inputs as they are written. */
export function needsFolder({ in: place }: Values): readonly "files"[] {
  return place === "run" ? [] : ["files"];
}

/** The files in which a block is to read and write. `type` is the media type of what it writes to the run. */
export function filesIn(place: "folder" | "run", context: BlockContext<unknown>, type?: string): Files {
  if (place === "run") return runFolder(context.files, type);
  if (context.grants.files) return context.grants.files;
  // A reference said so, which is not known at load.
  throw new WorkflowError(
    "CAPABILITY_MISSING",
    `Block "${context.block}" needs "files", which this executor was not granted. Write in: run for a file of the run.`,
  );
}

/** The files of a run as those of a host: names are all there is of their paths. */
function runFolder(files: BlockContext<unknown>["files"], type: string | undefined): Files {
  return {
    async read(path, { maxBytes = Infinity } = {}) {
      const { name, bytes } = await files.read(path);
      if (bytes.length <= maxBytes) return { path: name, bytes };
      throw new WorkflowError("FILE_REFUSED", `${showPath(name)} has ${bytes.length} bytes; ${maxBytes} are allowed here.`);
    },
    async write(path, bytes, { overwrite = false } = {}) {
      const known = (await files.list()).find(({ name }) => name === path);
      if (known && !overwrite) {
        throw new WorkflowError(
          "FILE_EXISTS",
          `There is a file ${showPath(path)} in this run already. Choose another name, or set overwrite: true.`,
        );
      }
      const { name, size } = await files.write(path, bytes, { type: type ?? known?.type ?? "" });
      return { path: name, sizeBytes: size, created: known === undefined };
    },
  };
}
