import { readDocuments } from "./documents.ts";

/** The rows of the tables below a heading, up to the next heading of any level; each row as its cells. */
export function rowsBelow(path: string, heading: string): readonly (readonly string[])[] {
  const document = readDocuments().find((one) => one.path === path);
  const [, below] = document?.text.split(new RegExp(`^#+ ${heading}$`, "m")) ?? [];
  if (below === undefined) throw new Error(`${path} has no heading "${heading}".`);
  const section = below.split(/^#+ /m)[0]!;
  const tables = [...section.matchAll(/^\|.+\n\| -.*\n((?:\|.*\n)+)/gm)].flatMap(([, body]) => body!.trimEnd().split("\n"));
  if (tables.length === 0) throw new Error(`${path} has no table below "${heading}".`);
  return tables.map((line) =>
    line
      .slice(1, -1)
      .split(" | ")
      .map((cell) => cell.trim()),
  );
}

/** The names that a cell shows as code, without what follows them in brackets. */
export function namesIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`(?:context\.)?([\w./-]+)[^`]*`/g)].map(([, name]) => name!);
}

/** The names in the first cells of those tables. */
export function namesBelow(path: string, heading: string): readonly string[] {
  return rowsBelow(path, heading).flatMap(([first]) => namesIn(first!));
}
