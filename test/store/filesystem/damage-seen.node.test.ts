import { describe, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { crashDisk, runWriter } from "wavepoint/testing";
import type { CrashDisk } from "wavepoint/testing";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { checkpointRow } from "../../../src/testing/conformance/writer.ts";
import { runPath } from "./run-path.ts";

const segment = (number: number): string => runPath("/data", "run_a", `${number}.jsonl`);

function open(disk: CrashDisk): Store {
  return openFilesystemStore("/data", disk, () => {});
}

/** A process goes on with a run, and closes its store. */
async function goOn(disk: CrashDisk, status: "running" | "paused"): Promise<void> {
  const store = open(disk);
  const head = await store.head("run_a");
  const number = head?.entries ?? 0;
  await runWriter(store, "run_a", head).commit(["{}"], { head: { status }, checkpoints: [checkpointRow("run_a", number)] });
  await new Promise(setImmediate);
  await store.close();
}

function spoilHeader(disk: CrashDisk, path: string): void {
  const file = disk.open(path, "edit");
  disk.write(file, Buffer.from("#"), 0, 3);
  disk.close(file);
}

const CHANGES: readonly (readonly [what: string, taken: number, change: (disk: CrashDisk) => void])[] = [
  ["its newest segment was removed", 2, (disk) => disk.remove(segment(1))],
  ["a segment in the middle was removed", 3, (disk) => disk.remove(segment(1))],
  ["its first segment was removed", 2, (disk) => disk.remove(segment(0))],
  ["the header of its only segment rotted", 1, (disk) => spoilHeader(disk, segment(0))],
  ["the header of its newest segment rotted", 2, (disk) => spoilHeader(disk, segment(1))],
];

describe("a run is listed as damaged by lists that knew it whole", () => {
  describe.each(CHANGES)("where %s", (_, taken, change) => {
    test.each(["all along", "up to the first process", "not at all"])("in a store that knew it %s", async (known) => {
      const disk = crashDisk();
      const other = open(disk);
      await runWriter(other, "run_b").commit(["{}"], { head: { status: "paused" } });
      await other.close();
      const store = open(disk);
      for (let process = 1; process <= taken; process += 1) {
        await goOn(disk, "paused");
        if (known === "all along" || (known === "up to the first process" && process === 1)) {
          expect((await store.runs()).items).toHaveLength(2);
          await store.checkpoints();
        }
      }
      change(disk);
      const damaged = [{ run: "run_a", error: { code: "STORE_DATA_CORRUPT" } }];
      expect(await store.runs()).toMatchObject({ items: [{ id: "run_b" }], damaged });
      expect(await store.runs({ status: "completed" })).toMatchObject({ items: [], damaged });
      expect(await store.checkpoints()).toMatchObject({ items: [], damaged });
      await expect(store.head("run_a")).rejects.toMatchObject({ code: "STORE_DATA_CORRUPT" });
    });
  });
});
