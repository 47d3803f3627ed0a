import { OPERATIONS, type OperationName } from "./protocol/operations.ts";

/** Where an address leads. */
export interface Route {
  readonly operation: OperationName;
  /** The members of the input that are in the address. */
  readonly parameters: { readonly [name: string]: string };
}

const LINES = Object.entries(OPERATIONS).map(([name, { verb, path }]) => ({
  operation: name as OperationName,
  verb,
  parts: path.split("/").slice(1),
}));

/** Returns the operation of a request; the allowed verbs if the address does not know this one; nothing for an unknown address. */
export function findRoute(verb: string, path: string): Route | readonly string[] | undefined {
  const given = path.split("/").slice(1);
  const found = LINES.flatMap(({ parts, ...line }) => {
    const parameters = matchParts(parts, given);
    return parameters ? [{ ...line, parameters }] : [];
  });
  if (found.length === 0) return undefined;
  return found.find((line) => line.verb === verb) ?? found.map((line) => line.verb);
}

function matchParts(parts: readonly string[], given: readonly string[]): Route["parameters"] | undefined {
  if (parts.length !== given.length) return undefined;
  const parameters: [string, string][] = [];
  for (const [i, part] of parts.entries()) {
    if (!part.startsWith("{")) {
      if (part !== given[i]) return undefined;
      continue;
    }
    const value = decodePart(given[i]!);
    if (value === undefined || value === "") return undefined;
    parameters.push([part.slice(1, -1), value]);
  }
  return Object.fromEntries(parameters);
}

function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign without its two digits.
    return undefined;
  }
}
