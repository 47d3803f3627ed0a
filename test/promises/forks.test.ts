import { expect, test } from "vitest";
import { fillIn } from "../support/fill-in.ts";
import { PLACES } from "./places.ts";
import { storedRuns, type StoredRun } from "./stored-bytes.ts";
import { ANSWERS, tripExecutor } from "./trip.ts";

const OTHERS = { name: "Ben", "lodging/hotel": "Small", food: "soup" };

/** All that is stored of the run, and of what it called. */
const storedOf = (runs: readonly StoredRun[], id: string): readonly StoredRun[] =>
  runs.filter(({ head }) => head.id === id || head.parent?.run === id);

test.each(PLACES)(
  "D12: forks share a past, and neither a fork nor its source ever changes what is stored of the other: %s",
  async (_, make) => {
    const place = await make();
    const store = place.open();
    const dump = (): Promise<readonly StoredRun[]> => storedRuns(store);
    const run = await tripExecutor(store).start("trip", { city: "Porto" });
    await fillIn(run, ANSWERS);
    const { items } = await store.checkpoints({ run: run.id });
    expect(items.length).toBeGreaterThan(4);
    const source = storedOf(await dump(), run.id);
    const forks: string[] = [];
    for (const { kind, number, entries } of items) {
      const checkpoint = `${kind === "wave" ? "chk" : "pause"}_${run.id.slice("run_".length)}.${number}`;
      const other = place.open();
      const fork = await tripExecutor(other).fork(checkpoint);
      forks.push(fork.id);
      expect(storedOf(await dump(), run.id)).toEqual(source);
      await fillIn(fork, OTHERS);
      expect(await fork.settled()).toMatchObject({ status: "success" });
      expect(storedOf(await dump(), run.id)).toEqual(source);
      await other.close();
      const own = (await dump()).find(({ head }) => head.id === fork.id)!;
      expect(own.entries.slice(0, entries)).toEqual(source.find(({ head }) => head.id === run.id)!.entries.slice(0, entries));
    }
    // From the first checkpoint all is answered anew, from the last one nothing.
    const outputs = await Promise.all(forks.map(async (id) => (await tripExecutor(store).open(id)).getSnapshot().outputs?.["all"]));
    expect(outputs[0]).toBe("Ada, to Porto: Grand, fish");
    expect(outputs.at(-1)).toBe("Ben, to Porto: Small, soup");
    const before = await dump();
    const [kept, ...gone] = [forks.at(-1)!, run.id, ...forks.slice(0, -1)];
    for (const id of gone) {
      await tripExecutor(store).runs.delete(id);
      expect(storedOf(await dump(), kept)).toEqual(storedOf(before, kept));
    }
    expect((await dump()).map(({ head }) => head.parent?.run ?? head.id)).toEqual(storedOf(before, kept).map(() => kept));
    expect((await tripExecutor(store).open(kept)).getSnapshot().outputs).toEqual({ all: "Ben, to Porto: Small, soup" });
    await store.close();
    await place.remove();
  },
);
