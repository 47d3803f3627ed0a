import { stat } from "node:fs/promises";
import { sep } from "node:path";
import { WorkflowError } from "../../core/model/errors.ts";
import { showPath } from "../../core/model/file-path.ts";
import { identityOf } from "./folder.ts";
import type { Folder } from "./folder.ts";

/**
 * Keeps files out of folders. Compares the text of a path, ignoring case, for folders that do not exist yet. Compares the identity of each folder on the way,
 * so no other name of a folder leads in. Throws `PATH_FORBIDDEN`.
 */
export function reservedFolders(places: readonly string[]): (target: string, path: string) => Promise<(folder: Folder) => Promise<void>> {
  const texts = places.map((place) => place.toLowerCase());
  return async (target, path) => {
    const forbidden = (): WorkflowError =>
      new WorkflowError(
        "PATH_FORBIDDEN",
        `The path ${showPath(path)} leads into a folder that the host keeps for itself. Use another path.`,
      );
    const wanted = target.toLowerCase();
    if (texts.some((text) => wanted === text || wanted.startsWith(text + sep))) throw forbidden();
    const kept = new Set(await Promise.all(places.map(identify)));
    return async (folder) => {
      if (kept.size > 0 && kept.has(await folder.identity())) throw forbidden();
    };
  };
}

async function identify(place: string): Promise<string | undefined> {
  try {
    return identityOf(await stat(place, { bigint: true }));
  } catch {
    // A folder that does not exist yet is recognised by its name.
    return undefined;
  }
}
