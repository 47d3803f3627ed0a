// @ts-check
// Knows which page explains a name: what the package exports, error codes, block types.
import { apiPath } from "./api-page.mjs";
import { describe } from "./signatures.mjs";

/**
 * @typedef {object} AddressBook
 * @property {(name: string) => string | undefined} ofExport An exported name, or a member of one: `Run.answer`.
 * @property {(code: string) => string | undefined} ofCode What documents write as code: `run.answer()`, `RESPONSE_INVALID`, `wavepoint/yaml`.
 */

/** What a variable of this name holds in all documents. */
const HOLDERS = new Map([
  ["run", "Run"],
  ["executor", "Executor"],
  ["store", "Store"],
  ["registry", "Registry"],
]);

/**
 * @param {readonly import("./read-api.mjs").Entry[]} entries
 * @param {readonly import("./read-documents.mjs").SourceDocument[]} documents
 * @returns {AddressBook}
 */
export function addressBook(entries, documents) {
  /** @type {Map<string, string>} */
  const exported = new Map();
  /** @type {Map<string, string>} */
  const written = new Map();
  for (const { name, declarations } of entries) {
    written.set(name, apiPath(name));
    for (const declaration of declarations) {
      const place = `${apiPath(name)}#${declaration.name}`;
      if (!exported.has(declaration.name)) exported.set(declaration.name, place);
      for (const member of describe(declaration).members) {
        const full = `${declaration.name}.${member.name}`;
        if (!exported.has(full)) exported.set(full, `${apiPath(name)}#${full}`);
      }
    }
  }
  const errors = documents.find(({ source }) => source === "docs/errors.md");
  for (const [, code = ""] of errors?.text.matchAll(/^\| `([A-Z_]+)`/gm) ?? []) written.set(code, `${errors?.path}#${code}`);
  for (const { source, path, text } of documents) {
    const [, type] = (source.startsWith("docs/reference/blocks/") && /^# (\w+)$/m.exec(text)) || [];
    if (type !== undefined) written.set(type, path);
  }

  return {
    ofExport: (name) => exported.get(name),
    ofCode(code) {
      const known = written.get(code);
      if (known !== undefined) return known;
      const [, holder = "", member = ""] = /^(\w+)\.(\w+)(?:\.\w+)?(?:\(.*\))?$/s.exec(code) ?? [];
      const type = HOLDERS.get(holder);
      if (type !== undefined) return exported.get(`${type}.${member}`);
      const [, name = ""] = /^(\w+)(?:\(.*\))?$/s.exec(code) ?? [];
      return exported.get(name);
    },
  };
}
