import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { startGuarded } from "../support/guarded-process.ts";
import { seededChance } from "../support/seeded.ts";

const KILLS = process.env.WAVEPOINT_LONG === undefined ? 6 : 100;
const BILLS = 40;
/** Lines that a process writes between two kills, at most. */
const MOST_LINES = 12;
const LOOK_MS = 2;

const chance = seededChance();
let built: BuiltProcess | undefined;

beforeAll(async () => {
  built = await buildProcess(new URL("processes/payer.ts", import.meta.url));
}, 120_000);
afterAll(() => built?.remove());

function linesOf(ledger: string): readonly string[] {
  return readFileSync(ledger, "utf8").split("\n").filter(Boolean);
}

/** Lets a process pay until it has written some lines, and kills it. Gives whether it came to its end before. */
async function payAndDie(root: string, ledger: string, lines: number): Promise<boolean> {
  const payer = startGuarded(process.execPath, [built!.script, join(root, "runs"), ledger, String(BILLS)]);
  let isGone = false;
  void payer.gone.then(() => (isGone = true));
  const enough = linesOf(ledger).length + lines;
  while (!isGone && linesOf(ledger).length < enough) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  await payer.kill();
  return linesOf(ledger).includes("all done");
}

test(`D10: killed ${KILLS} times at random moments, no bill is paid twice, no attempt has the number of another, and no result that was stored is made again`, async () => {
  let [kills, asked] = [0, 0];
  while (kills < KILLS) {
    const root = mkdtempSync(join(tmpdir(), "wavepoint-bills-"));
    const ledger = join(root, "ledger");
    writeFileSync(ledger, "");
    try {
      for (let over = false; !over;) {
        over = await payAndDie(root, ledger, kills < KILLS ? 1 + chance.between(0, MOST_LINES) : Infinity);
        if (!over) kills += 1;
      }
      const lines = linesOf(ledger);
      const where = `WAVEPOINT_SEED=${chance.seed}`;
      const payments = lines.filter((line) => line.startsWith("pay ")).map((line) => line.split(" ")[1]!);
      expect(payments.length, where).toBe(new Set(payments).size);
      expect(payments.length, where).toBe(BILLS);
      const notes = lines.filter((line) => line.startsWith("note "));
      expect(notes.length, where).toBe(new Set(notes).size);
      expect(new Set(notes.map((line) => line.split(" ")[1]!)).size, where).toBe(BILLS);
      // What a block learned to be stored is not done again.
      for (const [i, line] of lines.entries()) {
        if (line.startsWith("looked ")) expect(lines.slice(i), where).not.toContain(`look ${line.slice("looked ".length)}`);
      }
      expect(new Set(lines.filter((line) => line.startsWith("looked "))).size, where).toBe(BILLS);
      asked += lines.filter((line) => line.startsWith("asked ")).length;
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  // Kills did hit payments that were under way.
  expect(asked).toBeGreaterThan(0);
}, 300_000);
