import { act, createElement, StrictMode, type ReactNode } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { defineWorkflow, createExecutor, WorkflowError, type Run, type RunView, type Store } from "wavepoint";
import { usePause, useRun, useWizard, type UsedPause, type UsedWizard, type WizardOptions } from "wavepoint/react";
import { memoryStore } from "wavepoint/store/memory";
import { afterEach, beforeEach, expect, expectTypeOf, test, vi } from "vitest";
import { askTwo } from "./ask-two.ts";

let root: Root;
let page: HTMLElement;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  page = document.createElement("main");
  root = createRoot(page);
});
afterEach(async () => {
  await act(() => root.unmount());
  vi.unstubAllGlobals();
});

/** Draws a hook, twice as strict mode does, and gives what it gave last. */
function draw<Given, State>(use: (given: Given) => State): (given: Given) => Promise<() => State> {
  let last: State;
  const Drawn = ({ given }: { readonly given: Given }): ReactNode => {
    last = use(given);
    return null;
  };
  return async (given) => {
    await act(() => root.render(createElement(StrictMode, undefined, createElement(Drawn, { given }))));
    return () => last;
  };
}

test("useRun draws again with each change", async () => {
  const { run, name, seats } = await askTwo();
  const view = await draw((given: Run): RunView => useRun(given))(run);
  expect(view().pauses.map(({ prompt }) => prompt)).toEqual(["Name?", "Seats?"]);
  await act(() => run.answer({ [name]: "Ada", [seats]: { count: 2 } }));
  expect(view().pauses.map(({ prompt }) => prompt)).toEqual(["Town?"]);
});

test("useRun shows another run at once", async () => {
  const [first, second] = [await askTwo(), await askTwo()];
  const render = draw((given: Run): RunView => useRun(given));
  await render(first.run);
  expect((await render(second.run))().id).toBe(second.run.id);
});

test("usePause goes from question to question, also where another tab answers", async () => {
  const { run, name } = await askTwo();
  const used = await draw((given: Run): UsedPause => usePause(given))(run);
  expect(used().pause?.prompt).toBe("Name?");
  await act(() => run.answer(name, "Ada"));
  expect(used().pause?.prompt).toBe("Seats?");
  await act(() => used().answer({ count: 1 }));
  expect(used().pause?.prompt).toBe("Town?");
  await act(() => used().answer("Turku"));
  expect(used()).toMatchObject({ pause: undefined, isSending: false });
  expect(run.getSnapshot().outputs).toEqual({ town: "Turku" });
});

test("usePause shows what was typed at once, and why an answer did not do", async () => {
  const { run, seats } = await askTwo();
  const used = await draw((given: Run): UsedPause => usePause(given, seats))(run);
  await act(() => used().saveDraft({ count: 9 }));
  expect(used().draft).toEqual({ count: 9 });
  await act(() => used().answer({ count: 9 }));
  expect(used()).toMatchObject({ isSending: false, error: { code: "RESPONSE_INVALID" }, draft: { count: 9 } });
  await act(() => used().answer({ count: 2 }));
  expect(used()).toMatchObject({ pause: undefined, error: undefined });
});

test("two components that use the same question know of the same sending", async () => {
  const { run } = await askTwo();
  const used = await draw((given: Run): readonly UsedPause[] => [usePause(given), usePause(given)])(run);
  await act(() => used()[0]!.answer(""));
  expect(used()[1]!.error?.code).toBe("RESPONSE_INVALID");
});

test("a component that goes while its answer is on its way is not missed", async () => {
  const { run, name } = await askTwo();
  const used = await draw((given: Run): UsedPause => usePause(given))(run);
  await act(async () => {
    const sending = used().answer("Ada");
    root.render(null);
    await sending;
  });
  expect(run.getSnapshot().pauses.map(({ id }) => id)).not.toContain(name);
});

test("a server renders the state as it stands", async () => {
  const { run } = await askTwo();
  const Page = (): ReactNode => `${useRun(run).status} ${usePause(run).pause?.prompt}`;
  expect(renderToString(createElement(Page))).toBe("paused Name?");
});

