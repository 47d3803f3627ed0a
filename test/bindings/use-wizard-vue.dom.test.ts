import {
  createApp,
  createSSRApp,
  defineComponent,
  effectScope,
  h,
  KeepAlive,
  nextTick,
  onErrorCaptured,
  reactive,
  ref,
  shallowRef,
  Suspense,
  type App,
  type Component,
  type VNode,
} from "vue";
import { renderToString } from "vue/server-renderer";
import { createExecutor, type Executor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { useWizard } from "wavepoint/vue";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settle, shownWizards } from "./shown-wizards.ts";

const askName = (): Workflow => ({
  name: "ask",
  inputs: { greeting: { type: "string", default: "Hello" } },
  blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "${inputs.greeting}, name?" } }],
});

const apps: App[] = [];
let page: HTMLElement;
let executor: Executor;

beforeEach(() => {
  page = document.createElement("main");
  executor = createExecutor({ store: memoryStore() });
  // Vue says once that Suspense may change.
  vi.spyOn(console, "info").mockReturnValue();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const app of apps.splice(0)) app.unmount();
  await executor.close();
});

function draw(component: Component, create = createApp): App {
  const app = create(component);
  apps.push(app);
  app.mount(page);
  return app;
}

const { reads, runs, answer } = shownWizards(
  () => executor,
  () => page.textContent,
);

function text(wizard: ReturnType<typeof useWizard<Workflow>>): string {
  const used = wizard.value;
  if (used.error) return used.error.code;
  return used.isLoading ? "One moment" : `${used.run.id} ${used.question.pause?.prompt ?? used.view.status}`;
}

const Wizard = defineComponent({
  props: { id: { type: String, default: "one" }, greeting: String, workflow: { type: Object, default: askName } },
  setup(props) {
    const wizard = useWizard(executor, props.workflow as Workflow, () => ({
      id: props.id,
      ...(props.greeting !== undefined && { inputs: { greeting: props.greeting } }),
    }));
    return () => text(wizard);
  },
});

test("a wizard that is kept alive while another page is shown is as it stands when it comes back", async () => {
  const isShown = ref(true);
  draw(() => h(KeepAlive, () => (isShown.value ? h(Wizard) : h({ render: () => "Elsewhere" }))));
  await reads("run_one Hello, name?");
  isShown.value = false;
  await reads("Elsewhere");
  await answer("run_one");
  isShown.value = true;
  await nextTick();
  expect(page.textContent).toBe("run_one completed");
  expect(await runs()).toEqual(["run_one"]);
});

/** Draws a component whose setup waits until it may go on, while it is to be there. */
function drawWaiting() {
  let goOn!: () => void;
  const wait = new Promise<void>((resolve) => (goOn = resolve));
  const Waiting = {
    async setup() {
      const wizard = useWizard(executor, askName(), { id: "one" });
      await wait;
      return () => text(wizard);
    },
  };
  const isThere = ref(true);
  draw(() => (isThere.value ? h(Suspense, null, { default: () => h(Waiting), fallback: () => "Waiting" }) : "Gone"));
  return { goOn, isThere };
}

test("nothing is started for a component whose setup waits, before it is there", async () => {
  const { goOn, isThere } = drawWaiting();
  await settle();
  expect(page.textContent).toBe("Waiting");
  expect(await runs()).toEqual([]);
  goOn();
  await reads("run_one Hello, name?");
  isThere.value = false;
  await reads("Gone");
  expect(await runs()).toEqual(["run_one"]);
});

test("a component that is gone before its setup has ended starts nothing", async () => {
  const { goOn, isThere } = drawWaiting();
  await nextTick();
  isThere.value = false;
  await nextTick();
  goOn();
  await settle();
  expect(page.textContent).toBe("Gone");
  expect(await runs()).toEqual([]);
});

