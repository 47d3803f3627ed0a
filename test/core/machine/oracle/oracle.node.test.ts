import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { memoryStore } from "wavepoint/store/memory";
import { restoreRuns, type GoldenRuns } from "../../../golden/golden-runs.ts";
import golden from "../../../golden/v1/runs.json" with { type: "json" };
import { foldedState } from "../folded-state.ts";
import type { Recorded } from "./record-journals.ts";

// What the machine makes of journals that are kept, after each of their entries: those of the golden runs, of the cases of the corpus and of the
// simulator. `states.json` holds a hash of all states of each journal, and the last state of most golden ones in full. Where the form of journals
// or the meaning of an entry was changed on purpose, UPDATE_ORACLE=1 records the journals anew and writes what the machine makes of them.
const FOLDER = fileURLToPath(new URL(".", import.meta.url));
const JOURNALS = `${FOLDER}journals.json.br`;
const STATES = `${FOLDER}states.json`;
/** Characters of the longest state that is kept in full. */
const MAX_SHOWN = 4_000;
const IS_UPDATE = process.env["UPDATE_ORACLE"] !== undefined;

/** What is known of one journal. */
interface Known {
  readonly entries: number;
  /** Of all its states, one after another. */
  readonly hash: string;
  /** The last of them. */
  readonly last?: string;
}

let recorded: Recorded;
let known: { readonly [journal: string]: Known };

beforeAll(async () => {
  if (IS_UPDATE) {
    const { recordJournals } = await import("./record-journals.ts");
    const text = Buffer.from(JSON.stringify(await recordJournals()));
    await writeFile(JOURNALS, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }));
  }
  recorded = JSON.parse(brotliDecompressSync(await readFile(JOURNALS)).toString()) as Recorded;
  known = IS_UPDATE ? {} : (JSON.parse(await readFile(STATES, "utf8")) as typeof known);
}, 600_000);

/** What the machine makes of all journals of some runs. */
async function foldAll(name: string, kept: GoldenRuns, isShown: boolean): Promise<{ readonly [journal: string]: Known }> {
  const store = memoryStore();
  await restoreRuns(kept, store);
  const folded: { [journal: string]: Known } = {};
  for (const { head } of kept.runs) {
    const hash = createHash("sha256");
    let last = "";
    for (let entries = head.base ?? 1; entries <= head.entries; entries++) {
      last = await foldedState(store, head.id, entries);
      hash.update(last);
    }
    folded[`${name}: ${head.id}`] = {
      entries: head.entries,
      hash: hash.digest("hex").slice(0, 32),
      ...(isShown && last.length <= MAX_SHOWN ? { last } : {}),
    };
  }
  return folded;
}

test("journals fold to the states that are known, entry by entry", { timeout: 300_000 }, async () => {
  const folded: { [journal: string]: Known } = await foldAll("golden", golden as unknown as GoldenRuns, true);
  for (const [name, kept] of Object.entries(recorded)) Object.assign(folded, await foldAll(name, kept, false));
  if (IS_UPDATE) await writeFile(STATES, `${JSON.stringify(folded, undefined, 1)}\n`);
  else expect(folded).toEqual(known);
  expect(Object.keys(folded).length).toBeGreaterThan(300);
});
