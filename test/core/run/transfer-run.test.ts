import { describe, expect, test } from "vitest";
import { transferRun, type Executor, type Run, type Store } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { failAt, faultyStore, type FaultPlan } from "wavepoint/testing";
import { encryptedStore } from "wavepoint/encryption";
import { answerWizard, beginWizard, OUTPUTS, wizardExecutor } from "../../support/moving-wizard.ts";
import { storyOf } from "../../support/story-of.ts";
import { answer, passport, place, trip, type Place } from "../transfer/trip.ts";

const HOME = "home";
const SERVER = "the server";

async function begun(executor: Executor, id = "moving"): Promise<Run> {
  const run = await executor.start("trip", { who: "Bo" }, { id });
  await answer(run, "Rome");
  return run;
}

/** Whether the run goes on with this executor: asked, not tried. */
async function isOwnedBy({ store }: { readonly store: Store }, run: string): Promise<boolean> {
  const head = await store.head(run);
  return head !== undefined && head.transferredTo === undefined;
}

describe("a run that is moved by one call", () => {
  test("continues at its new place, with its draft, its files and the runs it called, and comes back", async () => {
    const home = memoryStore();
    const [tab, server, worker] = [wizardExecutor(home), wizardExecutor(memoryStore()), wizardExecutor(memoryStore())];
    const run = await beginWizard(tab, 1);
    await run.saveDraft(run.getSnapshot().pauses[0]!.id, "A 1");
    const there = await transferRun(run.id, { from: tab, to: server, place: SERVER });
    expect(there.getSnapshot()).toMatchObject({ status: "paused", pauses: [{ draft: "A 1" }] });
    expect(run.getSnapshot()).toMatchObject({ status: "paused", transferredTo: SERVER });
    expect(await answerWizard(there, ["A 12"])).toBe("paused");
    const elsewhere = await transferRun(run.id, { from: server, to: worker, place: "a worker" });
    expect(await answerWizard(elsewhere, ["yes"])).toBe("success");
    const back = await transferRun(run.id, { from: worker, to: tab, place: HOME });
    expect(back.getSnapshot()).toMatchObject({ status: "completed", outputs: OUTPUTS });

    const stayed = memoryStore();
    const other = await beginWizard(wizardExecutor(stayed), 3);
    expect(await storyOf(home, run.id)).toEqual(await storyOf(stayed, other.id));
  });

  test("is moved by its short id, and a call too many does no harm", async () => {
    const [tab, server] = [place(), place()];
    const run = await begun(tab.executor);
    await transferRun("moving", { from: tab.executor, to: server.executor, place: SERVER });
    const there = await server.executor.open(run.id);
    expect(await answer(there, "A 12")).toBe("success");
    const again = await transferRun("moving", { from: tab.executor, to: server.executor, place: SERVER });
    expect(again.getSnapshot().status).toBe("completed");
  });

  test("stays where its new place could not go on with it", async () => {
    const [tab, stranger] = [place(), place({ workflows: [] })];
    const run = await begun(tab.executor);
    await expect(transferRun(run.id, { from: tab.executor, to: stranger.executor, place: SERVER })).rejects.toMatchObject({
      code: "DEFINITION_UNTRUSTED",
    });
    expect(await stranger.store.head(run.id)).toBeUndefined();
    expect(await answer(run, "A 12")).toBe("success");
    const moved = await transferRun(run.id, { from: tab.executor, to: stranger.executor, place: SERVER, accept: true });
    expect(moved.getSnapshot().status).toBe("completed");
  });

  test("stays where another run has its id", async () => {
    const [tab, server] = [place(), place()];
    const run = await begun(tab.executor);
    await server.executor.start("trip", { who: "Grace" }, { id: "moving" });
    const moving = transferRun(run.id, { from: tab.executor, to: server.executor, place: SERVER });
    await expect(moving).rejects.toMatchObject({ code: "RUN_EXISTS" });
    expect(await isOwnedBy(tab, run.id)).toBe(true);
  });

  test("takes its secrets along under a passphrase, between encrypted stores", async () => {
    const secret = { ...trip, name: "secret", inputs: { ...trip.inputs, pin: { type: "string", secret: true } } } as const;
    const workflows = [secret, passport];
    const sealed = async (n: number): Promise<Place & { readonly inner: Store }> => {
      const inner = memoryStore();
      return { inner, ...place({ workflows, store: await encryptedStore(inner, { key: new Uint8Array(32).fill(n) }) }) };
    };
    const [tab, server] = [await sealed(1), await sealed(2)];
    const run = await tab.executor.start("secret", { who: "Bo", pin: "four-five-six" });
    await answer(run, "Rome");
    const options = { from: tab.executor, to: server.executor, place: SERVER, secrets: true };
    await expect(transferRun(run.id, options)).rejects.toMatchObject({ code: "SECRET_MISPLACED" });
    const there = await transferRun(run.id, { ...options, passphrase: "on the way" });
    expect(await answer(there, "A 12")).toBe("success");
    expect(JSON.stringify(await server.inner.read(run.id))).not.toMatch(/Rome|four-five-six/);
  });
});

