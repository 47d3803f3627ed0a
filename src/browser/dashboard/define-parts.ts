import { define } from "../elements/index.ts";
import { register, type Registered } from "../elements/register.ts";
import { WavepointData } from "./data-element.ts";
import { WavepointJournal } from "./journal-element.ts";
import { WavepointTimeline } from "./timeline-element.ts";

/** The elements that only dashboards need, by their names. */
export interface DashboardElements {
  readonly "wavepoint-timeline": WavepointTimeline;
  readonly "wavepoint-journal": WavepointJournal;
  readonly "wavepoint-data": WavepointData;
}

declare global {
  interface HTMLElementTagNameMap extends DashboardElements {}
}

/**
 * Registers `<wavepoint-timeline>`, `<wavepoint-journal>` and `<wavepoint-data>`, and the elements of `wavepoint/elements`; further calls change nothing. On a
 * server, which has no elements, it does nothing.
 */
export function defineParts(): void {
  define();
  register(PARTS);
}

const PARTS: Registered = [
  ["wavepoint-timeline", WavepointTimeline],
  ["wavepoint-journal", WavepointJournal],
  ["wavepoint-data", WavepointData],
];
