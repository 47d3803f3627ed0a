import type { Value } from "./value.ts";

/** What is wrong with one field of an answer. */
export interface FieldError {
  /** Where it stands in the answer, as a JSON Pointer (RFC 6901): `/address/lines/0`; empty for the answer itself. */
  readonly instancePath: string;
  /** The keyword of the schema that it does not meet: `required`, `minLength`, `format`, …; `invalid` where a block says so itself. */
  readonly code: string;
  /** In English, beginning where the name of the field ends: "must not be empty". */
  readonly message: string;
  /**
   * What the message names, for messages in other languages: `limit` (a number), or under the name of the keyword what it asks for: `type`,
   * `enum`, `const`, `pattern`, `format`, `contentMediaType`; of choices with labels `titles`, what people read, beside the values in `enum`.
   */
  readonly params?: { readonly [name: string]: Value };
}
