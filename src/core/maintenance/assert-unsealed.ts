import { WorkflowError } from "../model/errors.ts";
import type { RunHead } from "../model/run.ts";

/**
 * Refuses to change what is sealed and was not opened: the store is an encrypted one, and the caller has not given its key. A change would
 * look like tampering to those who have the key. Throws `STORE_KEY_WRONG`.
 */
export function assertUnsealed({ id, sealed }: Pick<RunHead, "id" | "sealed">): void {
  if (sealed === undefined) return;
  throw new WorkflowError(
    "STORE_KEY_WRONG",
    `This store is encrypted, and it was opened without its key. Nothing was changed; open it with encryptedStore and its key or passphrase.`,
    { details: { run: id } },
  );
}
