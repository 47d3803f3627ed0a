import { afterEach, describe, expect, test } from "vitest";
import { createExecutor, isWorkflowError, type Block, type Executor, type Run, type Workflow } from "wavepoint";
import { failAt, fakeHost, faultyStore, type FaultyStore } from "wavepoint/testing";
import { openIn } from "../support/orders.ts";
import { pauseOf } from "../support/pause-of.ts";
import type { Place } from "./place.ts";
import { PLACES } from "./places.ts";

const ask = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "GetInput", inputs: { prompt: `${id}?` }, ...more });

const echo = (id: string, more: Partial<Block> = {}): Block => ({ id, type: "EchoBlock", inputs: { message: id }, ...more });

/** Four questions, one after another, and one beside the last of them, in another branch. */
const WIZARD: Workflow = {
  name: "wizard",
  blocks: [
    echo("begin"),
    echo("prepare", { dependsOn: ["begin"] }),
    echo("ready", { dependsOn: ["prepare"] }),
    ask("side", { dependsOn: ["ready"] }),
    ask("first"),
    ask("second", { dependsOn: ["first"] }),
    ask("third", { dependsOn: ["second"] }),
    ask("fourth", { dependsOn: ["third"] }),
  ],
};
const DRAFT = "half an ans";
/** More than it takes to go back. */
const WRITES = 4;

describe.each(PLACES)("D21: back from two tabs after a revision: %s", (_kind, make) => {
  const closings: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closings.splice(0).toReversed()) await close();
  });

  let seed = 0;

  function tabOn(place: Place, lost?: number): { readonly executor: Executor; readonly store: FaultyStore; open(): Promise<Run> } {
    const inner = place.open();
    const store = faultyStore(inner, lost === undefined ? undefined : failAt(lost, { when: "after" }));
    const executor = createExecutor({
      store,
      workflows: [WIZARD],
      host: fakeHost({ seed: (seed += 1), autoAdvance: true }),
    });
    closings.push(
      () => inner.close(),
      () => executor.close(),
    );
    return { executor, store, open: () => executor.open("run_wizard") };
  }

  /** Four questions of which three are answered and the first is changed; something is typed for the question beside them. */
  async function prepare() {
    const place = await make();
    closings.push(() => place.remove());
    const run = await tabOn(place).executor.start("wizard", {}, { id: "wizard" });
    await run.settled();
    for (const question of ["first", "second", "third"]) await run.answer(await pauseOf(run, question), question);
    expect(openIn(run)).toEqual(["fourth", "side"]);
    const side = await pauseOf(run, "side");
    await run.saveDraft(side, DRAFT);
    await run.revise(await pauseOf(run, "first"), "changed");
    await run.settled();
    expect(openIn(run)).toEqual(["fourth", "side"]);
    return { place, run, side, fourth: await pauseOf(run, "fourth") };
  }

  async function expectThird({ run, side }: Awaited<ReturnType<typeof prepare>>): Promise<void> {
    await run.refresh();
    expect(openIn(run)).toContain("third");
    expect(openIn(run)).not.toContain("second");
    expect(run.getSnapshot().pauses.find(({ path }) => path[0] === "third")).toMatchObject({ earlier: { response: "third" } });
    expect(run.getSnapshot().pauses.find(({ id }) => id === side)).toMatchObject({ path: ["side"], draft: DRAFT });
    const told = (await run.answers()).filter(({ status }) => status === "answered").map(({ block, answer }) => [block, answer]);
    expect(told).toEqual([
      ["first", "changed"],
      ["second", "second"],
    ]);
  }

  test("both at the same time open exactly the third question", async () => {
    const ready = await prepare();
    const tabs = await Promise.all([tabOn(ready.place), tabOn(ready.place)].map((tab) => tab.open()));
    await Promise.all(tabs.map((run) => run.back()));
    await expectThird(ready);
  });

  test("one after the other, the second of which has not seen the first, open exactly the third", async () => {
    const ready = await prepare();
    const [one, other] = await Promise.all([tabOn(ready.place), tabOn(ready.place)].map((tab) => tab.open()));
    await one!.back();
    await other!.back();
    await expectThird(ready);
  });

  test("with a lost acknowledgement in one of them: it opens exactly the third, whichever write is not acknowledged", async () => {
    let lost = 0;
    for (let write = 1; write <= WRITES; write += 1) {
      const ready = await prepare();
      const tabs = [tabOn(ready.place, write), tabOn(ready.place)];
      const [one, other] = await Promise.all(tabs.map((tab) => tab.open()));
      const first = one!.back().catch((error: unknown) => {
        if (!isWorkflowError(error) || !error.code.startsWith("STORE_")) throw error;
      });
      await Promise.all([first, other!.back()]);
      await expectThird(ready);
      if (tabs[0]!.store.writes >= write) lost += 1;
    }
    expect(lost).toBeGreaterThan(0);
  });

  test("the question that was open comes back under its id once the third is answered as before", async () => {
    const { place, run, fourth } = await prepare();
    await run.saveDraft(fourth, "nearly");
    await run.back();
    const [third] = run.getSnapshot().pauses.filter(({ path }) => path[0] === "third");
    const later = await tabOn(place).open();
    expect(openIn(later)).toContain("third");
    await later.answer(third!.id, "third");
    expect(later.getSnapshot().pauses.find(({ path }) => path[0] === "fourth")).toMatchObject({ id: fourth, draft: "nearly" });
  });

  test("what is sent to the question that was withdrawn is refused, and kept as its draft", async () => {
    const { run, fourth } = await prepare();
    await run.back();
    expect(await run.answer(fourth, "done")).toMatchObject({ status: "failure", error: { code: "PAUSE_WITHDRAWN" } });
    const [third] = run.getSnapshot().pauses.filter(({ path }) => path[0] === "third");
    await run.answer(third!.id, "third");
    expect(run.getSnapshot().pauses.find(({ path }) => path[0] === "fourth")).toMatchObject({ id: fourth, draft: "done" });
  });
});
