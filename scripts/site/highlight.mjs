// @ts-check
// Colours code when the site is built, so that pages need no script for it.
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import json from "highlight.js/lib/languages/json";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import { escape } from "./escape.mjs";

for (const [name, language] of Object.entries({ bash, css, json, typescript, xml, yaml })) hljs.registerLanguage(name, language);
hljs.registerAliases(["svelte", "vue"], { languageName: "xml" });

/**
 * Code as HTML; plain where the language is not known.
 * @param {string} code
 * @param {string} language As behind a fence: `ts`, `yaml`, `sh`, …
 */
export function highlight(code, language) {
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escape(code);
}

/**
 * Turns the names in a piece of HTML into links, where they stand as text.
 * @param {string} html
 * @param {(name: string) => string | undefined} addressOf
 */
export function linkNames(html, addressOf) {
  return html.replaceAll(/<[^>]*>|&\w+;|[A-Za-z_$][\w$]*/g, (part) => {
    const address = /^[<&]/.test(part) ? undefined : addressOf(part);
    return address === undefined ? part : `<a href="${escape(address)}">${part}</a>`;
  });
}
