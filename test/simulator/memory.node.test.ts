import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../package/source-files.ts";
import { seedsFrom } from "./seeds.ts";

const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const SIMULATIONS = Number(process.env.WAVEPOINT_SIMULATIONS ?? (IS_LONG ? 100_000 : 50));
const PATIENCE_MS = IS_LONG ? 7_200_000 : 180_000;
/** Seeds that one process simulates: it reports after them. */
const PORTION = 2_500;

const folder = mkdtempSync(join(tmpdir(), "wavepoint-simulator-"));
const script = join(folder, "main.mjs");
const SOURCES = { conditions: ["wavepoint:source"] };

// In processes of their own, on all cores, without what makes tests comfortable and slow.
beforeAll(async () => {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: "silent",
    resolve: SOURCES,
    ssr: { noExternal: true, resolve: SOURCES },
    build: {
      ssr: fileURLToPath(new URL("run-seeds.ts", import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "main.mjs" } },
    },
  });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  readonly simulations: number;
  readonly crashes: number;
  readonly failures: number;
  readonly executions: number;
  readonly forks: number;
  readonly revisions: number;
  readonly problems: readonly string[];
}

async function simulateSeeds(from: number, to: number): Promise<Told> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(from), String(to)], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Told;
}

test(
  `D6: ${SIMULATIONS} simulated runs on memory, with answers that were changed, end as they do where nothing goes wrong, and nothing that was stored is lost or done again`,
  async () => {
    const fifth = Math.floor(SIMULATIONS / 5);
    const isChosen = seedsFrom(1, 2).length === 1;
    // From five millions on workflows have channels, loops and branches too, from six millions on blocks that add blocks, from seven millions on signals and undoing, from eight millions on files and far more changes of answers.
    const ranges = isChosen
      ? [seedsFrom(1, 1)]
      : [
          seedsFrom(1, SIMULATIONS - 4 * fifth),
          seedsFrom(5_000_000, fifth),
          seedsFrom(6_000_000, fifth),
          seedsFrom(7_000_000, fifth),
          seedsFrom(8_000_000, fifth),
        ];
    const seeds = ranges.flat();
    const size = Math.min(PORTION, Math.ceil(seeds.length / availableParallelism()));
    const portions: (readonly [from: number, to: number])[] = [];
    for (const range of ranges) {
      for (let at = 0; at < range.length; at += size) portions.push([range[at]!, range[Math.min(at + size, range.length) - 1]! + 1]);
    }
    const all: Told[] = [];
    await Promise.all(
      Array.from({ length: availableParallelism() }, async () => {
        for (let next = portions.shift(); next !== undefined; next = portions.shift()) all.push(await simulateSeeds(...next));
      }),
    );
    const sum = (count: (told: Told) => number): number => all.reduce((total, told) => total + count(told), 0);
    const counts = {
      simulations: sum((told) => told.simulations),
      crashes: sum((told) => told.crashes),
      failures: sum((told) => told.failures),
      executions: sum((told) => told.executions),
      forks: sum((told) => told.forks),
      revisions: sum((told) => told.revisions),
    };
    if (IS_LONG) process.stdout.write(`${JSON.stringify(counts)}\n`);
    expect(all.flatMap(({ problems }) => problems)).toEqual([]);
    expect(counts.simulations).toBe(seeds.length);
    // Something did go wrong.
    if (seeds.length > 1)
      expect(Math.min(counts.crashes, counts.failures, counts.forks, counts.revisions)).toBeGreaterThan(seeds.length / 20);
  },
  PATIENCE_MS,
);
