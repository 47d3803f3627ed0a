import { describe, expect, test } from "vitest";
import type { Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { simulate } from "wavepoint/testing";
import { seedsFrom } from "./seeds.ts";

/** Places on memory, with something done to their stores. */
function placesOf(spoil: (store: Store) => Store) {
  return async () => {
    const store = spoil(memoryStore());
    return { open: async () => store, dispose: async () => {} };
  };
}

/** What is found first, within so many seeds. */
async function firstProblem(spoil: (store: Store) => Store, seeds = 60): Promise<string> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    try {
      await simulate({ seed, makePlace: placesOf(spoil) });
    } catch (error) {
      return (error as Error).message;
    }
  }
  return "nothing";
}

describe("a simulated run", () => {
  test("is the same each time, on memory, and tells what happened", async () => {
    const reports = [];
    for (const seed of [5, 5, 6]) reports.push(await simulate({ seed, makePlace: placesOf((store) => store) }));
    expect(reports[1]).toEqual(reports[0]);
    expect(reports[2]!.acts).not.toEqual(reports[0]!.acts);
    expect(reports[0]!.executions).toBeGreaterThan(0);
  });

  test("ends as it does where nothing goes wrong", { timeout: 60_000 }, async () => {
    // The first of each kind; more of them are simulated by the test of the store in memory.
    const firsts = [1, 5_000_000, 6_000_000, 7_000_000, 8_000_000];
    for (const seed of new Set(firsts.flatMap((first) => seedsFrom(first, 1)))) {
      await simulate({ seed, makePlace: placesOf((store) => store) });
    }
  });
});

describe("seeds that once found a fault", () => {
  test.each([
    ["the newest state alone was kept in a form that could not be read", 2_002_144],
    ["a wrong answer to a question that was taken back", 2_004_188],
    ["the same, after a crash", 2_005_595],
    ["a process that had yet to read a revision went on with the former answer", 2_003_646],
    ["the same, in a called run", 2_003_820],
    ["the same, before a retry", 2_009_627],
    ["the same, where two answers were changed", 2_009_705],
    ["what failed behind the place to which a revision led was not tried again", 4_002_025],
    ["a run that was cancelled called another one", 4_019_736],
    ["the draft of question 12 was taken for that of question 1", 4_032_521],
    ["a newer signal was taken before an older one, of which this process had yet to read", 7_011_368],
    ["a run ended with a question that was taken back while its outputs were made", 7_024_109],
    ["back led to what a block had asked that was added and fell away", 7_024_699],
    ["a fork of a run whose called run another process executes", 7_021_703],
    ["of two signals the one that this process had sent itself counted as the older one", 7_023_173],
    ["a checkpoint that another process had stored was compared with what this one knew of the run", 7_027_021],
    ["a block that was added asked after a revision, of which its process had yet to read, had taken it away", 8_000_928],
    ["blocks that an execution from before a revision had added did not fit into the run", 7_031_625],
    ["files that a block had read before a revision counted as those that were there after it", 8_003_637],
    ["a fork of a fork began before the beginning of the first one, with other deeds than that had", 7_050_409],
    ["a fork knew of a deed of the run it comes from, which undid that later itself", 8_201_042],
    ["a fork began where its run stood in memory, which was about to be stored", 7_038_262],
    ["a block asked that was added here behind a revision, of which its process had yet to read", 7_039_391],
    ["a called run that was stopped by itself went on with its caller", 7_031_316],
    ["a signal to a called run let its caller, which had failed, go on", 7_034_298],
    ["a fork of a cancelled run began behind what had been aborted there, and before its end", 7_027_184],
  ])("%s: %i", { timeout: 60_000 }, async (_, seed) => {
    await simulate({ seed, makePlace: placesOf((store) => store) });
  });
});

describe("a store that is wrong is found out, with the seed", () => {
  test("it does not compare revisions", async () => {
    const spoil = (store: Store): Store => ({
      ...store,
      async commit(commit) {
        const head = await store.head(commit.run);
        await store.commit({ ...commit, expected: head && { revision: head.revision, epoch: head.epoch } });
      },
    });
    expect(await firstProblem(spoil)).toMatch(/^Simulation of seed \d+: /);
  });

  test("it loses a commit that it acknowledged", async () => {
    let commits = 0;
    const spoil = (store: Store): Store => ({
      ...store,
      commit: (commit) => ((commits += 1) % 7 === 0 ? Promise.resolve() : store.commit(commit)),
    });
    expect(await firstProblem(spoil)).toMatch(/^Simulation of seed \d+: /);
  });

  test("it keeps the notes that a commit drops", async () => {
    const spoil = (store: Store): Store => ({ ...store, commit: ({ dropNotes: _kept, ...commit }) => store.commit(commit) });
    expect(await firstProblem(spoil, 200)).toMatch(/draft|note/);
  });

  test("it forgets the last entry of what it reads", async () => {
    const spoil = (store: Store): Store => ({ ...store, read: async (run, range) => (await store.read(run, range)).slice(0, -1) });
    expect(await firstProblem(spoil)).toMatch(/^Simulation of seed \d+: /);
  });
});
