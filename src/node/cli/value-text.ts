import { stringify } from "yaml";
import type { Values } from "../../index.ts";
import { plainText } from "./plain-text.ts";

/** Named values as YAML that a person reads and a program can. */
export function valuesText(values: Values): string {
  return Object.keys(values).length === 0 ? "" : plainText(stringify(values, { lineWidth: 0 }));
}
