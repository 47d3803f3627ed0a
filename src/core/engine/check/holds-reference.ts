import type { Value } from "../../model/value.ts";

/** Whether a value as a definition writes it holds a reference, so that it is only known at run time. */
export function holdsReference(value: Value): boolean {
  if (typeof value === "string") return value.includes("${");
  return typeof value === "object" && value !== null && Object.values(value).some(holdsReference);
}
