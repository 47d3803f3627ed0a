// @ts-check
// Writes declarations as their users need them: without bodies, comments and what is private.
import { docBefore, readModule } from "./read-module.mjs";

/** @typedef {import("./read-module.mjs").Declaration} Declaration */
/** @typedef {import("./read-module.mjs").Node} Node */

/**
 * @typedef {object} Member
 * @property {string} name
 * @property {string} signature
 * @property {string} doc
 */

/**
 * @typedef {object} Described
 * @property {"function" | "class" | "interface" | "type" | "value"} kind
 * @property {string} signature
 * @property {readonly Member[]} members Of an interface or class.
 */

/**
 * @param {Declaration} declaration
 * @returns {Described}
 */
export function describe({ name, file, nodes }) {
  const { text, comments } = readModule(file);
  const [node] = /** @type {[Node]} */ (nodes);
  const cut = (/** @type {number} */ start, /** @type {number} */ end) => text.slice(start, end).trim();
  switch (node.type) {
    case "FunctionDeclaration":
    case "TSDeclareFunction": {
      const overloads = nodes.length > 1 ? nodes.filter(({ body }) => !body) : nodes;
      return { kind: "function", signature: overloads.map((one) => headOf(one, cut)).join("\n"), members: [] };
    }
    case "TSInterfaceDeclaration":
      return {
        kind: "interface",
        signature: oneLine(cut(node.start, node.body.start)),
        members: membersOf(node.body.body, text, comments),
      };
    case "ClassDeclaration":
      return {
        kind: "class",
        signature: oneLine(cut(node.start, node.body.start)),
        members: membersOf(node.body.body.filter(isPublic), text, comments),
      };
    case "TSTypeAliasDeclaration":
      return { kind: "type", signature: cut(node.start, node.end), members: [] };
    case "VariableDeclarator": {
      const { typeAnnotation } = node.id;
      const type = typeAnnotation ? oneLine(cut(typeAnnotation.start, typeAnnotation.end)) : "";
      return { kind: "value", signature: `const ${name}${type};`, members: [] };
    }
    default:
      throw new Error(`${file}: cannot show ${name}, a ${node.type}.`);
  }
}

/**
 * @param {Node} node
 * @param {(start: number, end: number) => string} cut
 */
function headOf(node, cut) {
  const head = cut(node.start, node.body?.start ?? node.end).replace(/^(?:declare |async )+/, "");
  return head.endsWith(";") ? head : `${head};`;
}

/** @param {Node} member */
function isPublic({ key, accessibility, type }) {
  if (type === "StaticBlock") return false;
  return key?.type !== "PrivateIdentifier" && accessibility !== "private" && accessibility !== "protected";
}

/**
 * @param {readonly Node[]} nodes
 * @param {string} text
 * @param {readonly Node[]} comments
 * @returns {readonly Member[]}
 */
function membersOf(nodes, text, comments) {
  /** @type {Member[]} */
  const members = [];
  for (const node of nodes) {
    const doc = docBefore(node.start, text, comments);
    if (/@internal\b/.test(doc)) continue;
    const body = node.value?.body ?? (node.type === "PropertyDefinition" ? node.value : undefined);
    const signature = dedent(
      text
        .slice(node.start, body?.start ?? node.end)
        .replace(/\s*=?\s*$/, "")
        .replace(/;$/, ""),
    );
    const name = node.key?.name ?? node.key?.value ?? "";
    const before = members.at(-1);
    // Overloads are one member.
    if (before && before.name === name && name !== "" && doc === "")
      members[members.length - 1] = { ...before, signature: `${before.signature}\n${signature}` };
    else members.push({ name: String(name), signature, doc });
  }
  return members;
}

/** @param {string} text */
function oneLine(text) {
  return text.replaceAll(/\s+/g, " ").trim();
}

/**
 * The lines behind the first are indented as the member was.
 * @param {string} text
 */
function dedent(text) {
  return text.replaceAll("\n  ", "\n");
}
