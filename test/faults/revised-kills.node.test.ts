import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { buildProcess, type BuiltProcess } from "../support/built-process.ts";
import { startGuarded } from "../support/guarded-process.ts";
import { SIZE } from "../support/orders.ts";
import { firstUses, mixedKeys, type Put } from "../support/put-service.ts";

/** In the short form the process dies at every few writes, in turns before and after. */
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
const LONGEST_MS = 3_600_000;

type Wish = readonly ["answer" | "revise" | "finish", path: string, answer: string];

interface Line {
  readonly by: string;
  readonly put?: Put;
  readonly done?: number;
  readonly commits?: number;
  readonly status?: string;
  readonly outputs?: { readonly [name: string]: unknown };
}

let built: BuiltProcess | undefined;
let root: string;

beforeAll(async () => {
  built = await buildProcess(new URL("processes/changer.ts", import.meta.url));
}, 120_000);
afterAll(() => built?.remove());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "wavepoint-changes-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A folder with a run, and the ledger of all processes that worked on it. */
function makePlace(name: string) {
  const ledger = join(root, `${name}.ledger`);
  writeFileSync(ledger, "");
  const lines = (by?: string): readonly Line[] =>
    readFileSync(ledger, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => by === undefined || line.by === by);
  let processes = 0;

  /** Lets a process do what is wished. Gives its lines once it is gone. */
  async function live(wishes: readonly Wish[], death: readonly string[] = []): Promise<readonly Line[]> {
    const by = String((processes += 1));
    const changer = startGuarded(process.execPath, [built!.script, join(root, name), ledger, by, JSON.stringify(wishes), ...death]);
    let complaints = "";
    changer.stderr.on("data", (chunk: Buffer) => (complaints += chunk.toString()));
    await changer.gone;
    expect(complaints).toMatch(/^(?:Killed\n)?$/);
    return lines(by);
  }
  return { lines, live };
}

/** The points at which a process is killed that makes so many commits: in the short form so many. */
function deathsOf(commits: number, few: number): readonly (readonly string[])[] {
  const all = Array.from({ length: commits * 2 }, (_, i) => [String((i >> 1) + 1), i % 2 === 0 ? "before" : "after"]);
  // An odd number, so that it dies before one write and after another.
  const stride = IS_LONG ? 1 : Math.floor(all.length / few) | 1;
  return all.filter((_, i) => i % stride === 0);
}

const commitsOf = (lines: readonly Line[]): number => Math.max(0, ...lines.map(({ commits = 0 }) => commits));
const doneOf = (lines: readonly Line[]): number => lines.filter(({ done }) => done !== undefined).length;

test(
  "D21: killed at its records, a process that tells a service A, B and A again ends at A, with three keys of one value each",
  async () => {
    const wishes: readonly Wish[] = [
      ["answer", SIZE, "A"],
      ["revise", SIZE, "B"],
      ["revise", SIZE, "A"],
      ["finish", "", "yes"],
    ];
    const commits = commitsOf(await makePlace("whole").live(wishes));
    expect(commits).toBeGreaterThan(10);
    let kills = 0;
    for (const death of deathsOf(commits, 3)) {
      const scene = `killed ${death[1]} commit ${death[0]}`;
      const { live, lines } = makePlace(death.join("-"));
      const first = await live(wishes, death);
      if (first.every(({ status }) => status === undefined)) kills += 1;
      // The wish that was under way is done again: it may be recorded or not.
      const last = await live(wishes.slice(doneOf(first)));
      expect(last.at(-1), scene).toMatchObject({ status: "completed", outputs: { printed: "A" } });
      const puts = lines().flatMap(({ put }) => put ?? []);
      expect(mixedKeys(puts), scene).toEqual([]);
      expect(
        firstUses(puts).map(({ value }) => value),
        scene,
      ).toEqual(["A", "B", "A"]);
    }
    expect(kills).toBeGreaterThan(1);
  },
  LONGEST_MS,
);

test(
  "D21: killed while it changes an answer two calls down, beside a process that answers an open question, it leaves no run that ends with the old answer",
  async () => {
    const begin: readonly Wish[] = [["answer", SIZE, "S"]];
    const change: readonly Wish[] = [["revise", SIZE, "L"]];
    const whole = makePlace("whole");
    await whole.live(begin);
    const commits = commitsOf(await whole.live(change));
    expect(commits).toBeGreaterThanOrEqual(3);
    let kills = 0;
    for (const death of deathsOf(commits, 3)) {
      const scene = `killed ${death[1]} commit ${death[0]}`;
      const { live, lines } = makePlace(death.join("-"));
      await live(begin);
      const [killed, other] = await Promise.all([live(change, death), live([["answer", "note", "quick"]])]);
      if (killed.every(({ status }) => status === undefined)) kills += 1;
      expect(doneOf(other), scene).toBe(1);
      const last = await live([...change, ["finish", "", "yes"]]);
      expect(last.at(-1), scene).toMatchObject({ status: "completed", outputs: { printed: "L", note: "quick", sure: "yes" } });
      const puts = lines().flatMap(({ put }) => put ?? []);
      expect(
        firstUses(puts).map(({ value }) => value),
        scene,
      ).toEqual(["S", "L"]);
    }
    expect(kills).toBeGreaterThan(1);
  },
  LONGEST_MS,
);
