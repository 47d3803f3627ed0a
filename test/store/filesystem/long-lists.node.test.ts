import { beforeAll, describe, expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import type { Store } from "wavepoint";
import { crashDisk, runWriter } from "wavepoint/testing";
import type { CrashDisk } from "wavepoint/testing";
import type { Disk } from "../../../src/core/ports/disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { checkpointRow } from "../../../src/testing/conformance/writer.ts";
import { runPath } from "./run-path.ts";

const FEW = 100;
const MANY = 2000;
const PAGE = 20;
/** The newest of them are not those with the highest numbers. */
const changedAt = (number: number): number => 1_000_000 + ((number * 7919) % 100_003);
const idOf = (number: number): string => `run_${number}`;

interface Counted {
  readonly store: Store;
  /** Operations of the disk since the last call, by name; files that were opened to be read, by ending. */
  counts(): { readonly all: number; readonly read: number; readonly journals: number };
}

function openCounted(disk: Disk): Counted {
  let [all, read, journals] = [0, 0, 0];
  const counting = Object.fromEntries(
    Object.entries(disk).map(([name, value]: [string, unknown]) => [
      name,
      typeof value !== "function"
        ? value
        : (...given: readonly unknown[]) => {
            all += 1;
            if (name === "open" && given[1] === "read") read += 1;
            if (name === "open" && String(given[0]).endsWith("l")) journals += 1;
            return (value as (...some: readonly unknown[]) => unknown)(...given);
          },
    ]),
  ) as unknown as Disk;
  return {
    store: openFilesystemStore("/data", counting, () => {}),
    counts() {
      const counted = { all, read, journals };
      [all, read, journals] = [0, 0, 0];
      return counted;
    },
  };
}

async function fill(runs: number): Promise<CrashDisk> {
  const disk = crashDisk();
  const store = openFilesystemStore("/data", disk, () => {});
  for (let number = 0; number < runs; number += 1) {
    const status = number % 500 === 3 ? "failed" : "paused";
    await runWriter(store, idOf(number)).commit(["{}"], {
      head: { changedAt: changedAt(number), status },
      checkpoints: [checkpointRow(idOf(number), 0, { kind: "pause", createdAt: changedAt(number) })],
    });
  }
  await new Promise(setImmediate);
  await store.close();
  return disk;
}

function newest(runs: number, count: number = PAGE): readonly string[] {
  const numbers = Array.from({ length: runs }, (_, number) => number);
  return numbers
    .toSorted((a, b) => changedAt(b) - changedAt(a))
    .slice(0, count)
    .map(idOf);
}

async function listed(store: Store, query: Parameters<Store["runs"]>[0] = {}): Promise<readonly string[]> {
  return (await store.runs({ limit: PAGE, ...query })).items.map(({ id }) => id);
}

let few: CrashDisk;
let many: CrashDisk;
beforeAll(async () => {
  few = await fill(FEW);
  many = await fill(MANY);
}, 60_000);

describe(`the newest ${PAGE} of ${MANY} runs take no more of a disk than those of ${FEW}`, () => {
  test("in a store that lists them again", async () => {
    const [one, two] = [openCounted(few), openCounted(many)];
    for (const { store } of [one, two]) await store.runs({ limit: PAGE });
    one.counts();
    two.counts();
    expect(await listed(one.store)).toEqual(newest(FEW));
    expect(await listed(two.store)).toEqual(newest(MANY));
    const [small, large] = [one.counts(), two.counts()];
    expect(large.all).toBeLessThanOrEqual(small.all * 3);
    expect(large.read).toBeLessThanOrEqual(PAGE + 1);
  });

  test("in a new process", async () => {
    const [one, two] = [openCounted(few), openCounted(many)];
    expect(await listed(one.store)).toEqual(newest(FEW));
    expect(await listed(two.store)).toEqual(newest(MANY));
    const [small, large] = [one.counts(), two.counts()];
    expect(large.all).toBeLessThanOrEqual(small.all * 5);
    expect(large.journals).toBeLessThanOrEqual(PAGE * 2 + 2);
  });

  test("after a run that another process made, or deleted, in between", async () => {
    const { store, counts } = openCounted(many);
    const other = openFilesystemStore("/data", many, () => {});
    await listed(store);
    counts();
    await runWriter(other, "run_new").commit(["{}"], { head: { changedAt: 9_000_000 } });
    expect(await listed(store)).toEqual(["run_new", ...newest(MANY, PAGE - 1)]);
    expect(counts().journals).toBeLessThanOrEqual(PAGE + 8);
    await other.delete("run_new");
    expect(await listed(store)).toEqual(newest(MANY));
    expect(counts().journals).toBeLessThanOrEqual(PAGE + 8);
    await other.close();
  });

  test("of those with a status that few have, where the journals are not read", async () => {
    const { store, counts } = openCounted(many);
    await listed(store);
    counts();
    const failed = newest(MANY, MANY).filter((id) => Number(id.slice(4)) % 500 === 3);
    expect(await listed(store, { status: "failed" })).toEqual(failed);
    expect(counts().journals).toBeLessThanOrEqual(failed.length * 2);
    // One that changed since is found, also where it changes behind what is known of it, in the segment that is known.
    const other = openFilesystemStore("/data", many, () => {});
    const number = Number(newest(MANY)[5]!.slice(4));
    const changed = idOf(number);
    for (const times of ["once", "twice"]) {
      for (const [status, expected] of [
        ["failed", [changed, ...failed]],
        ["paused", failed],
      ] as const) {
        await runWriter(other, changed, await other.head(changed)).commit(["{}"], { head: { status, changedAt: changedAt(number) } });
        expect(await listed(store, { status: "failed" }), `${status} ${times}`).toEqual(expected);
      }
      expect(await listed(store, { status: "paused" })).toEqual(newest(MANY).filter((id) => !failed.includes(id)));
    }
    await other.close();
  });

  test("of a status that no run has, and of several: nothing is looked at but what the page shows", async () => {
    const [one, two] = [openCounted(few), openCounted(many)];
    for (const { store, counts } of [one, two]) {
      await listed(store);
      counts();
      expect(await listed(store, { status: "cancelled" })).toEqual([]);
      expect(await listed(store, { status: ["cancelled", "running"], workflow: "conformance" })).toEqual([]);
    }
    const [small, large] = [one.counts(), two.counts()];
    expect(large).toMatchObject({ read: 0, journals: 0 });
    expect(large.all).toBeLessThanOrEqual(small.all * 4);
    expect(large.all).toBeLessThan(MANY / 2);
    expect(await listed(two.store, { status: ["paused", "failed"] })).toEqual(newest(MANY));
    expect(two.counts().read).toBeLessThanOrEqual(PAGE + 1);
  });

  test("and of their checkpoints: only the runs that the page shows are opened", async () => {
    const { store, counts } = openCounted(many);
    await listed(store);
    counts();
    const { items } = await store.checkpoints({ limit: PAGE });
    expect(items.map(({ run }) => run)).toEqual(newest(MANY));
    // What another test wrote since is read once.
    expect(counts().journals).toBeLessThanOrEqual(PAGE * 2 + 8);
  });
});

test("a new process finds what a killed one had found out, also where no directory holds many runs", async () => {
  const disk = await fill(300);
  for (const name of disk.list("/data/index")) disk.remove(`/data/index/${name}`);
  await listed(openFilesystemStore("/data", disk, () => {}));
  const { store, counts } = openCounted(disk);
  expect(await listed(store)).toEqual(newest(300));
  expect(counts().journals).toBeLessThanOrEqual(PAGE * 2 + 2);
});

test("page after page shows every run and every checkpoint once, and looks at none of them twice", async () => {
  const { store, counts } = openCounted(many);
  const [runs, rows]: [string[], string[]] = [[], []];
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const page = await store.runs({ limit: 300, ...(after === undefined ? {} : { after }) });
    for (const { id } of page.items) runs.push(id);
    after = page.next;
  }
  expect(runs).toEqual(newest(MANY, MANY));
  const forRuns = counts().journals;
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const page = await store.checkpoints({ limit: 300, ...(after === undefined ? {} : { after }) });
    for (const { run } of page.items) rows.push(run);
    after = page.next;
  }
  expect(rows).toEqual(newest(MANY, MANY));
  expect(forRuns).toBeLessThanOrEqual(MANY * 1.2);
  expect(counts().journals).toBeLessThanOrEqual(MANY * 1.2);
});

