import { beforeAll, describe, expect, test } from "vitest";
import type { CheckpointRow, Store } from "wavepoint";
import { crashDisk, runWriter } from "wavepoint/testing";
import type { CrashDisk } from "wavepoint/testing";
import type { Disk } from "../../../src/core/ports/disk.ts";
import { openFilesystemStore } from "../../../src/store/filesystem/store.ts";
import { checkpointRow } from "../../../src/testing/conformance/writer.ts";
import { seededNumbers } from "../../../src/testing/seeded-numbers.ts";
import { runPath } from "./run-path.ts";

const RUN = "run_long";
const FEW = 5_000;
const MANY = 50_000;
const CACHE = runPath("/data", RUN, "cache.json");

function open(disk: Disk): Store {
  return openFilesystemStore("/data", disk, () => {});
}

async function fill(count: number): Promise<CrashDisk> {
  const disk = crashDisk();
  const store = open(disk);
  const writer = runWriter(store, RUN);
  for (let first = 0; first < count; first += 1_000) {
    const checkpoints = Array.from({ length: 1_000 }, (_, index) => checkpointRow(RUN, first + index));
    await writer.commit(["{}"], { checkpoints });
  }
  await store.close();
  return disk;
}

/** The numbers of a page of the newest checkpoints, and how many bytes were read for it. */
async function newest(disk: CrashDisk, after?: string): Promise<{ readonly numbers: readonly number[]; readonly bytes: number }> {
  let bytes = 0;
  const store = open({
    ...disk,
    read(...given) {
      const count = disk.read(...given);
      bytes += count;
      return count;
    },
  });
  const { items } = await store.checkpoints({ limit: 20, ...(after === undefined ? {} : { after }) });
  return { numbers: items.map(({ number }) => number), bytes };
}

function down(from: number): readonly number[] {
  return Array.from({ length: 20 }, (_, index) => from - index);
}

let few: CrashDisk;
let many: CrashDisk;
beforeAll(async () => {
  few = await fill(FEW);
  many = await fill(MANY);
}, 60_000);

describe(`20 of ${MANY} checkpoints of one run take no more reading than 20 of ${FEW}, in a new process`, () => {
  test("the newest", async () => {
    const [one, two] = [await newest(few), await newest(many)];
    expect(one.numbers).toEqual(down(FEW - 1));
    expect(two.numbers).toEqual(down(MANY - 1));
    expect(two.bytes).toBeLessThanOrEqual(one.bytes * 1.5);
  });

  test("and those from the middle", async () => {
    const place = (number: number): string => `${checkpointRow(RUN, number).createdAt} ${RUN} ${number} wave`;
    const [one, two] = [await newest(few, place(FEW / 2)), await newest(many, place(MANY / 2))];
    expect(one.numbers).toEqual(down(FEW / 2 - 1));
    expect(two.numbers).toEqual(down(MANY / 2 - 1));
    expect(two.bytes).toBeLessThanOrEqual(one.bytes * 1.5);
  });
});

type Tampering = (disk: CrashDisk, chance: (below: number) => number) => void;

function bytesOf(disk: CrashDisk, path: string): Buffer | undefined {
  if (disk.facts(path) === undefined) return undefined;
  const bytes = Buffer.alloc(disk.facts(path)!.sizeBytes);
  const file = disk.open(path, "read");
  disk.read(file, bytes, 0, 0);
  disk.close(file);
  return bytes;
}

function replace(disk: CrashDisk, path: string, bytes: Uint8Array): void {
  disk.remove(path);
  const file = disk.open(path, "create");
  disk.write(file, bytes, 0, 0);
  disk.close(file);
}

function tamper(disk: CrashDisk, change: (bytes: Buffer) => Uint8Array | undefined): void {
  const bytes = bytesOf(disk, CACHE);
  if (bytes === undefined) return;
  const changed = change(bytes);
  if (changed === undefined) disk.remove(CACHE);
  else replace(disk, CACHE, changed);
}

const TAMPERINGS: readonly Tampering[] = [
  (disk) => tamper(disk, () => undefined),
  (disk, chance) => tamper(disk, (bytes) => bytes.subarray(0, chance(bytes.length))),
  (disk, chance) => tamper(disk, (bytes) => bytes.fill(bytes[chance(bytes.length)]! ^ 1, chance(bytes.length)).subarray()),
  (disk, chance) =>
    tamper(disk, (bytes) => {
      bytes[chance(bytes.length)]! ^= 1 << chance(8);
      return bytes;
    }),
];

