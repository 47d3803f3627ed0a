import { describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success, type Store, type Workflow } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { memoryStore } from "wavepoint/store/memory";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { clearDatabase } from "../../support/clear-database.ts";

if (!("document" in globalThis)) await import("fake-indexeddb/auto");

const wizard: Workflow = {
  name: "wizard",
  blocks: [
    { id: "one", type: "GetInput", inputs: { prompt: "one?" } },
    { id: "work", type: "Work", dependsOn: ["one"] },
    { id: "two", type: "GetInput", inputs: { prompt: "two?" }, dependsOn: ["work"] },
  ],
};

/** What two tabs have of one store. */
interface Place {
  readonly tabs: readonly [Store, Store];
  close(): Promise<void>;
}

let databases = 0;
const PLACES: readonly (readonly [string, () => Promise<Place>])[] = [
  [
    "one store in memory",
    async () => {
      const store = memoryStore();
      return { tabs: [store, store], close: () => store.close() };
    },
  ],
  [
    "two stores on one database",
    async () => {
      const name = `following-${(databases += 1)}`;
      const tabs = [indexedDbStore({ name }), indexedDbStore({ name })] as const;
      return {
        tabs,
        async close() {
          for (const store of tabs) await store.close();
          await clearDatabase(name);
        },
      };
    },
  ],
  [
    "an encrypted store",
    async () => {
      const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt", "decrypt"]);
      const store = await encryptedStore(memoryStore(), { key });
      return { tabs: [store, store], close: () => store.close() };
    },
  ],
];

function tabOn(store: Store, work: () => Promise<void> = async () => {}) {
  const block = defineBlock({
    type: "Work",
    async execute() {
      await work();
      return success({});
    },
  });
  return createExecutor({ store, workflows: [wizard], blocks: [block] });
}

async function inPlace(open: () => Promise<Place>, play: (tabs: Place["tabs"]) => Promise<void>): Promise<void> {
  const place = await open();
  await play(place.tabs);
  await place.close();
}

describe.each(PLACES)("two tabs on %s", (_name, open) => {
  test("who subscribed sees what the other does: drafts, answers, the end", () =>
    inPlace(open, async ([here, there]) => {
      const [first, second] = [tabOn(here), tabOn(there)];
      const run = await first.start("wizard");
      await run.settled();
      const looked = await second.open(run.id);
      looked.subscribe(() => {});
      const [pause] = run.getSnapshot().pauses;
      await run.saveDraft(pause!.id, "hal");
      await expect.poll(() => looked.getSnapshot().pauses[0]?.draft).toBe("hal");
      await run.answer(pause!.id, "half");
      await expect.poll(() => looked.getSnapshot().pauses[0]?.prompt).toBe("two?");
      await run.answer(run.getSnapshot().pauses[0]!.id, "done");
      await expect.poll(() => looked.getSnapshot().status).toBe("completed");
      await first.close();
      await second.close();
    }));

  test("a list hears of runs that are added, changed and deleted, here and there, as long as it wants to", () =>
    inPlace(open, async ([here, there]) => {
      const [first, second] = [tabOn(here), tabOn(there)];
      const changed: (string | undefined)[] = [];
      const leave = second.runs.watch((run) => changed.push(run));
      const hears = async (run: string): Promise<void> => {
        await expect.poll(() => changed).toContain(run);
        changed.length = 0;
      };
      const theirs = await first.start("wizard");
      await theirs.settled();
      await hears(theirs.id);
      const own = await second.start("wizard");
      await own.settled();
      await hears(own.id);
      await first.runs.delete(theirs.id);
      await hears(theirs.id);
      leave();
      await own.answer(own.getSnapshot().pauses[0]!.id, "x");
      const stranger: (string | undefined)[] = [];
      second.runs.watch((run) => stranger.push(run));
      await own.answer(own.getSnapshot().pauses[0]!.id, "y");
      await expect.poll(() => stranger).toContain(own.id);
      expect(changed).toEqual([]);
      await first.close();
      await second.close();
    }));

  test("a run that is deleted elsewhere is shown as deleted", () =>
    inPlace(open, async ([here, there]) => {
      const [first, second] = [tabOn(here), tabOn(there)];
      const run = await first.start("wizard");
      await run.settled();
      const looked = await second.open(run.id);
      looked.subscribe(() => {});
      await first.runs.delete(run.id);
      await expect.poll(() => looked.getSnapshot().error?.code).toBe("RUN_NOT_FOUND");
      await first.close();
      await second.close();
    }));

  test("who began to execute a run and looks at it goes on where another tab ends in the middle of a block", () =>
    inPlace(open, async ([here, there]) => {
      let works = 0;
      const first = tabOn(here, () => {
        works += 1;
        return new Promise(() => {});
      });
      const second = tabOn(there, async () => void (works += 1));
      const run = await second.start("wizard");
      await run.settled();
      run.subscribe(() => {});
      const elsewhere = await first.open(run.id);
      void elsewhere.answer(run.getSnapshot().pauses[0]!.id, "go").catch(() => {});
      await expect.poll(() => works).toBe(1);
      await expect.poll(() => run.getSnapshot().pauses).toEqual([]);
      void first.close();
      await expect.poll(() => run.getSnapshot().pauses[0]?.prompt).toBe("two?");
      expect(works).toBe(2);
      await second.close();
    }));
});
