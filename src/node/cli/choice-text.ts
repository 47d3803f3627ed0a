import type { JsonChoice } from "../../index.ts";
import { plainLine } from "./plain-text.ts";

/** A choice as a person picks it: its label, with the explanation where there is one, else its value. */
export function choiceText({ const: value, title, description }: JsonChoice): string {
  const name = title ?? (typeof value === "string" ? value : JSON.stringify(value));
  return plainLine(description === undefined ? name : `${name} (${description})`);
}
