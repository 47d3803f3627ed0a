import type { ErrorData } from "../../core/model/errors.ts";

/** What stores of one database say to each other, across tabs, workers and copies in the same page. */
export type PeerMessage =
  /** A call failed, by no fault of the caller. */
  | { readonly failed: ErrorData }
  /** These runs were changed. */
  | { readonly changed: readonly string[] }
  /** Is the holder of this run alive? */
  | { readonly asks: string }
  /** It is: this one holds it. */
  | { readonly holds: string };
