// @ts-check
// Reads what a TypeScript module declares, with the docstrings, from its text.
import { readFileSync } from "node:fs";
import { parseSync } from "vite";

/**
 * A statement of a module that declares a name. The parser's nodes are plain objects without types of their own.
 * @typedef {Record<string, any>} Node
 */

/**
 * @typedef {object} Declaration
 * @property {string} name
 * @property {string} file
 * @property {readonly Node[]} nodes One, or the overloads of a function.
 * @property {string} doc The docstring without its stars; empty where there is none.
 */

/**
 * @typedef {object} Module
 * @property {string} file
 * @property {string} text
 * @property {readonly Node[]} comments
 * @property {ReadonlyMap<string, Declaration>} declarations
 * @property {ReadonlyMap<string, { readonly from: string; readonly name: string }>} passedOn Exported and imported names, by the name here.
 * @property {readonly string[]} exported
 */

const FUNCTIONS = new Set(["FunctionDeclaration", "TSDeclareFunction"]);

/** @type {Map<string, Module>} */
const modules = new Map();

/**
 * @param {string} file
 * @returns {Module}
 */
export function readModule(file) {
  const known = modules.get(file);
  if (known) return known;
  const text = readFileSync(file, "utf8");
  const { program, comments, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {Map<string, Declaration>} */
  const declarations = new Map();
  const passedOn = new Map();
  const exported = [];
  for (const statement of /** @type {readonly Node[]} */ (program.body)) {
    if (statement.type === "ImportDeclaration") {
      for (const { local, imported } of statement.specifiers) {
        passedOn.set(local.name, { from: statement.source.value, name: imported?.name ?? "*" });
      }
      continue;
    }
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    for (const [name, node] of namesOf(declared)) {
      const before = declarations.get(name);
      if (before && FUNCTIONS.has(node.type)) {
        declarations.set(name, { ...before, nodes: [...before.nodes, node] });
        continue;
      }
      declarations.set(name, { name, file, nodes: [node], doc: docBefore(statement.start, text, comments) });
      if (statement.type === "ExportNamedDeclaration") exported.push(name);
    }
    if (statement.type !== "ExportNamedDeclaration" || statement.declaration) continue;
    for (const { local, exported: name } of statement.specifiers) {
      exported.push(name.name);
      if (statement.source) passedOn.set(name.name, { from: statement.source.value, name: local.name });
      else if (local.name !== name.name) throw new Error(`${file} exports ${local.name} under another name.`);
    }
  }
  const module = { file, text, comments, declarations, passedOn, exported };
  modules.set(file, module);
  return module;
}

/** Forgets what was read, so that changed files are read anew. */
export function forgetModules() {
  modules.clear();
}

/**
 * @param {Node | null} node
 * @returns {readonly (readonly [string, Node])[]}
 */
function namesOf(node) {
  if (node?.type === "VariableDeclaration") return node.declarations.map((/** @type {Node} */ one) => [one.id.name, one]);
  return typeof node?.id?.name === "string" ? [[node.id.name, node]] : [];
}

/**
 * The docstring that ends where something starts.
 * @param {number} start
 * @param {string} text
 * @param {readonly Node[]} comments
 */
export function docBefore(start, text, comments) {
  const comment = comments.findLast(({ end }) => end <= start);
  if (!comment || comment.type !== "Block" || !comment.value.startsWith("*") || text.slice(comment.end, start).trim() !== "") return "";
  return comment.value
    .slice(1)
    .split("\n")
    .map((/** @type {string} */ line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}
