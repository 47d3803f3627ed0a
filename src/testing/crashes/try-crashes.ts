import { assertOptions } from "../../core/model/assert-options.ts";
import type { Disk } from "../../core/ports/disk.ts";
import type { Store } from "../../core/ports/store.ts";
import { runWriter } from "../conformance/writer.ts";
import { type CrashDisk, crashDisk } from "./crash-disk.ts";
import type { CrashBounds } from "./disk-states.ts";
import { type CrashLedger, type CrashMoment, crashLedger } from "./ledger.ts";
import { expectEqual } from "../conformance/assertion.ts";
import { playCrashScript, SCRIPT_RUNS, tell } from "./script.ts";

/** How {@link tryCrashes} tries a store. */
export interface CrashTrial {
  /** A store on a disk, as a new process would open it. */
  open(disk: Disk): Store;
  /** How many states of each moment are tried. */
  readonly bounds?: CrashBounds;
  /**
   * Also kills the process at every so many operations, lets another one go on, and cuts the power during its first commits and after them. Default: the
   * process is never killed.
   */
  readonly killEvery?: number;
}

/** What {@link tryCrashes} went through. */
export interface CrashCounts {
  /** Operations of the script that changed the disk. */
  readonly operations: number;
  /** When the power was cut: before each sync, and after each acknowledgement. */
  readonly moments: number;
  /** States the disk could be in at all these moments. */
  readonly states: number;
  /** Those that differ in what the disk holds or in what was acknowledged: on each of them the store was opened. */
  readonly opened: number;
  /** Processes that were killed. */
  readonly kills: number;
}

/** What is committed after a power cut. */
const NEXT: readonly string[] = ['{"next":1}', '{"next":2}'];

interface Waiting {
  readonly disk: CrashDisk;
  readonly key: string;
  readonly moment: CrashMoment;
}

/**
 * Runs a script of all kinds of writes on a {@link crashDisk}, and opens the store on every state in which a power cut may leave it, up to
 * the bounds: what was acknowledged must be there byte for byte, what was not is whole or absent, nothing else is there, and the next commit
 * works and stays. Throws at the first state that breaks this, and says what the disk held.
 */
export async function tryCrashes(trial: CrashTrial): Promise<CrashCounts> {
  assertOptions("tryCrashes", trial, { open: true, bounds: true, killEvery: true });
  const { open, bounds, killEvery } = trial;
  assertOptions("tryCrashes bounds", bounds, { names: true, files: true, sectorBytes: true, sectors: true });
  const counts = { operations: 0, moments: 0, states: 0, opened: 0, kills: 0 };
  const seen = new Set<string>();

  /** Notes the states of this moment that were not tried yet. */
  function look(disk: CrashDisk, ledger: CrashLedger, waiting: Waiting[]): void {
    const moment = ledger.moment();
    counts.moments += 1;
    for (const { key, restore } of disk.states(bounds)) {
      counts.states += 1;
      const both = `${moment.key}\n${key}`;
      if (seen.has(both)) continue;
      seen.add(both);
      waiting.push({ disk: restore(), key, moment });
    }
  }

  async function tryAll(ledger: CrashLedger, waiting: Waiting[]): Promise<void> {
    for (const { disk, key, moment } of waiting.splice(0)) {
      try {
        await tryState(open, { disk, ledger, moment, withBase: counts.opened % 4 === 0 });
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`After a power cut with ${moment.key} acknowledged and this on the disk:\n${key}\n${reason}`, { cause: error });
      }
      counts.opened += 1;
    }
  }

  async function powerCuts(): Promise<void> {
    const ledger = crashLedger();
    const waiting: Waiting[] = [];
    const disk: CrashDisk = crashDisk({ beforeSync: () => look(disk, ledger, waiting) });
    await playCrashScript({
      ledger,
      open: () => open(disk),
      async afterWrite() {
        look(disk, ledger, waiting);
        await turn();
        await tryAll(ledger, waiting);
      },
    });
    counts.operations = disk.operations;
    await tryAll(ledger, waiting);
  }

  async function kill(operation: number): Promise<void> {
    const ledger = crashLedger();
    const waiting: Waiting[] = [];
    let isDead = false;
    const disk: CrashDisk = crashDisk({ beforeSync: () => isDead && look(disk, ledger, waiting) });
    const process = disk.killedAt(operation);
    await playCrashScript({ ledger, open: () => open(process), afterWrite: turn }).catch(() => {});
    const survivor = open(disk);
    const heads = await ledger.check(survivor, ledger.moment());
    for (const run of SCRIPT_RUNS) ledger.goOnFrom(run, heads.get(run));
    isDead = true;
    for (const run of SCRIPT_RUNS) {
      await tell(ledger, survivor, { run, entries: ['{"survivor":1}'] });
      look(disk, ledger, waiting);
    }
    counts.kills += 1;
    await tryAll(ledger, waiting);
  }

  await powerCuts();
  if (killEvery !== undefined) for (let at = 0; at < counts.operations; at += killEvery) await kill(at);
  return counts;
}

interface StateTrial {
  readonly disk: CrashDisk;
  readonly ledger: CrashLedger;
  readonly moment: CrashMoment;
  /** Whether the next commit has a base. */
  readonly withBase: boolean;
}

/** Opens the store on a disk after a power cut, checks what it shows, commits, cuts the power again and looks for the commit. */
async function tryState(open: CrashTrial["open"], { disk, ledger, moment, withBase }: StateTrial): Promise<void> {
  const store = open(disk);
  const heads = await ledger.check(store, moment);
  const [run] = SCRIPT_RUNS;
  const writer = runWriter(store, run, heads.get(run));
  const entries = await store.read(run);
  const base = withBase ? { at: writer.head?.entries ?? 1, text: '{"base":"next"}' } : undefined;
  await writer.commit(NEXT, base && { base });
  const again = open(disk.powerCut());
  expectEqual(await again.head(run), writer.head, "the head after the next commit and one more power cut");
  const kept = base === undefined ? [...entries, ...NEXT] : [base.text, ...NEXT.slice(heads.get(run) === undefined ? 1 : 0)];
  expectEqual(await again.read(run), kept, "the journal after the next commit and one more power cut");
}

/** Lets what a store does behind an acknowledgement happen. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