/** Rows by kind and number, as a list shows them. */
class Model {
  readonly #rows = new Map<string, CheckpointRow>();

  apply(checkpoints: readonly CheckpointRow[], forgotten: readonly Pick<CheckpointRow, "kind" | "number">[]): void {
    for (const { kind, number } of forgotten) this.#rows.delete(`${kind} ${number}`);
    for (const row of checkpoints) this.#rows.set(`${row.kind} ${row.number}`, row);
  }

  get rows(): readonly CheckpointRow[] {
    return [...this.#rows.values()].toSorted(
      (a, b) => b.createdAt - a.createdAt || b.number - a.number || (a.kind < b.kind ? 1 : a.kind > b.kind ? -1 : 0),
    );
  }
}

async function allRows(store: Store, limit: number, between: () => void = () => {}): Promise<readonly CheckpointRow[]> {
  const rows: CheckpointRow[] = [];
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const page = await store.checkpoints({ limit, ...(after === undefined ? {} : { after }) });
    expect(page.damaged).toBeUndefined();
    rows.push(...page.items);
    after = page.next;
    between();
  }
  return rows;
}

describe("what a sidecar says of checkpoints is a cache", () => {
  test.each(Array.from({ length: 12 }, (_, seed) => seed + 1))(
    "lists show what the journal says, after anything that happened to it (seed %i)",
    async (seed) => {
      const next = seededNumbers(seed);
      const chance = (below: number): number => Math.floor(next() * below);
      const disk = crashDisk();
      const model = new Model();
      const reader = open(disk);
      let old: Buffer | undefined;
      let writing = open(disk);
      let numbers = 0;
      for (let round = 0; round < 14; round += 1) {
        const writer = runWriter(writing, RUN, await writing.head(RUN));
        for (let commits = 1 + chance(3); commits > 0; commits -= 1) {
          const added = Array.from({ length: chance(700) }, () => (numbers += 1));
          // Some are made a second time, and clocks go back.
          const again = numbers === 0 ? [] : Array.from({ length: chance(4) }, () => 1 + chance(numbers));
          const earlier = chance(3) === 0 ? chance(2_000) : 0;
          const checkpoints = [...new Set([...added, ...again])].map((number) =>
            checkpointRow(RUN, number, {
              createdAt: 1_000_000 + numbers - chance(3) - earlier,
              entries: number,
              kind: number % 5 === 0 ? "pause" : "wave",
            }),
          );
          const forgotten = Array.from({ length: chance(4) === 0 ? chance(numbers) : chance(5) }, () => 1 + chance(numbers + 1)).map(
            (number) => ({ number, kind: number % 5 === 0 ? "pause" : "wave" }) as const,
          );
          const gone = forgotten.filter(({ number }) => !checkpoints.some((row) => row.number === number));
          const status = chance(2) === 0 ? "running" : "paused";
          await writer.commit(["{}"], { checkpoints, forgotten: gone, head: { status } });
          model.apply(checkpoints, gone);
        }
        await new Promise(setImmediate);
        if (chance(4) === 0) old = bytesOf(disk, CACHE) ?? old;
        if (chance(3) > 0) await writing.close();
        // Else the process was killed.
        const change = chance(TAMPERINGS.length * 2);
        const between = (): void => TAMPERINGS[change]?.(disk, chance);
        if (chance(2) === 0) between();
        if (old !== undefined && chance(6) === 0) replace(disk, CACHE, old);
        const limit = 20 + chance(900);
        for (const store of [reader, open(disk)]) expect(await allRows(store, limit, between)).toEqual(model.rows);
        writing = open(disk);
      }
    },
    30_000,
  );

  test("a page goes on in the journal where the next rows of the sidecar are gone", async () => {
    for (const change of TAMPERINGS) {
      const disk = await fill(20_000);
      const store = open(disk);
      let changes = 0;
      const rows = await allRows(store, 1_000, () => {
        if ((changes += 1) === 1) change(disk, (below) => Math.floor(below / 3));
      });
      expect(rows).toEqual(Array.from({ length: 20_000 }, (_, index) => checkpointRow(RUN, 19_999 - index)));
    }
  });
});
