import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { startGuarded } from "../support/guarded-process.ts";
import { seededChance } from "../support/seeded.ts";

const KILLS = process.env.WAVEPOINT_LONG === undefined ? 6 : 100;
const HOTELS = 12;
/** Lines that a process writes between two kills, at most. */
const MOST_LINES = 12;
const LOOK_MS = 2;

const chance = seededChance();
let built: BuiltProcess | undefined;

beforeAll(async () => {
  built = await buildProcess(new URL("processes/guest.ts", import.meta.url));
}, 120_000);
afterAll(() => built?.remove());

function linesOf(ledger: string): readonly string[] {
  return readFileSync(ledger, "utf8").split("\n").filter(Boolean);
}

/** Lets a process travel until it has written some lines, and kills it. Gives whether it came to its end before. */
async function travelAndDie(root: string, ledger: string, lines: number): Promise<boolean> {
  const guest = startGuarded(process.execPath, [built!.script, join(root, "runs"), ledger, String(HOTELS)]);
  let isGone = false;
  void guest.gone.then(() => (isGone = true));
  const enough = linesOf(ledger).length + lines;
  while (!isGone && linesOf(ledger).length < enough) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  await guest.kill();
  return linesOf(ledger).some((line) => line.startsWith("all done"));
}

test(`D1: killed ${KILLS} times at random moments, a resource that a block got is found again, and none is open once the run has ended`, async () => {
  let [kills, found, left] = [0, 0, 0];
  // A process that is killed just before the run waits has nothing to give up there: then one more run shows it.
  while (kills < KILLS || left === 0) {
    const root = mkdtempSync(join(tmpdir(), "wavepoint-hotels-"));
    const ledger = join(root, "ledger");
    writeFileSync(ledger, "");
    try {
      for (let over = false; !over;) {
        over = await travelAndDie(root, ledger, kills < KILLS ? 1 + chance.between(0, MOST_LINES) : Infinity);
        if (!over) kills += 1;
      }
      const lines = linesOf(ledger);
      const where = `WAVEPOINT_SEED=${chance.seed}`;
      const roomsOf = (verb: string): readonly string[] =>
        lines.flatMap((line) => (line.startsWith(`${verb} `) ? [line.slice(verb.length + 1)] : []));
      expect(lines.at(-1), where).toBe("all done: success");
      // Each hotel has given one room, which no guest found locked.
      expect(new Set(roomsOf("open")).size, where).toBe(HOTELS);
      expect(roomsOf("locked"), where).toEqual([]);
      expect(new Set(roomsOf("close")), where).toEqual(new Set(roomsOf("open")));
      // What a block had got was stored: no other process opens it again.
      for (const [i, line] of lines.entries()) {
        const [verb, room] = line.split(" ");
        if (verb === "got") expect(lines.slice(i), where).not.toContain(`open ${room}`);
        // What was given up while the run waited is found before a block has it again.
        if (verb !== "left") continue;
        left += 1;
        const next = lines.slice(i).find((one) => one === `found ${room}` || one === `got ${room}`);
        expect(next ?? `found ${room}`, where).toBe(`found ${room}`);
      }
      found += roomsOf("found").length;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  // Kills did hit runs that had resources.
  expect(found).toBeGreaterThan(0);
}, 300_000);
