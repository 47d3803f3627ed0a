import type { RunView } from "../../core/model/view.ts";
import type { ViewPatch } from "../../core/model/view-patch.ts";
import type { RunEvent } from "../../core/ports/observer.ts";
import type { ThrownData } from "./thrown-errors.ts";

/** The messages on the worker itself, beside those of the app: just enough to open a channel. */
export type Greeting =
  | { readonly wavepoint: "hello" }
  /** There is no executor to serve. */
  | { readonly wavepoint: "failed"; readonly thrown: ThrownData }
  /** `lock`: the Web Lock that who says it holds for as long as it lives. A page says so to workers that others may share. */
  | { readonly wavepoint: "ready" | "connect"; readonly lock?: string };

/** What a page says on its channel. */
export type ToWorker = Call | { readonly abort: number } | Dropped | { readonly say: "taken" | "events" | "watch" | "unwatch" | "bye" };

export interface Call {
  readonly call: number;
  /** The run that is asked; else the executor. */
  readonly run?: string | undefined;
  /** The part of the executor that is asked. */
  readonly of?: "runs" | "checkpoints" | undefined;
  readonly method: string;
  readonly args: readonly unknown[];
  /** Set where the page may abort the call. The last argument are its options then. */
  readonly signal?: boolean;
}

/** The page no longer holds a run that the worker gave it so many times. */
export interface Dropped {
  readonly drop: string;
  readonly count: number;
}

/** What the worker says on a channel. View changes come with every message, so that no reply is ahead of them. */
export interface ToPage {
  /** The call that this is the reply to. Absent where there are only news, which the page says it has taken. */
  readonly done?: number;
  readonly value?: unknown;
  /** Set where the reply is a run. */
  readonly view?: RunView;
  readonly thrown?: ThrownData;
  readonly news?: readonly (readonly [run: string, ViewPatch])[];
  readonly events?: readonly RunEvent[];
  /** For a page that watches the runs: those that changed, or nothing where any may have. */
  readonly changed?: readonly (string | undefined)[];
}
