import { indexedDbStore } from "wavepoint/store/indexeddb";

// Takes a run of a database, and holds it until the worker is ended.
self.addEventListener("message", async ({ data }: MessageEvent<{ readonly name: string; readonly run: string }>) => {
  const release = await indexedDbStore({ name: data.name }).claim(data.run);
  self.postMessage(release !== undefined);
});
