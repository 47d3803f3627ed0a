// A file of its own: what is public must not lead to the types of DBOS.

/** How many runs of a kind are executed at the same time, by all workers together. */
export interface Limits {
  /** By the name of the workflow. */
  readonly workflows?: { readonly [workflow: string]: number };
  /** Of runs that have the same value under a name of their `search`. */
  readonly tenants?: { readonly search: string; readonly most: number };
}
