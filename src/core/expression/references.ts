import { isReference } from "./scope.ts";
import type { Condition, Reference, Template } from "./syntax.ts";

/** Every reference of a template, nested ones after the one that holds them. */
export function templateReferences(template: Template): readonly Reference[] {
  const found: Reference[] = [];
  mapTemplate(template, collect(found));
  return found;
}

/** Every reference of a condition, nested ones after the one that holds them. */
export function conditionReferences(condition: Condition): readonly Reference[] {
  const found: Reference[] = [];
  mapCondition(condition, collect(found));
  return found;
}

/** The template with each of its references replaced; nested ones are the business of `replace`. */
export function mapTemplate(template: Template, replace: (reference: Reference) => Reference): Template {
  return { parts: template.parts.map((part) => (typeof part === "string" ? part : replace(part))) };
}

/** The condition with each of its references replaced; nested ones are the business of `replace`. */
export function mapCondition(node: Condition, replace: (reference: Reference) => Reference): Condition {
  switch (node.kind) {
    case "literal":
      return node;
    case "reference":
      return { kind: "reference", reference: replace(node.reference) };
    case "text":
      return { kind: "text", template: mapTemplate(node.template, replace) };
    case "list":
      return { kind: "list", items: node.items.map((item) => mapCondition(item, replace)) };
    case "not":
      return { kind: "not", operand: mapCondition(node.operand, replace) };
    case "and":
    case "or":
      return { kind: node.kind, operands: node.operands.map((operand) => mapCondition(operand, replace)) };
    case "comparison":
      return { ...node, operands: node.operands.map((operand) => mapCondition(operand, replace)) };
  }
}

function collect(found: Reference[]): (reference: Reference) => Reference {
  const add = (reference: Reference): Reference => {
    found.push(reference);
    for (const part of reference.path) if (isReference(part)) add(part);
    return reference;
  };
  return add;
}
