/** What stores of one database say to each other, across tabs, workers and copies in the same page. */
export type PeerMessage =
  /** These runs were changed. */
  | { readonly changed: readonly string[] }
  /** Is whoever holds this run alive? */
  | { readonly asks: string }
  /** It is: this one holds it. */
  | { readonly holds: string };
