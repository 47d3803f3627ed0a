import { WavepointPrompt } from "./prompt-element.ts";
import { WavepointRun } from "./run-element.ts";

export { WavepointPrompt, WavepointRun };
export { en } from "./messages.ts";
export type { HistoryMessages, Messages } from "./messages.ts";

/** The elements by their names. */
export interface WavepointElements {
  readonly "wavepoint-prompt": WavepointPrompt;
  readonly "wavepoint-run": WavepointRun;
}

declare global {
  interface HTMLElementTagNameMap extends WavepointElements {}
}

/** Registers the elements; the first call does, further ones change nothing. */
export function define(): void {
  for (const [name, element] of ELEMENTS) if (!customElements.get(name)) customElements.define(name, element);
}

const ELEMENTS: readonly (readonly [name: string, element: CustomElementConstructor])[] = [
  ["wavepoint-prompt", WavepointPrompt],
  ["wavepoint-run", WavepointRun],
];
