import type { Condition, Reference, Template } from "../../src/core/expression/syntax.ts";

/** A condition as text: parsing it gives the same tree, columns left out of account. */
export function printCondition(node: Condition): string {
  switch (node.kind) {
    case "literal":
      return typeof node.value === "string" ? printQuoted({ parts: [node.value] }) : String(node.value);
    case "list":
      return `[${node.items.map(printCondition).join(", ")}]`;
    case "reference":
      return printReference(node.reference);
    case "text":
      return printQuoted(node.template);
    case "not":
      return `not ${isJoined(node.operand) ? inParentheses(node.operand) : printCondition(node.operand)}`;
    case "and":
    case "or":
      return node.operands
        .map((operand) =>
          operand.kind === node.kind || (node.kind === "and" && operand.kind === "or") ? inParentheses(operand) : printCondition(operand),
        )
        .join(` ${node.kind} `);
    case "comparison": {
      const [first, ...rest] = node.operands.map((operand) =>
        isJoined(operand) || operand.kind === "not" || operand.kind === "comparison" ? inParentheses(operand) : printCondition(operand),
      );
      return [first, ...rest.map((operand, i) => `${node.comparators[i]!.comparator} ${operand}`)].join(" ");
    }
  }
}

/** A template as text. A text that ends with `$` cannot stand before a reference: `$${` is how a literal `${` is written. */
export function printTemplate({ parts }: Template): string {
  return parts.map((part) => (typeof part === "string" ? part.replaceAll("${", () => "$${") : printReference(part))).join("");
}

function printReference({ path }: Reference): string {
  const [root, ...rest] = path;
  return `\${${String(root)}${rest.map(printPart).join("")}}`;
}

function printPart(part: Reference["path"][number]): string {
  if (typeof part === "number") return `[${part}]`;
  if (typeof part === "object") return `.${printReference(part)}`;
  return /^[\p{ID_Continue}-]+$/u.test(part) ? `.${part}` : `["${escape(part)}"]`;
}

function printQuoted({ parts }: Template): string {
  return `"${parts.map((part) => (typeof part === "string" ? escape(part) : printReference(part))).join("")}"`;
}

/** Every character that means something in quotes, as its number. */
function escape(text: string): string {
  return text.replaceAll(/["\\$\p{C}]/gu, (character) =>
    Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
}

function isJoined({ kind }: Condition): boolean {
  return kind === "and" || kind === "or";
}

function inParentheses(node: Condition): string {
  return `(${printCondition(node)})`;
}
