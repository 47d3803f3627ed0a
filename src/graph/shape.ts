/** A part of a picture as data: pages make elements of it, the export a text. */
export interface Shape {
  readonly tag: string;
  readonly attributes: { readonly [name: string]: string | number | undefined };
  readonly children: readonly (Shape | string)[];
}

export function shape(tag: string, attributes: Shape["attributes"], ...children: Shape["children"]): Shape {
  return { tag, attributes, children };
}

/** A shape as XML, in which every value stays a value. */
export function writeShape({ tag, attributes, children }: Shape): string {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escape(String(value))}"`],
  );
  if (children.length === 0) return `<${tag}${written.join("")}/>`;
  return `<${tag}${written.join("")}>${children.map((child) => (typeof child === "string" ? escape(child) : writeShape(child))).join("")}</${tag}>`;
}

/** Most values, looked at once. */
const PLAIN = /^[\w #%(),./:=-]*$/;

/** Text for XML: what has a meaning there is written as an entity, what cannot stand there is left out. */
function escape(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g, "")
    .replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
