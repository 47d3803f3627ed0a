import { createApp, createSSRApp, effectScope, h, nextTick, ref, shallowRef, type App } from "vue";
import { renderToString } from "vue/server-renderer";
import type { Run } from "wavepoint";
import { useOpenRun, usePause, useRun } from "wavepoint/vue";
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

test("usePause goes from question to question, and its parts are refs", async () => {
  const { run } = await askTwo();
  const scope = effectScope();
  const { pause, draft, isSending, error, answer, saveDraft } = scope.run(() => usePause(run))!;
  const page = draw(() => () => `${pause.value?.prompt} ${draft.value ?? ""}`);
  saveDraft("Ad");
  await nextTick();
  expect(page.textContent).toBe("Name? Ad");
  await answer("");
  expect(error.value?.code).toBe("RESPONSE_INVALID");
  const sending = answer("Ada");
  expect(isSending.value).toBe(true);
  await sending;
  await nextTick();
  expect(page.textContent).toBe("Seats? ");
  scope.stop();
});

test("usePause takes a question by its id, and another one later", async () => {
  const { run, name, seats } = await askTwo();
  const id = ref(seats);
  const { pause } = effectScope().run(() => usePause(() => run, id))!;
  expect(pause.value?.prompt).toBe("Seats?");
  id.value = name;
  expect(pause.value?.prompt).toBe("Name?");
});

test("useOpenRun gives the run, or why it could not be opened", async () => {
  const { executor, run } = await askTwo();
  const id = ref(run.id);
  const opened = effectScope().run(() => useOpenRun(executor, id))!;
  expect(opened.value).toEqual({});
  await expect.poll(() => opened.value.run).toBe(run);
  id.value = "gone";
  expect(opened.value).toEqual({});
  await expect.poll(() => opened.value.error?.code).toBe("RUN_NOT_FOUND");
});

test("a run in a ref stays what it is", async () => {
  const { run } = await askTwo();
  expect(ref(run).value).toBe(run);
});

test("nothing listens any more once the component is gone", async () => {
  const { run } = await askTwo();
  const leave = vi.fn<() => void>();
  vi.spyOn(run, "subscribe").mockReturnValue(leave);
  draw(() => {
    const view = useRun(run);
    return () => view.value.status;
  });
  apps.pop()!.unmount();
  expect(leave).toHaveBeenCalledOnce();
});

test("a server renders the state as it stands, and nothing listens afterwards", async () => {
  const { run } = await askTwo();
  const leave = vi.fn<() => void>();
  vi.spyOn(run, "subscribe").mockReturnValue(leave);
  const app = createSSRApp({
    setup() {
      const [view, { pause }] = [useRun(run), usePause(run)];
      return () => h("p", `${view.value.status} ${pause.value?.prompt}`);
    },
  });
  expect(await renderToString(app)).toBe("<p>paused Name?</p>");
  expect(leave.mock.calls.length).toBe(vi.mocked(run.subscribe).mock.calls.length);
});
