import { WorkflowError } from "../core/model/errors.ts";
import { MAX_WORKFLOW_TEXT } from "../core/model/limits.ts";

/** Bytes that a workflow text may take before its characters are counted: no character takes more than three for each of its code units. */
export const MAX_WORKFLOW_BYTES: number = 3 * (MAX_WORKFLOW_TEXT + 1);

/** The text that bytes hold. Throws `FILE_ENCODING` for what is not UTF-8. */
export function decodeWorkflow(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new WorkflowError("FILE_ENCODING", "This is no text in UTF-8. Save it as UTF-8.", { cause: error });
  }
}

/** The error for a text that is too large to be read at all. */
export function tooLarge(): WorkflowError {
  return new WorkflowError(
    "LIMIT_EXCEEDED",
    `This is longer than ${MAX_WORKFLOW_TEXT} characters, the most a workflow may have. Split it.`,
    {
      details: { limit: MAX_WORKFLOW_TEXT },
    },
  );
}

const NAME_LINE = /^(?:\{\s*)?["']?name["']?\s*:\s*["']?([A-Za-z0-9_-]+)/m;

/** The name that a text gives its workflow, as far as that can be told of a text that may be no workflow at all. */
export function nameInText(text: string): string | undefined {
  return NAME_LINE.exec(text)?.[1];
}
