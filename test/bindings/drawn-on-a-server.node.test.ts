import { createElement } from "react";
import { renderToReadableStream, renderToString as renderReact } from "react-dom/server";
import { render as renderSvelte } from "svelte/server";
import { createSSRApp, effectScope, h } from "vue";
import { renderToString as renderVue } from "vue/server-renderer";
import { createExecutor, type Executor, type Workflow } from "wavepoint";
import { useWizard as useReactWizard } from "wavepoint/react";
import { memoryStore } from "wavepoint/store/memory";
import { useWizard as useVueWizard } from "wavepoint/vue";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import Waiting from "./svelte/waiting.async.svelte";
import Wizard from "./svelte/wizard.svelte";

const ask: Workflow = { name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Name?" } }] };

/** So that a page takes a while, as one does that reads a database. */
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

let executor: Executor;
let before: readonly string[];

/** Those of Vue itself left out. */
const globals = (): readonly string[] => Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith("__VUE"));

beforeEach(() => {
  executor = createExecutor({ store: memoryStore() });
  vi.spyOn(executor, "start");
  before = globals();
});
afterEach(() => executor.close());

async function expectNothingLeft(): Promise<void> {
  await later();
  expect(executor.start).not.toHaveBeenCalled();
  expect((await executor.runs.list()).items).toEqual([]);
  expect(globals()).toEqual(before);
}

function ReactPage(): string {
  return String(useReactWizard(executor, ask, { id: "one" }).isLoading);
}

const VuePage = {
  async setup() {
    const wizard = useVueWizard(executor, ask, { id: "one" });
    await later();
    return () => h("p", String(wizard.value.isLoading));
  },
};

test("React draws a wizard that starts nothing, also as a stream", async () => {
  expect(renderReact(createElement(ReactPage))).toBe("true");
  const stream = await renderToReadableStream(createElement("p", undefined, createElement(ReactPage)));
  expect(await new Response(stream).text()).toContain("true");
  await expectNothingLeft();
});

test("Vue draws a wizard that starts nothing, also where its setup waits", async () => {
  expect(await renderVue(createSSRApp(VuePage))).toBe("<p>true</p>");
  await expectNothingLeft();
});

test("Vue starts nothing on a server in a scope without a component", async () => {
  const scope = effectScope();
  const wizard = scope.run(() => useVueWizard(executor, ask, { id: "one" }))!;
  await later();
  expect(wizard.value.isLoading).toBe(true);
  scope.stop();
  await expectNothingLeft();
});

test("Svelte draws a wizard that starts nothing", async () => {
  expect(renderSvelte(Wizard, { props: { executor, workflow: ask } }).body).toBe("<!--[--><button>One moment</button><!--]-->");
  await expectNothingLeft();
});

test("Svelte draws a wizard that starts nothing, also where it waits for its id and for other data", async () => {
  const props = { executor, workflow: ask, id: later().then(() => "one") };
  expect((await renderSvelte(Waiting, { props })).body).toBe("<!--[--><p>true</p><!--]-->");
  await expectNothingLeft();
});
