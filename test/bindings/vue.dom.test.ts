import { createApp, createSSRApp, effectScope, h, nextTick, ref, shallowRef, type App } from "vue";
import { renderToString } from "vue/server-renderer";
import { createExecutor, type Run } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";
import { usePause, useRun, useWizard } from "wavepoint/vue";
import { afterEach, expect, test, vi } from "vitest";
import { askTwo } from "./ask-two.ts";

const apps: App[] = [];

afterEach(() => {
  for (const app of apps.splice(0)) app.unmount();
});

/** Mounts a component that draws what the function gives. */
function draw(setup: () => () => unknown): HTMLElement {
  const page = document.createElement("main");
  const app = createApp({
    setup() {
      const read = setup();
      return () => h("p", String(read()));
    },
  });
  apps.push(app);
  app.mount(page);
  return page;
}

test("useRun draws again with each change, and another run at once", async () => {
  const [first, second] = [await askTwo(), await askTwo()];
  const run = shallowRef<Run>(first.run);
  const page = draw(() => {
    const view = useRun(run);
    return () => view.value.pauses.length;
  });
  expect(page.textContent).toBe("2");
  await first.run.answer(first.name, "Ada");
  await expect.poll(() => page.textContent).toBe("1");
  run.value = second.run;
  await nextTick();
  expect(page.textContent).toBe("2");
});

test("usePause goes from question to question", async () => {
  const { run } = await askTwo();
  const scope = effectScope();
  const question = scope.run(() => usePause(run))!;
  const page = draw(() => () => `${question.value.pause?.prompt} ${question.value.draft ?? ""}`);
  question.value.saveDraft("Ad");
  await nextTick();
  expect(page.textContent).toBe("Name? Ad");
  await question.value.answer("");
  expect(question.value.error?.code).toBe("RESPONSE_INVALID");
  const sending = question.value.answer("Ada");
  expect(question.value.isSending).toBe(true);
  await sending;
  await nextTick();
  expect(page.textContent).toBe("Seats? ");
  scope.stop();
});

test("usePause takes a question by its id, and another one later", async () => {
  const { run, name, seats } = await askTwo();
  const id = ref(seats);
  const question = effectScope().run(() => usePause(() => run, id))!;
  expect(question.value.pause?.prompt).toBe("Seats?");
  id.value = name;
  expect(question.value.pause?.prompt).toBe("Name?");
});

test("a run in a ref stays what it is", async () => {
  const { run } = await askTwo();
  expect(ref(run).value).toBe(run);
});

/** Counts who listens to a run. */
function countListeners(run: Run): () => number {
  const subscribe = run.subscribe.bind(run);
  let count = 0;
  vi.spyOn(run, "subscribe").mockImplementation((listener) => {
    count++;
    const leave = subscribe(listener);
    return () => {
      count--;
      leave();
    };
  });
  return () => count;
}

test("nothing listens any more once the component is gone", async () => {
  const { run } = await askTwo();
  const listeners = countListeners(run);
  draw(() => {
    const [view, question] = [useRun(run), usePause(run)];
    return () => `${view.value.status} ${question.value.isSending}`;
  });
  expect(listeners()).toBeGreaterThan(1);
  apps.pop()!.unmount();
  expect(listeners()).toBe(0);
});

test("a server renders the state as it stands, and nothing listens afterwards", async () => {
  const { run } = await askTwo();
  const listeners = countListeners(run);
  const app = createSSRApp({
    setup() {
      const [view, question] = [useRun(run), usePause(run)];
      return () => h("p", `${view.value.status} ${question.value.pause?.prompt}`);
    },
  });
  expect(await renderToString(app)).toBe("<p>paused Name?</p>");
  expect(run.subscribe).toHaveBeenCalled();
  expect(listeners()).toBe(0);
});

test("a page that the server drew is taken over as it is, and goes on from there", async () => {
  const { run, name } = await askTwo();
  const page = document.createElement("main");
  const setup = () => {
    const [view, question] = [useRun(run), usePause(run)];
    return () => h("p", `${view.value.status} ${question.value.pause?.prompt}`);
  };
  page.innerHTML = await renderToString(createSSRApp({ setup }));
  const paragraph = page.firstElementChild;
  const app = createSSRApp({ setup });
  app.mount(page);
  expect(page.firstElementChild).toBe(paragraph);
  await run.answer(name, "Ada");
  await expect.poll(() => page.textContent).toBe("paused Seats?");
  expect(page.firstElementChild).toBe(paragraph);
  app.unmount();
});

const ASK = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Name?" } }] };

test("useWizard opens, starts and follows, and another id is another run", async () => {
  const store = memoryStore();
  const executor = createExecutor({ store });
  const id = ref("first");
  let wizard!: ReturnType<typeof useWizard<typeof ASK>>;
  const page = draw(() => {
    wizard = useWizard(executor, ASK, () => ({ id: id.value }));
    return () =>
      wizard.value.isLoading ? "loading" : `${wizard.value.run?.id} ${wizard.value.question?.pause?.prompt ?? wizard.value.view?.status}`;
  });
  expect(page.textContent).toBe("loading");
  await expect.poll(() => page.textContent).toBe("run_first Name?");
  await wizard.value.question!.answer("Ada");
  await expect.poll(() => page.textContent).toBe("run_first completed");
  await wizard.value.run!.settled();
  id.value = "second";
  await expect.poll(() => page.textContent).toBe("run_second Name?");
  await executor.close();
});

test("useWizard starts nothing for a page that is drawn on a server", async () => {
  const executor = createExecutor({ store: memoryStore() });
  const Page = {
    setup: () => {
      const wizard = useWizard(executor, ASK, { id: "one" });
      return () => h("p", String(wizard.value.isLoading));
    },
  };
  expect(await renderToString(createSSRApp(Page))).toBe("<p>true</p>");
  expect((await executor.runs.list()).items).toEqual([]);
  await executor.close();
});
