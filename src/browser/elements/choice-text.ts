import type { Value } from "../../core/model/value.ts";
import type { Messages } from "./messages.ts";

/** A choice as its control names it. */
export function choiceText(choice: Value, { messages }: { readonly messages: Messages }): string {
  if (typeof choice === "boolean") return choice ? messages.yes : messages.no;
  return typeof choice === "string" ? choice : JSON.stringify(choice);
}
