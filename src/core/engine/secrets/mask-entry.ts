import type { ErrorData } from "../../model/errors.ts";
import type { Entry } from "../../model/journal.ts";
import type { JsonSchema } from "../../model/run.ts";
import { isRecord } from "../../model/value.ts";
import { maskSchema } from "./mask-schema.ts";
import { maskValue } from "./mask-value.ts";
import type { Masker } from "./masker.ts";

/** An entry as it goes into the journal, and as the run keeps it. */
export interface MaskedEntry {
  readonly entry: Entry;
  readonly decoded: Entry;
  /** The entry as JSON. */
  readonly text: string;
}

/** Members that are the engine's own and never hold what a block or a person gave. */
const OWN_MEMBERS: ReadonlySet<string> = new Set([
  "type",
  "block",
  "workflow",
  "definition",
  "status",
  "parent",
  "callers",
  "path",
  "asks",
  "about",
  "action",
  "by",
]);

/**
 * An entry with all secrets in it masked. `decoded` is the same entry with values as blocks see them: what the journal cannot hold as plain JSON
 * was masked when it was encoded. Nothing where there is no secret.
 */
export function maskEntry(entry: Entry, decoded: Entry, masker: Masker): MaskedEntry | undefined {
  const inJournal: { [member: string]: unknown } = { ...entry };
  const inMemory: { [member: string]: unknown } = { ...decoded };
  let isSame = true;
  let isTwin = true;
  for (const [member, value] of Object.entries(decoded) as [string, unknown][]) {
    if (inJournal[member] !== value) {
      isTwin = false;
      continue;
    }
    const masked = maskMember(member, value, masker);
    if (masked === value) continue;
    isSame = false;
    inMemory[member] = masked;
    inJournal[member] = masked;
  }
  if (isSame) return undefined;
  const made = inJournal as unknown as Entry;
  return { entry: made, decoded: isTwin ? made : (inMemory as unknown as Entry), text: JSON.stringify(made) };
}

function maskMember(member: string, value: unknown, masker: Masker): unknown {
  if (OWN_MEMBERS.has(member) || typeof value === "number") return value;
  if (member === "schema") return maskSchema(value as JsonSchema, masker);
  if (member === "reason" && isRecord(value))
    return { ...value, ...("condition" in value ? { condition: masker.text(String(value["condition"])) } : {}) };
  if (member === "error" && isRecord(value)) return maskErrorData(value as unknown as ErrorData, masker);
  return maskValue(value, masker);
}

/** An error with what is secret in it masked; its message may have been cut in the middle of a secret. */
export function maskErrorData({ code, message, ...rest }: ErrorData, masker: Masker): ErrorData {
  return { code, message: masker.text(message, { isCut: true }), ...(maskValue(rest, masker) as Partial<ErrorData>) };
}
