import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createExecutor, defineBlock, isWorkflowError, success, type Store, type Workflow } from "wavepoint";
import { openStore } from "wavepoint/store/open";
import { runWriter } from "wavepoint/testing";
import { hasPostgres, startPostgres } from "../support/postgres-server.ts";
import { hasSmallDisks, smallDisk, type SmallDisk } from "../support/small-disk.ts";

const isLong = process.env.WAVEPOINT_LONG !== undefined;
const BLOCKS = 40;
const BYTES = 100_000;
/** Room for the empty tables and a part of what the blocks give. */
const SMALL_MIB = 3;
const LARGE_MIB = 64;

/** Does not get shorter where it is compressed. */
const noise = (): string => randomBytes(BYTES / 2).toString("hex");

function makeDisk(mebibytes: number, isHeld = false): SmallDisk {
  const disk = smallDisk(mebibytes);
  onTestFinished(() => disk.remove(isHeld));
  return disk;
}

async function makeServer(below?: string) {
  const server = await startPostgres(below);
  onTestFinished(() => server.stop());
  return server;
}

async function makeStore(address: string): Promise<Store> {
  const store = await openStore(address);
  onTestFinished(() => store.close());
  return store;
}

/** Databases whose files stand on a disk. */
const DATABASES: readonly (readonly [name: string, addressOn: (path: string) => Promise<string>])[] = [
  ["SQLite", async (path) => `sqlite:${join(path, "runs.db")}`],
  ...(hasPostgres ? [["Postgres", async (path: string) => (await makeServer()).newPlace(path)] as const] : []),
];

describe.skipIf(!hasSmallDisks)("a disk that is full", () => {
  test.each(DATABASES)(
    "D15: %s stops a run with STORE_QUOTA; what was stored stays, and the run goes on once there is room",
    async (database, addressOn) => {
      // `libsql` keeps a closed file open for as long as one of its statements is remembered.
      const disk = makeDisk(SMALL_MIB, database === "SQLite");
      const store = await makeStore(await addressOn(disk.path));
      const executions = new Map<string, number>();
      const hoard = defineBlock({
        type: "Hoard",
        execute({ block }) {
          executions.set(block, (executions.get(block) ?? 0) + 1);
          return success({ text: noise() });
        },
      });
      const flow: Workflow = {
        name: "hoard",
        blocks: Array.from({ length: BLOCKS }, (_, number) => ({
          id: `b${number}`,
          type: "Hoard",
          dependsOn: number === 0 ? [] : [`b${number - 1}`],
        })),
      };
      const executor = () => createExecutor({ store, blocks: [hoard], workflows: [flow], policy: { durability: "sync" } });
      const first = executor();
      const run = await first.start("hoard", {}, { id: "hoard" });
      await expect(run.settled()).rejects.toMatchObject({ code: "STORE_QUOTA" });
      await expect(run.resume()).rejects.toMatchObject({ code: "STORE_QUOTA" });

      const reader = executor();
      const stored = (await (await reader.open("run_hoard")).steps()).map(({ block, outputs }) => [block, outputs!["text"]] as const);
      expect(stored.length).toBeGreaterThan(1);
      expect(stored.length).toBeLessThan(BLOCKS);
      disk.grow(LARGE_MIB);
      expect(await run.resume()).toMatchObject({ status: "success" });
      const steps = (await (await reader.open("run_hoard")).steps()).map(({ block, outputs }) => [block, outputs!["text"]] as const);
      expect(steps.length).toBe(BLOCKS);
      expect(steps.slice(0, stored.length)).toEqual(stored);
      expect(stored.map(([block]) => executions.get(block))).toEqual(stored.map(() => 1));
      await first.close();
      await reader.close();
    },
    60_000,
  );

  test.runIf(isLong && hasPostgres)(
    "D1: with the log of Postgres on it, the server may die; nothing acknowledged is lost, nothing is there by half, and writers go on once there is room",
    async () => {
      const disk = makeDisk(72);
      const server = await makeServer(disk.path);
      const address = server.newPlace();
      const store = await makeStore(address);
      const writers = Array.from({ length: 8 }, (_, number) => runWriter(store, `run_${number}`));
      const acknowledged: string[][] = writers.map(() => []);
      await Promise.all(
        writers.map(async (writer, number) => {
          for (;;) {
            const entry = JSON.stringify({ text: noise() });
            try {
              await writer.commit([entry]);
            } catch (error) {
              if (!isWorkflowError(error)) throw error;
              expect(error.code).toMatch(/^STORE_(QUOTA|LOST|FAILED)$/);
              return;
            }
            acknowledged[number]!.push(entry);
          }
        }),
      );
      disk.grow(512);
      await server.crash();
      const again = await makeStore(address);
      for (const [number, entries] of acknowledged.entries()) {
        const run = `run_${number}`;
        const found = await again.read(run);
        expect(found.slice(0, entries.length)).toEqual(entries);
        // The one that was on its way may be there, as a whole.
        expect(found.length - entries.length).toBeLessThanOrEqual(1);
        await runWriter(again, run, await again.head(run)).commit(["more"]);
        expect(await again.read(run)).toEqual([...found, "more"]);
      }
      expect(Math.max(...acknowledged.map(({ length }) => length))).toBeGreaterThan(3);
    },
    300_000,
  );
});
