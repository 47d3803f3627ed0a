import { flushSync, hydrate, mount, unmount, type Component } from "svelte";
import { get } from "svelte/store";
import { createExecutor, type Executor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { wizardStore, type UsedWizard } from "wavepoint/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settle, shownWizards } from "./shown-wizards.ts";
import Awaited from "./svelte/awaited.svelte";
import Boundary from "./svelte/boundary.svelte";
import { changing } from "./svelte/changing.svelte.ts";
import FromStore from "./svelte/from-store.svelte";
import Keyed from "./svelte/keyed.svelte";
import Many from "./svelte/many.svelte";
import Wizard from "./svelte/wizard.svelte";

const askName = (prompt = "${inputs.greeting}, name?"): Workflow => ({
  name: "ask",
  inputs: { greeting: { type: "string", default: "Hello" } },
  blocks: [{ id: "name", type: "GetInput", inputs: { prompt } }],
});

const mounted: object[] = [];
let page: HTMLElement;
let executor: Executor;

beforeEach(() => {
  page = document.createElement("main");
  executor = createExecutor({ store: memoryStore() });
});
afterEach(async () => {
  await Promise.all(mounted.splice(0).map((component) => unmount(component)));
  await executor.close();
});

function draw<Props extends Record<string, unknown>>(component: Component<never>, first: Props, create: typeof mount = mount): Props {
  const props = changing({ executor, workflow: askName(), ...first });
  mounted.push(create(component as Component<Record<string, unknown>>, { target: page, props }));
  flushSync();
  return props;
}

const text = (): string => page.textContent.trim();
const { reads, runs, answer } = shownWizards(() => executor, text);

test("wizardStore opens the run of its id, or starts it, and follows it", async () => {
  const states: UsedWizard[] = [];
  const leave = wizardStore(executor, askName(), { id: "one" }).subscribe((used) => states.push(used));
  expect(states).toEqual([{ isLoading: true }]);
  await expect.poll(() => states.at(-1)?.question?.pause?.prompt).toBe("Hello, name?");
  leave();
  const again = wizardStore(executor, askName(), { id: "one" });
  let last: UsedWizard | undefined;
  again.subscribe((used) => (last = used));
  await expect.poll(() => last?.run?.id).toBe("run_one");
  await last!.question!.answer("Ada");
  expect(last?.view?.status).toBe("completed");
  expect((await executor.runs.list()).items).toHaveLength(1);
});

test("wizardStore starts nothing for who leaves at once, and says why there is no run", async () => {
  expect(get(wizardStore(executor, askName(), { id: "one" }))).toEqual({ isLoading: true });
  let last: UsedWizard | undefined;
  wizardStore(executor, "absent", { id: "two" }).subscribe((used) => (last = used));
  await expect.poll(() => last?.error?.code).toBe("WORKFLOW_NOT_FOUND");
  expect((await executor.runs.list()).items).toEqual([]);
});

test("of two workflows that want the same id at once, one gets its run and the other an error", async () => {
  const other = { ...askName(), name: "other" };
  const shown: (UsedWizard | undefined)[] = [undefined, undefined];
  wizardStore(executor, askName(), { id: "one" }).subscribe((used) => (shown[0] = used));
  wizardStore(executor, other, { id: "one" }).subscribe((used) => (shown[1] = used));
  await expect.poll(() => shown.every((used) => used?.isLoading === false)).toBe(true);
  // Either may be the first.
  expect(shown.map((used) => used?.error?.code ?? "started").toSorted()).toEqual(["RUN_EXISTS", "started"]);
  expect((await executor.runs.list()).items).toHaveLength(1);
});

test("an id that changes and comes back before anything is drawn shows what was shown, and starts nothing else", async () => {
  const drawn: string[] = [];
  const props = draw(Wizard, { id: "one", drawn: (shown: string) => drawn.push(shown) });
  await reads("run_one Hello, name?");
  drawn.length = 0;
  props.id = "two";
  props.id = "one";
  flushSync();
  props.id = "two";
  flushSync();
  props.id = "one";
  flushSync();
  expect(text()).toBe("run_one Hello, name?");
  await settle();
  expect(text()).toBe("run_one Hello, name?");
  expect(await runs()).toEqual(["run_one"]);
  props.id = "two";
  flushSync();
  // Nothing is shown of what was left.
  expect(text()).toBe("One moment");
  await reads("run_two Hello, name?");
});

test("inputs that change while the run is followed take nothing from the page", async () => {
  const drawn: string[] = [];
  const props = draw(Wizard, { inputs: { greeting: "Hello" }, drawn: (shown: string) => drawn.push(shown) });
  await reads("run_one Hello, name?");
  drawn.length = 0;
  props.inputs = { greeting: "Good day" };
  await settle();
  expect(drawn.filter((shown) => shown !== "run_one Hello, name?")).toEqual([]);
});

test("inputs that were refused start the run once they are right", async () => {
  const props = draw(Wizard, { inputs: { greeting: 3 } as Record<string, unknown> });
  await reads("INPUT_INVALID");
  props.inputs = { greeting: "Good day" };
  await reads("run_one Good day, name?");
});

test("a component that a key makes anew goes on with its run at once, with another definition of that name too", async () => {
  const props = draw(Keyed, { key: 1, workflow: askName() });
  await reads("run_one Hello, name?");
  const before = page.querySelector("button");
  props.workflow = askName("Your name?");
  props.key = 2;
  flushSync();
  expect(page.querySelector("button")).not.toBe(before);
  expect(text()).toBe("run_one Hello, name?");
  await answer("run_one");
  await reads("run_one completed");
  expect(await runs()).toEqual(["run_one"]);
});

test("a wizard behind a promise starts nothing before it is there, nor if it is gone by then", async () => {
  let goOn!: (id: string) => void;
  const wait = (): Promise<string> => new Promise((resolve) => (goOn = resolve));
  const props = draw(Awaited, { waited: wait() });
  expect(text()).toBe("Waiting");
  goOn("one");
  await reads("run_one Hello, name?");
  props.waited = wait();
  flushSync();
  expect(text()).toBe("Waiting");
  const goOnLate = goOn;
  props.waited = Promise.resolve("two");
  flushSync();
  goOnLate("three");
  await reads("run_two Hello, name?");
  expect(await runs()).toEqual(["run_one", "run_two"]);
});

test("a wizard in a boundary that failed goes on with its run after reset", async () => {
  const props = draw(Boundary, { beside: (): string => "" });
  await reads("run_one Hello, name?");
  props.beside = () => {
    throw new Error("It does not draw.");
  };
  flushSync();
  await reads("It does not draw.");
  await answer("run_one");
  props.beside = () => "";
  page.querySelector("button")!.click();
  await reads("run_one completed");
  expect(await runs()).toEqual(["run_one"]);
});

test("a boundary gets the error of wrong options", async () => {
  draw(Boundary, { options: { id: "one", input: {} } });
  await reads("KEY_UNKNOWN");
});

test("a component that is gone while its run is being started is drawn no more, and the run is there for the next one", async () => {
  const drawn: string[] = [];
  let isStarting!: () => void;
  const starting = new Promise<void>((resolve) => (isStarting = resolve));
  const begin = executor.start.bind(executor) as (...given: unknown[]) => Promise<never>;
  vi.spyOn(executor, "start").mockImplementation(((...given: unknown[]) => {
    isStarting();
    return begin(...given);
  }) as never);
  draw(Wizard, { drawn: (shown: string) => drawn.push(shown) });
  await starting;
  await unmount(mounted.pop()!);
  await expect.poll(runs).toEqual(["run_one"]);
  await settle();
  expect(drawn).toEqual(["One moment"]);
  draw(Wizard, {});
  await reads("run_one Hello, name?");
  expect(await runs()).toEqual(["run_one"]);
});

test("a component that is gone in the turn in which it came starts nothing", async () => {
  draw(Wizard, {});
  void unmount(mounted.pop()!);
  await settle();
  expect(await runs()).toEqual([]);
});

test("a second component with the same id shows the run at once", async () => {
  const props = draw(Many, { ids: ["one"] });
  await reads("run_one Hello, name?");
  props.ids = ["one", "one"];
  flushSync();
  expect(text()).toBe("run_one Hello, name?run_one Hello, name?");
});

test("a second component shows the error of the first, and a workflow that is given later is tried by both", async () => {
  const props = draw(Many, { ids: ["one"], workflow: "ask" as Workflow | string });
  await reads("WORKFLOW_NOT_FOUND");
  props.ids = ["one", "one"];
  flushSync();
  expect(text()).toBe("WORKFLOW_NOT_FOUNDWORKFLOW_NOT_FOUND");
  await settle();
  expect(text()).toBe("WORKFLOW_NOT_FOUNDWORKFLOW_NOT_FOUND");
  props.workflow = askName();
  flushSync();
  page.querySelector("button")!.click();
  await reads("run_one Hello, name?run_one Hello, name?");
});

test("a store of a wizard is read with runes, and by who only looks", async () => {
  const store = wizardStore(executor, askName(), { id: "one" });
  draw(FromStore, { store });
  await reads("Hello, name?");
  expect(get(store).question?.pause?.prompt).toBe("Hello, name?");
  await answer("run_one");
  await reads("completed");
});

test("looking at a wizard that failed shows why, and tries nothing", async () => {
  const store = wizardStore(executor, "absent", { id: "one" });
  draw(FromStore, { store });
  await reads("WORKFLOW_NOT_FOUND");
  expect(get(store).error?.code).toBe("WORKFLOW_NOT_FOUND");
  await settle();
  expect(text()).toBe("WORKFLOW_NOT_FOUND");
});

test("an executor that is closed leaves no component that waits", async () => {
  await executor.close();
  draw(Wizard, {});
  await reads("STORE_CLOSED");
});

test("a page that a server drew is taken over as it is", async () => {
  // As `svelte/server` writes it: `wizard-store.node.test.ts` compares.
  page.innerHTML = "<!--[--><button>One moment</button><!--]-->";
  const drawn = page.querySelector("button");
  draw(Wizard, {}, hydrate as typeof mount);
  expect(page.querySelector("button")).toBe(drawn);
  await reads("run_one Hello, name?");
  expect(page.querySelector("button")).toBe(drawn);
});