test("a page that the server drew is taken over as it is, in strict mode too, and goes on from there", async () => {
  const { run, name } = await askTwo();
  const Page = (): ReactNode => createElement("p", undefined, `${useRun(run).status} ${usePause(run).pause?.prompt}`);
  const drawn = createElement(StrictMode, undefined, createElement(Page));
  const page = document.createElement("main");
  page.innerHTML = renderToString(drawn);
  const paragraph = page.firstElementChild;
  const problems: unknown[] = [];
  const hydrated = await act(() => hydrateRoot(page, drawn, { onRecoverableError: (error) => problems.push(error) }));
  await act(() => run.answer(name, "Ada"));
  expect(page.textContent).toBe("paused Seats?");
  expect([page.firstElementChild, problems]).toEqual([paragraph, []]);
  await act(() => hydrated.unmount());
});

test("nothing listens any more once the component is gone, and what was typed last is kept", async () => {
  const { run } = await askTwo();
  let listeners = 0;
  const subscribe = run.subscribe.bind(run);
  vi.spyOn(run, "subscribe").mockImplementation((listener) => {
    listeners += 1;
    const leave = subscribe(listener);
    return () => {
      listeners -= 1;
      leave();
    };
  });
  const both = await draw((given: Run): readonly [RunView, UsedPause] => [useRun(given), usePause(given)])(run);
  const used = (): UsedPause => both()[1];
  expect(listeners).toBeGreaterThan(1);
  await act(() => used().saveDraft("Ad"));
  await act(() => root.render(null));
  expect(listeners).toBe(0);
  await expect.poll(() => run.getSnapshot().pauses[0]!.draft).toBe("Ad");
});