test("metrics open each run once, in a new process and again", async () => {
  const { store, counts } = openCounted(many);
  const executor = createExecutor({ store });
  for (const looks of ["first", "second"]) {
    counts();
    const { runs, checkpoints, runsByStatus, damagedRuns } = await executor.metrics();
    expect([runs, checkpoints, damagedRuns, runsByStatus.failed]).toEqual([MANY, MANY, 0, MANY / 500]);
    const { read, all } = counts();
    expect(read, `files read for the ${looks} metrics`).toBeLessThanOrEqual(MANY * 1.2);
    expect(all, `operations for the ${looks} metrics`).toBeLessThanOrEqual(MANY * 22);
  }
  await executor.close();
});

describe("what lists know is a cache", () => {
  test.each<[string, (disk: CrashDisk) => void | Promise<void>]>([
    ["deleted", (disk) => disk.remove("/data/index")],
    [
      "damaged",
      (disk) => {
        for (const name of disk.list("/data/index")) {
          const file = disk.open(`/data/index/${name}`, "edit");
          disk.write(file, Buffer.from("x"), 0, 5);
          disk.close(file);
        }
      },
    ],
    [
      "older than the runs",
      async (disk) => {
        const writer = openFilesystemStore("/data", disk, () => {});
        await runWriter(writer, "run_7", await writer.head("run_7")).commit(["{}"]);
        await runWriter(writer, "run_late").commit(["{}"], { head: { changedAt: 1 } });
        // Deleted, and made again as another run under the same name and with as many bytes.
        await writer.delete("run_8");
        await runWriter(writer, "run_8").commit(["{}"], { head: { changedAt: 2 } });
        // Killed: it is never closed.
      },
    ],
    [
      "of a store whose runs were copied back by hand",
      (disk) => {
        disk.rename(runPath("/data", "run_9"), "/data/aside");
        disk.remove(runPath("/data", "run_10"));
        disk.rename("/data/aside", runPath("/data", "run_9"));
      },
    ],
  ])("where it is %s, lists show what is there", async (_, change) => {
    const disk = await fill(60);
    const open = openFilesystemStore("/data", disk, () => {});
    await open.runs();
    await change(disk);
    const fresh = openFilesystemStore("/data", disk, () => {});
    const ids = disk
      .list("/data/runs")
      .filter((name) => /^[0-9a-f]{2}$/.test(name))
      .flatMap((shard) => disk.list(`/data/runs/${shard}`))
      .map((name) => name.slice(0, name.indexOf("=")));
    const heads = await Promise.all(ids.map((id) => fresh.head(id)));
    const expected = heads.toSorted((a, b) => b!.changedAt - a!.changedAt);
    for (const store of [fresh, open]) {
      expect((await store.runs({ limit: 1000 })).items).toEqual(expected);
      expect((await store.checkpoints({ limit: 1000 })).items).toHaveLength(expected.filter((head) => head!.changedAt > 2).length);
      expect((await store.usage()).runs).toBe(expected.length);
    }
  });

  test("D2: where the power was cut, lists show a run whose change was stored and the note of it lost", async () => {
    const disk = await fill(60);
    const store = openFilesystemStore("/data", disk, () => {});
    await runWriter(store, "run_7", await store.head("run_7")).commit(["{}"]);
    await store.runs();
    // Keeps what is known, up to here.
    await store.close();
    const [log] = disk.list("/data/index").filter((name) => name.startsWith("changes."));
    const file = disk.open(`/data/index/${log}`, "edit");
    const { sizeBytes } = disk.facts(file)!;
    const writer = openFilesystemStore("/data", disk, () => {});
    await runWriter(writer, "run_7", await writer.head("run_7")).commit(["{}"], { head: { changedAt: 9_000_000 } });
    expect(disk.facts(file)!.sizeBytes).toBeGreaterThan(sizeBytes);
    disk.truncate(file, sizeBytes);
    disk.close(file);
    const fresh = openFilesystemStore("/data", { ...disk, session: "after the power cut" }, () => {});
    expect((await fresh.runs({ limit: 1 })).items).toEqual([await fresh.head("run_7")]);
  });
});
