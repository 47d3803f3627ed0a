import { indexedDbStore } from "wavepoint/store/indexeddb";
import { writeGroups } from "./groups.ts";

// A worker of its own that writes to one run as fast as it can, and says how that ended.
self.addEventListener("message", ({ data: { name, commits } }: MessageEvent<{ readonly name: string; readonly commits: number }>) => {
  const store = indexedDbStore({ name });
  const written = writeGroups(store, commits).finally(() => store.close());
  void written.then(
    () => self.postMessage("done"),
    (error: unknown) => self.postMessage(String(error)),
  );
});
