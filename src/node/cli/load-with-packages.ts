import { WorkflowError } from "../../index.ts";

/** Loads what needs packages that are the user's to install. Throws `COMMAND_INVALID` that names them. */
export async function loadWithPackages<T>(command: string, packages: readonly string[], load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message = `wavepoint ${command} needs more packages: npm install ${packages.join(" ")}`;
    throw new WorkflowError("COMMAND_INVALID", message, { cause: error });
  }
}
