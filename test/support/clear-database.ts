import { deleteDB } from "idb";

/** Removes the database of a store and the mark that tells of it, as a browser does where someone clears the data of a site. */
export async function clearDatabase(name: string): Promise<void> {
  await deleteDB(name);
  if ("document" in globalThis) localStorage.removeItem(`wavepoint:${name}`);
}
