import { relative, resolve } from "node:path";
import type { Workflow } from "../../index.ts";
import type { BlockModule } from "./block-modules.ts";

/** The most characters of a type on one line. */
const WIDTH = 120;

/**
 * Returns the declarations that make workflows known to TypeScript by name. Each is the definition as a type, so the compiler infers the same as from
 * `defineWorkflow`. Types of your own blocks come from their modules, with paths from the folder of the declarations.
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

/** Writes it on one line if it fits. */
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
