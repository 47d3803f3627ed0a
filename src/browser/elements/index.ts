import type { Run } from "../../core/engine/face.ts";
import type { RunResult } from "../../core/model/result.ts";
import { WavepointHistory } from "./history-element.ts";
import { WavepointPrompt } from "./prompt-element.ts";
import { WavepointRun } from "./run-element.ts";
import { WavepointWaves } from "./waves-element.ts";

export { WavepointHistory, WavepointPrompt, WavepointRun, WavepointWaves };
export { en } from "./messages.ts";
export type { HistoryMessages } from "./history-messages.ts";
export type { Messages } from "./messages.ts";
export type { WizardMessages } from "./wizard-messages.ts";

/** The elements by their names. */
export interface WavepointElements {
  readonly "wavepoint-prompt": WavepointPrompt;
  readonly "wavepoint-run": WavepointRun;
  readonly "wavepoint-waves": WavepointWaves;
  readonly "wavepoint-history": WavepointHistory;
}

/** What the elements tell; all of it bubbles. */
export interface WavepointEvents {
  /** It goes on with another run: after Back, a changed answer, a fork, or because somebody opened one. */
  readonly "wavepoint-run-changed": CustomEvent<{ readonly run: Run }>;
  /** Nothing of the run executes any more: it asks, or is over. */
  readonly "wavepoint-settled": CustomEvent<{ readonly result: RunResult }>;
  /** Something was thrown, or an answer came too late. */
  readonly "wavepoint-problem": CustomEvent<{ readonly error: unknown }>;
}

declare global {
  interface GlobalEventHandlersEventMap extends WavepointEvents {}
  interface HTMLElementTagNameMap extends WavepointElements {}
}

/** Registers the elements; the first call does, further ones change nothing. */
export function define(): void {
  for (const [name, element] of ELEMENTS) if (!customElements.get(name)) customElements.define(name, element);
}

const ELEMENTS: readonly (readonly [name: string, element: CustomElementConstructor])[] = [
  ["wavepoint-prompt", WavepointPrompt],
  ["wavepoint-run", WavepointRun],
  ["wavepoint-waves", WavepointWaves],
  ["wavepoint-history", WavepointHistory],
];
