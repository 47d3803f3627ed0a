import { expect, test } from "vitest";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { clearDatabase } from "../support/clear-database.ts";
import { watchGroups } from "./groups.ts";

const COMMITS = 400;

test("D4: who reads a database that another thread writes sees each commit whole or not at all", async () => {
  const name = "promises-readers";
  const worker = new Worker(new URL("group-worker.ts", import.meta.url), { type: "module" });
  const ended = new Promise<unknown>((resolve) => {
    worker.addEventListener("message", ({ data }) => resolve(data));
    worker.addEventListener("error", ({ message }) => resolve(message));
  });
  worker.postMessage({ name, commits: COMMITS });
  const store = indexedDbStore({ name });
  const { looks, commits } = await watchGroups(store, ended);
  expect(await ended).toBe("done");
  expect(commits).toBe(COMMITS);
  expect(looks).toBeGreaterThan(20);
  worker.terminate();
  await store.close();
  await clearDatabase(name);
}, 60_000);
