import { saveFile } from "wavepoint/dashboard";

/** What the names of files with runs end with. */
export const RUN_FILE_ENDING = ".run";

/** Has the browser save a run as a file. */
export function saveRunFile(run: string, text: string): void {
  saveFile(run + RUN_FILE_ENDING, text);
}
