import { indexedDbStore } from "wavepoint/store/indexeddb";
import { readCase } from "./case.ts";
import { runCase } from "./run-case.ts";

declare global {
  interface Window {
    /** Plays a case against IndexedDB in this page; `name` is the database, which nobody else may use. */
    playCase(theCase: unknown, name: string): Promise<string[]>;
  }
}

window.playCase = async (theCase, name) => {
  const differences = await runCase(readCase(theCase), async () => indexedDbStore({ name }));
  indexedDB.deleteDatabase(name);
  return differences;
};
