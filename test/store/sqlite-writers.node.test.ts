import * as fc from "fast-check";
import Database from "libsql";
import { expect, test } from "vitest";
import { isWorkflowError, type Commit, type RunHead, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { sqlitePlace } from "./sqlite-places.ts";

const RUNS = process.env.WAVEPOINT_LONG === undefined ? 30 : 2_000;

const IDS = ["run_a", "run_b"] as const;

const steps = fc.array(
  fc.record({
    run: fc.constantFrom(...IDS),
    store: fc.nat(1),
    does: fc.constantFrom("goes on", "goes on", "goes on", "changes", "takes", "trims", "adds several", "is deleted"),
    /** How many commits ago its writer read the run. */
    behind: fc.constantFrom(0, 0, 0, 0, 1, 2),
    status: fc.constantFrom("running", "running", "paused"),
  }),
  { minLength: 5, maxLength: 40 },
);

type Step = Omit<typeof steps extends fc.Arbitrary<readonly (infer T)[]> ? T : never, "store">;

function commitOf({ run, does, status }: Step, before: RunHead | undefined, at: number): Commit {
  const added = does === "adds several" ? 3 : 1;
  const entries = (before?.entries ?? 0) + added;
  const isNew = before === undefined || does === "changes";
  const head: RunHead = {
    ...(before ?? { id: run, workflow: "flow", definition: "hash", createdAt: at, epoch: 0, pauses: [] }),
    status: isNew ? status : before.status,
    changedAt: isNew ? at : before.changedAt,
    updatedAt: at,
    revision: (before?.revision ?? 0) + 1,
    epoch: (before?.epoch ?? 0) + (does === "takes" ? 1 : 0),
    entries,
    ...(does === "trims" && { base: entries }),
  };
  return {
    run,
    expected: before && { revision: before.revision, epoch: before.epoch },
    head,
    entries: Array.from({ length: added }, (_, i) => `entry ${at}.${i}`),
    ...(does === "trims" && { base: { at: entries, text: `base ${at}` } }),
    durability: "strict",
  };
}

/** What a call comes to: what it gives, or the code of what it throws. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value) => ({ value }),
    (thrown: unknown) => ({ code: isWorkflowError(thrown) ? thrown.code : thrown }),
  );
}

test("two writers on one file see what two on a store in memory see, also when one is behind", { timeout: 600_000 }, async () => {
  let accepted = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const place = sqlitePlace((path) => new Database(path));
      const memory = memoryStore();
      try {
        const stores = [await place.open(), await place.open()];
        const heads = new Map<string, RunHead[]>(IDS.map((id) => [id, []]));
        for (const [at, { store, ...step }] of all.entries()) {
          const known = heads.get(step.run)!;
          const change = (to: Store): Promise<void> =>
            step.does === "is deleted" ? to.delete(step.run) : to.commit(commitOf(step, known.at(-1 - step.behind), at + 1));
          const expected = await outcome(change(memory));
          expect(await outcome(change(stores[store]!))).toEqual(expected);
          const head = await memory.head(step.run);
          if (!head) heads.set(step.run, []);
          else if (head.revision !== known.at(-1)?.revision) known.push(head);
          if ("code" in (expected as object)) refused++;
          else accepted++;
          for (const reader of stores) {
            expect(await reader.head(step.run)).toEqual(head);
            expect(await reader.read(step.run)).toEqual(await memory.read(step.run));
            expect(await reader.runs({ status: "running" })).toEqual(await memory.runs({ status: "running" }));
          }
        }
      } finally {
        await place.dispose();
      }
    }),
    { numRuns: RUNS },
  );
  expect(accepted).toBeGreaterThan(refused);
  expect(refused).toBeGreaterThan(RUNS / 2);
});
