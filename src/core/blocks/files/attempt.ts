import { errorData } from "../../model/errors.ts";
import { failure } from "../../ports/block.ts";
import type { BlockResult } from "../../ports/block.ts";

/** What the work gives, or its error as a failure. What a host's own files throw without a code is `FILE_FAILED`. */
export async function attempt<Outputs>(work: () => Promise<BlockResult<Outputs>>): Promise<BlockResult<Outputs>> {
  try {
    return await work();
  } catch (thrown) {
    return failure(errorData(thrown, "FILE_FAILED"));
  }
}
