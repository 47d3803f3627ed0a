// Writes notes as fast as it can, until it is ended. Its name is that of the database.
import { indexedDbStore } from "wavepoint/store/indexeddb";

const store = indexedDbStore({ name: self.name });
const [run] = (await store.runs()).items;
for (let i = 0; ; i += 1) {
  await store.putNote(run!.id, "draft.scribble", String(i));
  if (i === 5) self.postMessage("scribbling");
}