test("a wizard below an error that a parent captures goes on with its run once it is drawn again", async () => {
  const isBroken = ref(false);
  const Beside = defineComponent({
    setup() {
      const wizard = useWizard(executor, askName(), { id: "one" });
      return () => {
        if (isBroken.value) throw new Error("It does not draw.");
        return text(wizard);
      };
    },
  });
  const Boundary = defineComponent({
    setup() {
      const hasFailed = ref(false);
      onErrorCaptured(() => {
        hasFailed.value = true;
        return false;
      });
      return () => (hasFailed.value ? h("button", { onClick: () => (hasFailed.value = false) }, "Again") : h(Beside));
    },
  });
  draw(Boundary);
  await reads("run_one Hello, name?");
  isBroken.value = true;
  await reads("Again");
  await answer("run_one");
  isBroken.value = false;
  page.querySelector("button")!.click();
  await reads("run_one completed");
  expect(await runs()).toEqual(["run_one"]);
});

test("a parent that captures errors gets the error of wrong options, and so does a server", async () => {
  const told: unknown[] = [];
  const Wrong = defineComponent({
    setup() {
      const wizard = useWizard(executor, askName(), { id: "one", input: {} } as never);
      return () => text(wizard);
    },
  });
  const Boundary = {
    setup() {
      onErrorCaptured((error) => {
        told.push(error);
        return false;
      });
      return () => h(Wrong);
    },
  };
  draw(Boundary);
  expect(told).toEqual([expect.objectContaining({ code: "KEY_UNKNOWN" })]);
  expect(page.textContent).toBe("One moment");
  await renderToString(createSSRApp(Boundary));
  expect(told).toHaveLength(2);
});

test("an id that changes and comes back before anything is drawn shows what was shown, and starts nothing else", async () => {
  const id = ref("one");
  const shown: string[] = [];
  const Page = defineComponent({
    setup() {
      const wizard = useWizard(executor, askName(), () => ({ id: id.value }));
      return () => {
        shown.push(text(wizard));
        return shown.at(-1);
      };
    },
  });
  draw(Page);
  await reads("run_one Hello, name?");
  shown.length = 0;
  id.value = "two";
  id.value = "three";
  id.value = "one";
  await settle();
  expect(new Set(shown)).toEqual(new Set(shown.length === 0 ? [] : ["run_one Hello, name?"]));
  expect(await runs()).toEqual(["run_one"]);
  id.value = "two";
  await nextTick();
  // Nothing is shown of what was left.
  expect(page.textContent).toBe("One moment");
  await reads("run_two Hello, name?");
  expect(await runs()).toEqual(["run_one", "run_two"]);
});

test("inputs that change while the run is followed take nothing from the page", async () => {
  const given = reactive({ greeting: "Hello" });
  const shown: string[] = [];
  const Page = defineComponent({
    setup() {
      const wizard = useWizard(executor, askName(), () => ({ id: "one", inputs: { ...given } }));
      return () => {
        shown.push(text(wizard));
        return shown.at(-1);
      };
    },
  });
  draw(Page);
  await reads("run_one Hello, name?");
  shown.length = 0;
  given.greeting = "Good day";
  await settle();
  expect(shown.filter((drawn) => drawn !== "run_one Hello, name?")).toEqual([]);
  expect(page.textContent).toBe("run_one Hello, name?");
});

test("inputs that were refused start the run once they are right", async () => {
  const greeting = ref<unknown>(3);
  const Page = defineComponent({
    setup() {
      const wizard = useWizard(executor, askName(), () => ({ id: "one", inputs: { greeting: greeting.value } }) as never);
      return () => text(wizard);
    },
  });
  draw(Page);
  await expect.poll(() => page.textContent).toContain("INPUT");
  greeting.value = "Good day";
  await reads("run_one Good day, name?");
});

