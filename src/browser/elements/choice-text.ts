import type { JsonChoice } from "../../core/model/run.ts";
import type { Messages } from "./messages.ts";

/** A choice as its control names it. */
export function choiceText({ title, const: value }: JsonChoice, { messages }: { readonly messages: Messages }): string {
  if (title) return title;
  if (typeof value === "boolean") return value ? messages.yes : messages.no;
  return typeof value === "string" ? value : JSON.stringify(value);
}
