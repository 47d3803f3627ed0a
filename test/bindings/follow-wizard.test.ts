import { createExecutor, type Executor, type Run, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { afterEach, beforeEach, expect, test, vi, type Mock } from "vitest";
import { followWizard } from "../../src/bindings/follow-wizard.ts";
import { SharedWizard, type UsedWizard } from "../../src/bindings/shared-wizard.ts";

const ask: Workflow = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Name?" } }] };

let executor: Executor;
let start: Mock;
beforeEach(() => {
  executor = createExecutor({ store: memoryStore() });
  start = vi.spyOn(executor, "start") as unknown as Mock;
});
afterEach(() => executor.close());

/** How often the run was opened. The executor starts one by itself, too, where it finds none. */
const countOpened = (): number => start.mock.calls.filter((given) => given[2].ifExists === "resume").length;

interface Follower {
  /** What it was shown, each state once. */
  readonly shown: readonly UsedWizard[];
  leave(): void;
}

function follow(workflow: Workflow | string = ask): Follower {
  const source = followWizard(executor, workflow, { id: "one" });
  const shown: UsedWizard[] = [];
  const leave = source.subscribe(() => {
    const now = source.getSnapshot();
    if (now !== shown.at(-1)) shown.push(now);
  });
  return { shown, leave };
}

async function isThere(follower: Follower): Promise<void> {
  await expect.poll(() => follower.shown.at(-1)?.run?.id).toBe("run_one");
}
async function hasFailed(follower: Follower): Promise<void> {
  await expect.poll(() => follower.shown.at(-1)?.error?.code).toBe("WORKFLOW_NOT_FOUND");
}

test("all who follow a wizard have one run and one state", async () => {
  const [first, second] = [follow(), follow({ ...ask })];
  await isThere(first);
  await isThere(second);
  const third = follow();
  expect(third.shown).toEqual([first.shown.at(-1)]);
  expect(third.shown[0]).toBe(second.shown.at(-1));
  expect(countOpened()).toBe(1);
});

test("one that knows only the name of a workflow takes nothing from one that has its definition", async () => {
  const [first, second] = [follow(), follow("ask")];
  await isThere(first);
  await expect.poll(() => second.shown.at(-1)?.isLoading).toBe(false);
  follow("ask");
  await isThere(first);
});

test("one that leaves in the turn in which it came opens nothing", async () => {
  follow().leave();
  await new Promise((resolve) => setTimeout(resolve));
  expect(countOpened()).toBe(0);
});

test("one that leaves and comes back in the same turn is shown the same state, later on it opens the run again", async () => {
  const first = follow();
  await isThere(first);
  first.leave();
  const second = follow();
  expect(second.shown).toEqual([first.shown.at(-1)]);
  expect(second.shown[0]).toBe(first.shown.at(-1));
  second.leave();
  await new Promise((resolve) => setTimeout(resolve));
  const third = follow();
  expect(third.shown).toEqual([{ isLoading: true }]);
  await isThere(third);
  expect(countOpened()).toBe(2);
});

test("a component that leaves as the run is opened, and one that comes in the same turn, subscribe to it once", async () => {
  const run = await executor.start(ask);
  const subscribe = run.subscribe.bind(run);
  let subscribed = 0;
  vi.spyOn(run, "subscribe").mockImplementation((listener) => {
    const leave = subscribe(listener);
    subscribed++;
    return () => {
      subscribed--;
      leave();
    };
  });
  const wizard = new SharedWizard();
  let open!: (run: Run) => void;
  const opened = new Promise<Run>((resolve) => (open = resolve));
  const leaveFirst = wizard.follow(
    () => {},
    () => opened,
  );
  await Promise.resolve();
  let leaveSecond!: () => void;
  const swap = async (): Promise<void> => {
    await opened;
    expect(wizard.look().run).toBe(run);
    leaveFirst();
    leaveSecond = wizard.follow(
      () => {},
      () => opened,
    );
  };
  const swapped = swap();
  open(run);
  await swapped;
  await wizard.rest();
  expect(subscribed).toBeGreaterThan(0);
  leaveSecond();
  expect(subscribed).toBe(0);
});

test("who has left is shown nothing more, while it is opened and later", async () => {
  const [gone, stays] = [follow(), follow()];
  await Promise.resolve();
  gone.leave();
  await isThere(stays);
  const late = follow();
  late.leave();
  await stays.shown.at(-1)!.run!.answer(stays.shown.at(-1)!.view!.pauses[0]!.id, "Ada");
  await expect.poll(() => stays.shown.at(-1)?.view?.status).toBe("completed");
  expect(gone.shown).toEqual([{ isLoading: true }]);
  expect(late.shown).toHaveLength(1);
});

test("after a failure the next one is shown why, and only the first of all tries again by itself", async () => {
  const first = follow("absent");
  await hasFailed(first);
  const second = follow("absent");
  await new Promise((resolve) => setTimeout(resolve));
  expect(second.shown).toEqual([first.shown.at(-1)]);
  expect(countOpened()).toBe(1);
  first.leave();
  second.leave();
  const third = follow("absent");
  await hasFailed(third);
  expect(third.shown[0]).toEqual({ isLoading: true });
  expect(countOpened()).toBe(2);
});

test("a listener that tries again while it is called loses none of the others", async () => {
  const source = followWizard(executor, "ask", { id: "one" });
  let tries = 0;
  const eager = source.subscribe(() => {
    const { retry } = source.getSnapshot();
    if (retry && tries++ < 3) retry();
  });
  const patient = follow("ask");
  await expect.poll(() => tries).toBe(4);
  await hasFailed(patient);
  await executor.start(ask);
  source.getSnapshot().retry!();
  await isThere(patient);
  eager();
});
