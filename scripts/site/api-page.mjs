// @ts-check
// Writes the page of a public subpath: what it exports, with signatures and docstrings.
import { describe } from "./signatures.mjs";

/** @typedef {import("./read-api.mjs").Entry} Entry */
/** @typedef {import("./read-module.mjs").Declaration} Declaration */

/** @type {readonly { readonly title: string, readonly kinds: readonly string[] }[]} */
const GROUPS = [
  { title: "Functions", kinds: ["function"] },
  { title: "Classes", kinds: ["class"] },
  { title: "Values", kinds: ["value"] },
  { title: "Types", kinds: ["interface", "type"] },
];

/**
 * Where the page of a subpath stands.
 * @param {string} name `wavepoint/store/memory`
 */
export function apiPath(name) {
  return `api/${name === "wavepoint" ? name : name.replace("wavepoint/", "").replaceAll("/", "-")}.html`;
}

/**
 * @typedef {object} Markup How pieces of a page are written.
 * @property {(text: string) => string} prose A docstring.
 * @property {(code: string) => string} code A signature, its names linked.
 * @property {(text: string) => string} escape
 */

/**
 * The inside of the page, and its sections for the list of contents and the search.
 * @param {Entry} entry
 * @param {string} introduction What the subpath is for, as Markdown.
 * @param {Markup} markup
 */
export function writeApiPage({ name, declarations, elsewhere }, introduction, { prose, code, escape }) {
  const described = declarations.map((declaration) => ({ ...declaration, ...describe(declaration) }));
  const sections = [{ id: "top", title: name, depth: 1, text: introduction }];
  const parts = [`<h1 id="top"><code>${escape(name)}</code></h1>`, prose(introduction)];
  for (const { title, kinds } of GROUPS) {
    const group = described.filter(({ kind }) => kinds.includes(kind));
    if (group.length === 0) continue;
    const id = title.toLowerCase();
    sections.push({ id, title, depth: 2, text: "" });
    parts.push(`<h2 id="${id}">${title}</h2>`);
    for (const { name: own, kind, signature, doc, members } of group) {
      sections.push({ id: own, title: own, depth: 3, text: doc });
      parts.push(
        `<section class="export" aria-labelledby="${own}">`,
        `<h3 id="${own}"><code>${own}</code> <span class="kind">${kind}</span> <a class="anchor" href="#${own}" aria-label="Link to “${own}”">#</a></h3>`,
        prose(doc),
        `<pre class="code"><code>${code(signature)}</code></pre>`,
      );
      if (members.length > 0) parts.push(`<dl class="members">`);
      for (const member of members) {
        const place = `${own}.${member.name}`;
        sections.push({ id: place, title: place, depth: 4, text: member.doc });
        parts.push(
          `<dt id="${escape(place)}"><code>${code(member.signature.replace(/^readonly /, ""))}</code></dt>`,
          `<dd>${prose(member.doc)}</dd>`,
        );
      }
      if (members.length > 0) parts.push("</dl>");
      parts.push("</section>");
    }
  }
  if (elsewhere.length > 0) {
    const links = elsewhere.map((other) => `\`${other.name}\` is described at \`${other.entry}\`.`);
    parts.push(`<h2 id="also">Also here</h2>`, prose(links.join("\n")));
    sections.push({ id: "also", title: "Also here", depth: 2, text: "" });
  }
  return { html: parts.join("\n"), sections };
}
