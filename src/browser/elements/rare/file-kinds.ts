import type { ShownSchema } from "../../../core/model/localize-schema.ts";
import { bytesText } from "../measure-text.ts";
import type { Language } from "../value-text.ts";
import { fieldWordsOf } from "./words.ts";

/** What people call files whose type has a name of its own. */
const NAMES: { readonly [type: string]: string | undefined } = {
  "text/plain": "TXT",
  "image/svg+xml": "SVG",
  "audio/mpeg": "MP3",
  "video/quicktime": "MOV",
  "application/msword": "DOC",
  "application/vnd.ms-excel": "XLS",
  "application/vnd.ms-powerpoint": "PPT",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "XLSX",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PPTX",
  "application/vnd.oasis.opendocument.text": "ODT",
  "application/vnd.oasis.opendocument.spreadsheet": "ODS",
};

/** The kinds of files that a field takes, as people call them: `JPEG, PDF or pictures`. Nothing where it takes any. */
export function fileKinds({ contentMediaType, items }: ShownSchema, language: Language): string | undefined {
  const accept = contentMediaType ?? items?.contentMediaType;
  if (accept === undefined) return undefined;
  const { kinds }: { readonly kinds: { readonly [kind: string]: string | undefined } } = fieldWordsOf(language.messages);
  const named = accept.split(",").flatMap((written): readonly string[] => {
    const type = written.trim().toLowerCase();
    if (type === "*/*") return [];
    const [family = "", kind = ""] = type.startsWith(".") ? ["", type.slice(1)] : type.split("/");
    return [NAMES[type] ?? (kind === "*" ? (kinds[family] ?? family) : kind.replace(/^x-/, "").toUpperCase())];
  });
  return named.length === 0 ? undefined : new Intl.ListFormat(language.locale.tag, { type: "disjunction" }).format(new Set(named));
}

/** What a field says of the files that it takes before one is picked; empty where it takes any. */
export function fileLimits(schema: ShownSchema, language: Language): string {
  const { maxLength } = schema.items ?? schema;
  const size = maxLength === undefined ? "" : bytesText(maxLength, language.locale.tag);
  const kinds = fileKinds(schema, language) ?? "";
  return kinds === "" && size === "" ? "" : fieldWordsOf(language.messages).takes(kinds, size);
}
