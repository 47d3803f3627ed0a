import { isRichForm, richText } from "../../model/encoding.ts";
import { encodedForm } from "./encoded-forms.ts";

/** Characters that a value takes in a journal, its bytes left out. */
export function lengthBesideBytes(value: unknown): number {
  const form = encodedForm(value);
  if (!isRichForm(form)) return JSON.stringify(form)?.length ?? 0;
  const text = richText(form);
  const parts: unknown = JSON.parse(text);
  if (!Array.isArray(parts)) return text.length;
  return parts.reduce((left: number, part: unknown) => left - bytesIn(part), text.length);
}

/** Characters of the base64 in one part of a text of `devalue`. */
function bytesIn(part: unknown): number {
  return Array.isArray(part) && part[0] === "ArrayBuffer" && typeof part[1] === "string" ? part[1].length : 0;
}