/** What fails of a move, and how. */
interface Trouble {
  readonly at: "home" | "server";
  readonly plan: FaultPlan;
}

/** Moves a run while a store breaks for good, then once more with what is stored. Gives how many writes each side had. */
async function moveThrough(trouble?: Trouble): Promise<{ readonly home: number; readonly server: number }> {
  const home = memoryStore();
  const server = memoryStore();
  await begun(place({ store: home }).executor);
  const fragile = {
    home: faultyStore(home, trouble?.at === "home" ? trouble.plan : undefined),
    server: faultyStore(server, trouble?.at === "server" ? trouble.plan : undefined),
  };
  const move = (from: Store, to: Store): Promise<Run> =>
    transferRun("moving", { from: place({ store: from }).executor, to: place({ store: to }).executor, place: SERVER });
  const first = move(fragile.home, fragile.server);
  if (trouble) await expect(first).rejects.toMatchObject({ code: trouble.plan.code });
  else await first;
  // Never both; where neither, it is on its way, and its old place gives it again.
  const owners = [await isOwnedBy({ store: home }, "run_moving"), await isOwnedBy({ store: server }, "run_moving")];
  expect(owners.filter(Boolean).length).toBeLessThanOrEqual(1);

  const there = await move(home, server);
  expect([await isOwnedBy({ store: home }, "run_moving"), await isOwnedBy({ store: server }, "run_moving")]).toEqual([false, true]);
  expect(await answer(there, "A 12")).toBe("success");
  return { home: fragile.home.writes, server: fragile.server.writes };
}

describe("a move that is cut off", () => {
  test("at any write, with the acknowledgement or without it, has one owner at most, and the next call ends it", async () => {
    const writes = await moveThrough();
    expect(writes.home).toBeGreaterThan(1);
    expect(writes.server).toBeGreaterThan(2);
    for (const at of ["home", "server"] as const) {
      for (let write = 1; write <= writes[at]; write++) {
        for (const when of ["before", "after"] as const) {
          await moveThrough({ at, plan: failAt(write, { times: "forever", when, code: "STORE_LOST" }) });
        }
      }
    }
  });

  test("on its way says how it goes on", async () => {
    const [tab, server] = [place(), place()];
    const run = await begun(tab.executor);
    const away = Object.assign(Object.create(server.executor) as Executor, {
      runs: { ...server.executor.runs, import: () => Promise.reject(new Error("The line is dead.")) },
    });
    const moving = transferRun(run.id, { from: tab.executor, to: away, place: SERVER });
    await expect(moving).rejects.toMatchObject({
      code: "STORE_FAILED",
      details: { run: run.id, to: SERVER },
      message: expect.stringMatching(/left for the server.*Call transferRun again.*The line is dead/s),
    });
  });
});
