import "fake-indexeddb/auto";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Store } from "wavepoint";
import { encryptedStore } from "wavepoint/encryption";
import { filesystemStore } from "wavepoint/store/filesystem";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { memoryStore } from "wavepoint/store/memory";
import { GOLDEN_CASES, GOLDEN_KEY } from "./golden-cases.ts";
import { dumpDatabase, restoreDatabase } from "./golden-database.ts";
import { tryOut, type Findings } from "./golden-findings.ts";
import { processesOver } from "./golden-process.ts";
import { dumpRuns, restoreRuns } from "./golden-runs.ts";

// UPDATE_GOLDEN=1 writes the golden files of the form that is being developed. Once a version is released, its files are what users have: they are
// never written again, `VERSION` becomes the next one, and the old files stay and are read for ever.
const VERSION = fileURLToPath(new URL("./v1", import.meta.url));

/** Lets the real engine leave all golden runs in a store; gives their ids by the names of the cases. */
async function writeAll(store: Store): Promise<ReadonlyMap<string, string>> {
  const runs = new Map<string, string>();
  for (const golden of GOLDEN_CASES) {
    runs.set(golden.name, await golden.write(processesOver(store, { day: 1, mended: false, policy: golden.policy })));
  }
  return runs;
}

/** What becomes of each run in a store of its own. */
async function findAll(runs: ReadonlyMap<string, string>, openCopy: () => Promise<Store>): Promise<{ readonly [name: string]: Findings }> {
  const findings: { [name: string]: Findings } = {};
  for (const golden of GOLDEN_CASES) {
    const store = await openCopy();
    findings[golden.name] = await tryOut(store, golden, runs.get(golden.name)!);
    await store.close();
  }
  return findings;
}

function write(name: string, content: unknown): Promise<void> {
  return writeFile(join(VERSION, name), `${JSON.stringify(content, undefined, 1)}\n`);
}

async function writeThroughPort(): Promise<void> {
  const store = memoryStore();
  const runs = await writeAll(store);
  const dump = await dumpRuns(store);
  const openCopy = async (): Promise<Store> => {
    const copy = memoryStore();
    await restoreRuns(dump, copy);
    return copy;
  };
  await write("runs.json", { ...dump, findings: await findAll(runs, openCopy) });
  const exporter = processesOver(await openCopy(), { day: 2, mended: false })();
  const names = ["calls", "latest", "moved", "revised"];
  const files: { [name: string]: string } = {};
  for (const name of names) files[name] = await exporter.runs.export(runs.get(name)!, { drafts: true });
  await write("exported.json", files);
}

async function writeDatabase(): Promise<void> {
  const store = indexedDbStore({ name: "golden" });
  const runs = await writeAll(store);
  await store.close();
  const dump = await dumpDatabase("golden");
  let copies = 0;
  const openCopy = async (): Promise<Store> => {
    const name = `golden-${(copies += 1)}`;
    await restoreDatabase(name, dump);
    return indexedDbStore({ name });
  };
  await write("indexeddb.json", { ...dump, findings: await findAll(runs, openCopy) });
}

async function writeDirectory(name: string, open: (directory: string) => Promise<Store>): Promise<void> {
  const directory = join(VERSION, name);
  const store = await open(directory);
  const runs = await writeAll(store);
  await store.close();
  // A cache that goes by the times of files: a copy has others.
  await rm(join(directory, "index"), { recursive: true, force: true });
  const scratch = await mkdtemp(join(tmpdir(), "golden-"));
  let copies = 0;
  const openCopy = async (): Promise<Store> => {
    const copy = join(scratch, String((copies += 1)));
    await cp(directory, copy, { recursive: true });
    return open(copy);
  };
  await write(`${name}.json`, { findings: await findAll(runs, openCopy) });
  await rm(scratch, { recursive: true });
}

test.runIf(process.env["UPDATE_GOLDEN"] === "1")(
  "the golden files are written",
  async () => {
    await rm(VERSION, { recursive: true, force: true });
    await mkdir(VERSION, { recursive: true });
    await writeThroughPort();
    await writeDatabase();
    await writeDirectory("filesystem", async (directory) => filesystemStore(directory));
    await writeDirectory("encrypted", (directory) => encryptedStore(filesystemStore(directory), { key: GOLDEN_KEY }));
    expect(GOLDEN_CASES.length).toBeGreaterThan(10);
  },
  120_000,
);
