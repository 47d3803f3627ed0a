import { WorkflowError } from "./errors.ts";
import { adviseName } from "./suggestions.ts";
import { isRecord } from "./value.ts";

/** Every key that options may have: the compiler sees to it that none is left out. */
export type OptionNames<Options> = { readonly [name in keyof Options]-?: true };

/**
 * Throws `KEY_UNKNOWN` for an unknown key in options, naming the nearest known one, and for options that are no object. Of `names` the keys count.
 */
export function assertOptions<Options extends object>(
  of: string,
  given: Options | undefined,
  names: { readonly [name in keyof Options]-?: unknown },
): void {
  if (given === undefined) return;
  if (!isRecord(given)) throw new WorkflowError("KEY_UNKNOWN", `The options of ${of} are an object: { ${Object.keys(names).join(", ")} }.`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return;
  const { sentence, details } = adviseName(unknown, Object.keys(names));
  throw new WorkflowError("KEY_UNKNOWN", `${of} has no option "${unknown.slice(0, 100)}".${sentence}`, {
    details: { option: unknown, ...details },
  });
}
