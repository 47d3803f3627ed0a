import type { CheckpointInfo } from "../../core/model/checkpoint.ts";
import type { RevisionPreview } from "../../core/model/history.ts";
import type { Executor, Run } from "../../core/run/run.ts";
import type { RunResult } from "../../core/model/result.ts";
import type { Workflow } from "../../core/model/workflow.ts";
import type { PauseForm } from "../pause-form.ts";
import type { Messages } from "./messages.ts";

// No part of a document is named here: servers that render components compile this too.

/** What a template sets on an element beside what every element has. */
export interface ElementProps {
  readonly "wavepoint-run": Shown;
  readonly "wavepoint-prompt": PromptProps;
  readonly "wavepoint-waves": WavesProps;
  readonly "wavepoint-history": HistoryProps;
}

interface Shown {
  readonly run?: Run | undefined;
  readonly messages?: Messages | undefined;
}

interface PromptProps extends Shown {
  readonly pause?: string | undefined;
  readonly form?: PauseForm | undefined;
  readonly action?: string | undefined;
}

interface WavesProps extends Shown {
  readonly workflow?: Workflow | undefined;
  readonly executor?: Executor | undefined;
  readonly checkpoint?: CheckpointInfo | undefined;
  readonly preview?: RevisionPreview | undefined;
}

interface HistoryProps extends Shown {
  readonly executor?: Executor | undefined;
}

/** Listeners to what the elements tell, by the name that a framework gives to that of an event. */
export type ElementListeners<Style extends "on-event" | "onEvent"> = {
  readonly [Event in keyof Details as Style extends "onEvent" ? `on${Joined<Event>}` : `on${Event}`]?:
    ((event: { readonly detail: Details[Event] }) => void) | undefined;
};

interface Details {
  readonly "wavepoint-run-changed": { readonly run: Run };
  readonly "wavepoint-preview": { readonly preview: RevisionPreview | undefined };
  readonly "wavepoint-settled": { readonly result: RunResult };
  readonly "wavepoint-problem": { readonly error: unknown };
}

type Joined<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${Capitalize<First>}${Joined<Rest>}` : Capitalize<Name>;