/** Lets what is under way go on until this holds. */
async function until(check: () => void): Promise<void> {
  for (const end = Date.now() + 30_000; ;) {
    // All time passes inside of `act`: what draws meanwhile belongs to it.
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
    try {
      check();
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

test("useRun takes a run that comes later", async () => {
  const { run } = await askTwo();
  const render = draw((given: { readonly run?: Run }): RunView | undefined => useRun(given.run));
  expect((await render({}))()).toBeUndefined();
  expect((await render({ run }))()?.id).toBe(run.id);
  expect((await render({}))()).toBeUndefined();
});

const ASK = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Name?" } }] };

test("useWizard makes one run under StrictMode, and opens it again", async () => {
  const store = memoryStore();
  const executor = createExecutor({ store });
  const drawn: unknown[] = [];
  const render = draw(({ id }: { readonly id: string }) => {
    const used = useWizard(executor, ASK, { id });
    drawn.push(used);
    return used;
  });
  const used = await render({ id: "first" });
  // It may have begun since: nothing is slow here.
  expect(drawn[0]).toEqual({ isLoading: true });
  await until(() => expect(used().view?.pauses.map(({ prompt }) => prompt)).toEqual(["Name?"]));
  expect(used().run?.id).toBe("run_first");
  expect((await executor.runs.list()).items.map(({ id }) => id)).toEqual(["run_first"]);

  // Another id: another run, and nothing of the first is shown meanwhile.
  const other = await render({ id: "second" });
  await until(() => expect(other().view?.pauses).toHaveLength(1));
  expect(other().run?.id).toBe("run_second");
  await act(() => other().run!.answer(other().view!.pauses[0]!.id, "Ada"));
  expect(other().view?.status).toBe("completed");

  // As after a reload: the run that waits is opened, none is started.
  await act(() => root.render(null));
  const later = createExecutor({ store });
  const again = await draw(() => useWizard(later, ASK, { id: "first" }))(undefined);
  await until(() => expect(again().view?.status).toBe("paused"));
  expect((await executor.runs.list()).items).toHaveLength(2);
  await act(() => Promise.all([executor.close(), later.close()]));
});

test("useWizard follows the question, Back included, and knows the outputs", async () => {
  const executor = createExecutor({ store: memoryStore() });
  const trip = defineWorkflow({
    name: "trip",
    inputs: { who: { type: "string" } },
    blocks: [
      { id: "where", type: "GetInput", inputs: { prompt: "Where, ${inputs.who}?" } },
      { id: "how", type: "AskChoice", dependsOn: ["where"], inputs: { question: "How?", choices: ["train", "ship"] } },
    ],
    outputs: { how: "${blocks.how.choice}" },
  });
  // @ts-expect-error A trip needs to know who goes.
  expect({ id: "none" } satisfies WizardOptions<typeof trip>).toBeDefined();
  const used = await draw(() => useWizard(executor, trip, { id: "one", inputs: { who: "Ada" } }))(undefined);
  await until(() => expect(used().question?.pause?.prompt).toBe("Where, Ada?"));
  await act(() => used().question!.answer("Rome"));
  expect(used().question?.pause?.prompt).toBe("How?");
  await act(() => used().run!.back());
  expect(used().question).toMatchObject({ pause: { prompt: "Where, Ada?", prefill: "Rome" } });
  await act(() => used().question!.answer("Rome"));
  await act(() => used().question!.answer("ship"));
  expectTypeOf(used().view!.outputs!.how).toEqualTypeOf<"train" | "ship">();
  expect(used().view).toMatchObject({ status: "completed", outputs: { how: "ship" } });
  await act(() => executor.close());
});

test("useWizard says why there is no run", async () => {
  const executor = createExecutor({ store: memoryStore() });
  const used = await draw(() => useWizard(executor, "absent", { id: "one" }))(undefined);
  await until(() => expect(used().error?.code).toBe("WORKFLOW_NOT_FOUND"));
  expect(used()).toMatchObject({ isLoading: false, error: { code: "WORKFLOW_NOT_FOUND" } });
  expect(used().run).toBeUndefined();
  await act(() => executor.close());
});

test("useWizard tries it again when asked to, and for a component that comes later", async () => {
  const store = memoryStore();
  let isDown = true;
  const shaky: Store = Object.assign(Object.create(store) as Store, {
    commit: (...given: Parameters<Store["commit"]>) =>
      isDown ? Promise.reject(new WorkflowError("STORE_FAILED", "The store is down.")) : store.commit(...given),
  });
  const executor = createExecutor({ store: shaky });
  const used = await draw(() => useWizard(executor, ASK, { id: "one" }))(undefined);
  await until(() => expect(used().error?.message).toContain("The store is down."));
  await act(() => used().retry!());
  await until(() => expect(used().error?.message).toContain("The store is down."));
  isDown = false;
  const { retry } = used();
  await act(() => retry!());
  await until(() => expect(used().view?.pauses).toHaveLength(1));
  // Too late to try again: nothing changes.
  await act(() => retry!());
  expect(used().run?.id).toBe("run_one");
  expect((await executor.runs.list()).items).toHaveLength(1);
  await act(() => executor.close());
});

test("useWizard shows nothing of an id that was left while it was opened, and another executor opens its own run", async () => {
  const [one, two] = [createExecutor({ store: memoryStore() }), createExecutor({ store: memoryStore() })];
  const render = draw(({ executor, id }: { readonly executor: typeof one; readonly id: string }) => useWizard(executor, ASK, { id }));
  await render({ executor: one, id: "first" });
  const used = await render({ executor: one, id: "second" });
  await until(() => expect(used().run?.id).toBe("run_second"));
  await act(() => used().question!.answer("Ada"));
  expect(used().view?.status).toBe("completed");
  const other = await render({ executor: two, id: "second" });
  expect(other().view?.status).not.toBe("completed");
  await until(() => expect(other().view?.pauses).toHaveLength(1));
  await act(() => Promise.all([one.close(), two.close()]));
});

test("two components with the same id show one run, and an answer of one that goes away is kept", async () => {
  const executor = createExecutor({ store: memoryStore() });
  const [first, second] = [new Map<string, UsedWizard>(), new Map<string, UsedWizard>()];
  const Wizard = ({ of }: { readonly of: Map<string, UsedWizard> }): null => {
    of.set("now", useWizard(executor, ASK, { id: "shared" }) as UsedWizard);
    return null;
  };
  await act(() => root.render([createElement(Wizard, { of: first, key: 1 }), createElement(Wizard, { of: second, key: 2 })]));
  await until(() => expect(first.get("now")?.view?.pauses).toHaveLength(1));
  expect(second.get("now")?.run).toBe(first.get("now")?.run);
  await act(async () => {
    const sent = first.get("now")!.question!.answer("Ada");
    root.render([createElement(Wizard, { of: second, key: 2 })]);
    await sent;
  });
  await until(() => expect(second.get("now")?.view?.status).toBe("completed"));
  expect((await executor.runs.list()).items).toHaveLength(1);
  await act(() => executor.close());
});

test("useWizard starts nothing for a page that is drawn on a server", async () => {
  const executor = createExecutor({ store: memoryStore() });
  const Wizard = (): string => (useWizard(executor, ASK, { id: "one" }).isLoading ? "One moment" : "There");
  expect(renderToString(createElement(Wizard))).toBe("One moment");
  expect((await executor.runs.list()).items).toEqual([]);
  await act(() => executor.close());
});
