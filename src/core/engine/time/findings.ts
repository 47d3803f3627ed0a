import type { RevisionPreview } from "../../model/revision.ts";

/** What the blocks of a run would do, by kind. */
export type Findings = { readonly [Kind in keyof RevisionPreview]: Set<string> };

export function noFindings(): Findings {
  return {
    kept: new Set(),
    asked: new Set(),
    rerun: new Set(),
    effects: new Set(),
    once: new Set(),
    skipped: new Set(),
    uncertain: new Set(),
  };
}

/** Takes in what the blocks of a called run would do, with the calling block before their names. */
export function addFindings(to: Findings, from: Findings, unit: string): void {
  for (const [kind, names] of Object.entries(from) as [keyof Findings, Set<string>][]) {
    for (const name of names) to[kind].add(`${unit}/${name}`);
  }
}

export function listFindings(findings: Findings): RevisionPreview {
  const lists = Object.entries(findings).map(([kind, names]) => [kind, [...names]]);
  return Object.fromEntries(lists) as RevisionPreview;
}