test("a component that is there to show the error of a wizard shows it, and tries nothing by itself", async () => {
  const tried = vi.spyOn(executor, "start");
  const Trouble = defineComponent({
    setup() {
      const wizard = useWizard(executor, "ask", { id: "one" });
      return () => h("button", { onClick: () => wizard.value.retry?.() }, wizard.value.error?.code);
    },
  });
  const Page = defineComponent({
    setup() {
      const wizard = useWizard(executor, "ask", { id: "one" });
      return () => (wizard.value.error ? h(Trouble) : text(wizard));
    },
  });
  draw(Page);
  await reads("WORKFLOW_NOT_FOUND");
  await settle();
  expect(tried).toHaveBeenCalledTimes(1);
  // Another part of the page brings the workflow along.
  await executor.start(askName());
  page.querySelector("button")!.click();
  await reads("run_one Hello, name?");
});

test("a second component with the same id shows the run at once", async () => {
  const isSecond = ref(false);
  draw(() => [h(Wizard), isSecond.value ? h("p", [h(Wizard)]) : undefined]);
  await reads("run_one Hello, name?");
  isSecond.value = true;
  await nextTick();
  await nextTick();
  expect(page.querySelector("p")!.textContent).toBe("run_one Hello, name?");
});

test("a component that hot reload makes anew, with another definition of the same name, goes on with the run", async () => {
  const key = ref(1);
  const workflow = shallowRef(askName());
  draw(() => h(Wizard, { key: key.value, workflow: workflow.value }));
  await reads("run_one Hello, name?");
  const changed = askName();
  workflow.value = { ...changed, blocks: [{ ...changed.blocks[0]!, inputs: { prompt: "Your name?" } }] };
  key.value = 2;
  await nextTick();
  await reads("run_one Hello, name?");
  await answer("run_one");
  await reads("run_one completed");
  expect(await runs()).toEqual(["run_one"]);
  apps.pop()!.unmount();
  draw(() => h(Wizard, { id: "two", workflow: workflow.value }));
  // The executor knows the first one: it has to be made anew, too.
  await reads("WORKFLOW_DUPLICATE");
});

test("a scope that is stopped while its run is being started hears of nothing, and the run is there for the next one", async () => {
  let isStarting = (): void => {};
  const starting = new Promise<void>((resolve) => (isStarting = resolve));
  const begin = executor.start.bind(executor) as (...given: unknown[]) => Promise<never>;
  vi.spyOn(executor, "start").mockImplementation(((...given: unknown[]) => {
    isStarting();
    return begin(...given);
  }) as never);
  const first = effectScope();
  const wizard = first.run(() => useWizard(executor, askName(), { id: "one" }))!;
  await starting;
  first.stop();
  await expect.poll(runs).toEqual(["run_one"]);
  await settle();
  expect(text(wizard)).toBe("One moment");
  const second = effectScope();
  const again = second.run(() => useWizard(executor, askName(), { id: "one" }))!;
  await expect.poll(() => text(again)).toBe("run_one Hello, name?");
  second.stop();
  const asked = (await executor.open("run_one"))!;
  await asked.answer(asked.getSnapshot().pauses[0]!.id, "Ada");
  expect(text(again)).toBe("run_one Hello, name?");
});

test("a scope that is stopped in the turn in which it began starts nothing", async () => {
  const scope = effectScope();
  scope.run(() => useWizard(executor, askName(), { id: "one" }));
  scope.stop();
  await settle();
  expect(await runs()).toEqual([]);
});

test("an executor that is closed leaves no component that waits", async () => {
  await executor.close();
  draw(Wizard);
  await reads("STORE_CLOSED");
});

test("a page that a server drew is taken over as it is, and no run is left on the server", async () => {
  const inBold = (id: string): VNode => h("b", [h(Wizard, { id })]);
  const Page = { render: () => h("p", [inBold("one"), h(Suspense, null, { default: () => inBold("two") })]) };
  page.innerHTML = await renderToString(createSSRApp(Page));
  await settle();
  expect(page.textContent).toBe("One momentOne moment");
  expect(await runs()).toEqual([]);
  const paragraph = page.firstElementChild;
  draw(Page, createSSRApp);
  expect(page.firstElementChild).toBe(paragraph);
  await reads("run_one Hello, name?run_two Hello, name?");
  expect(page.firstElementChild).toBe(paragraph);
});
