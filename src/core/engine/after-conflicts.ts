import { isConflict } from "../model/errors.ts";

/** How often something is tried where other writers are first again and again. */
const MAX_TRIES = 10;

/**
 * Does what writes to a run; where another writer was first, takes notice of that by `lookAgain` and does it once more. Throws the last conflict,
 * and what else kept it from being stored, once memory has forgotten what was not.
 */
export async function afterConflicts<T>(write: () => Promise<T>, lookAgain: () => Promise<void> = async () => {}): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await write();
    } catch (error) {
      if (isConflict(error) && tried < MAX_TRIES) await lookAgain();
      else {
        // Where the store cannot be read either, the first error is the one to tell.
        await lookAgain().catch(() => {});
        throw error;
      }
    }
  }
}
