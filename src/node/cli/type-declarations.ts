import { relative, resolve } from "node:path";
import type { Workflow } from "../../index.ts";
import type { BlockModule } from "./block-modules.ts";

/** Characters of a line, where a type fits into one. */
const WIDTH = 120;

/**
 * The declarations that make workflows known to TypeScript by their names. Each is its definition as a type, so that the compiler infers from it what it
 * infers from one written with `defineWorkflow`: there is one set of rules for both. Types of own blocks come from their modules, as they are seen from the
 * folder that the declarations will lie in.
 */
export function typeDeclarations(workflows: readonly Workflow[], modules: readonly BlockModule[], folder: string): string {
  const own = modules.length === 0 ? "" : ` & { readonly "~blocks"?: ${typesOf(modules, folder)} }`;
  const members = workflows
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((workflow) => `    readonly ${JSON.stringify(workflow.name)}: ${literalType(workflow, 4)}${own};\n`);
  return `// Written by "wavepoint types". Do not edit.
export {};

declare module "wavepoint" {
  interface KnownWorkflows {
${members.join("")}  }
}
`;
}

/** The list of all block types that modules export. */
function typesOf(modules: readonly BlockModule[], folder: string): string {
  const items = modules.flatMap(({ path, exports }) =>
    exports.map(({ name, isList }) => {
      const type = `(typeof import(${JSON.stringify(specifierOf(path, folder))}))[${JSON.stringify(name)}]`;
      return isList ? `...${type}` : type;
    }),
  );
  return bracketed(["readonly [", "]"], items, { indent: 4, divider: "," });
}

function specifierOf(path: string, folder: string): string {
  const found = relative(folder, resolve(path)).replaceAll("\\", "/");
  return found.startsWith("../") ? found : `./${found}`;
}

/** A value as the type that only it has. */
function literalType(value: unknown, indent: number): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => literalType(item, indent + 2));
    return bracketed(["readonly [", "]"], items, { indent, divider: "," });
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `readonly ${keyText(name)}: ${literalType(member, indent + 2)}`);
  return bracketed(["{", "}"], members, { indent, divider: ";" });
}

/** On one line where that fits. */
function bracketed(
  [open, close]: readonly [string, string],
  parts: readonly string[],
  { indent, divider }: { readonly indent: number; readonly divider: string },
): string {
  const line = `${open} ${parts.join(`${divider} `)} ${close}`;
  if (parts.length === 0) return open + close;
  if (indent + line.length <= WIDTH && !line.includes("\n")) return line;
  const pad = " ".repeat(indent);
  return `${open}\n${parts.map((part) => `${pad}  ${part}${divider}\n`).join("")}${pad}${close}`;
}

function keyText(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
