import { restoreLongTexts } from "../corpus/hostile/generate.ts";

/** A path that was written to get somewhere, and what must become of it. */
export interface HostilePath {
  readonly path: string;
  readonly why: string;
  /** Whether it names a file like any other. */
  readonly isTaken: boolean;
}

/** The rows of a table of hostile paths that name one path each. */
export function hostilePaths(table: string): readonly HostilePath[] {
  const { rows } = restoreLongTexts(JSON.parse(table)) as {
    readonly rows: readonly { readonly in_: string; readonly why: string; readonly expect: string }[];
  };
  return rows
    .filter(({ expect }) => expect !== "documented")
    .map(({ in_: path, why, expect }) => ({ path, why, isTaken: expect !== "reject" }));
}
