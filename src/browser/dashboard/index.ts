/**
 * A dashboard for those who look after runs, its parts as elements, and the words and shapes that other pages of the kind share.
 */
export { dashboard, type Dashboard, type DashboardOptions } from "./dashboard.ts";
export type { DashboardRight } from "./open-run.ts";
export { defineParts, type DashboardElements } from "./define-parts.ts";
export { WavepointData } from "./data-element.ts";
export { WavepointJournal } from "./journal-element.ts";
export { WavepointTimeline } from "./timeline-element.ts";
export { entryText, placeOf } from "./entry-text.ts";
export { statusIcon } from "./status.ts";
export { tabs, type Tab, type TabsProps } from "./tabs.ts";
export { saveFile } from "./save-file.ts";
export { agoText, attemptsText, blockStatusText, durationText, instantText, skipText, type Attempts } from "./wording.ts";
