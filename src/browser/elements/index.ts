import type { WavepointEvents } from "./element-base.ts";
import { WavepointHistory } from "./history-element.ts";
import { WavepointPrompt } from "./prompt-element.ts";
import { register, type Registered } from "./register.ts";
import { WavepointRun } from "./run-element.ts";
import { WavepointWaves } from "./waves-element.ts";

export { WavepointHistory, WavepointPrompt, WavepointRun, WavepointWaves };
export { en, type Messages, type Translation, type FieldMessages } from "./messages.ts";
export type { WavepointEvents } from "./element-base.ts";
export type { GraphMessages } from "./graph/graph-messages.ts";
export { applyTheme, plain, type Theme } from "./theme.ts";
export type { HistoryMessages } from "./history-messages.ts";
export type { WizardMessages } from "./wizard-messages.ts";

/** The elements by their names. */
export interface WavepointElements {
  readonly "wavepoint-prompt": WavepointPrompt;
  readonly "wavepoint-run": WavepointRun;
  readonly "wavepoint-waves": WavepointWaves;
  readonly "wavepoint-history": WavepointHistory;
}

declare global {
  interface GlobalEventHandlersEventMap extends WavepointEvents {}
  interface HTMLElementTagNameMap extends WavepointElements {}
}

/** Registers the elements; the first call does, further ones change nothing. On a server, which has no elements, it does nothing. */
export function define(): void {
  register(ELEMENTS);
}

const ELEMENTS: Registered = [
  ["wavepoint-prompt", WavepointPrompt],
  ["wavepoint-run", WavepointRun],
  ["wavepoint-waves", WavepointWaves],
  ["wavepoint-history", WavepointHistory],
];
