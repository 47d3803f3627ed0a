import {
  createExecutor,
  defineBlock,
  pause,
  success,
  type Executor,
  type Host,
  type Question,
  type Run,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { define, type WavepointElements } from "wavepoint/elements";
import { memoryStore } from "wavepoint/store/memory";
import { expect, onTestFinished } from "vitest";
import { userEvent } from "vitest/browser";

/** What a block of the type `Ask` was answered, by block. */
export type Asked = { readonly [block: string]: Question };

/** A workflow that asks the given questions, one after another; each call of `openTab` gives the executor of another tab. */
function asking(questions: Asked, store: Store, host?: Host): { readonly workflow: Workflow; openTab(): Executor } {
  const ask = defineBlock({
    type: "Ask",
    asks: "once",
    execute: ({ block }) => pause(questions[block]!),
    resume: ({ response }) => success({ answer: response as Value }),
  });
  const names = Object.keys(questions);
  const workflow: Workflow = {
    name: "asking",
    blocks: names.map((id, i) => ({ id, type: "Ask", ...(i > 0 ? { dependsOn: [names[i - 1]!] } : {}) })),
    outputs: Object.fromEntries(names.map((id) => [id, `\${blocks.${id}.answer}`])),
  };
  return { workflow, openTab: () => createExecutor({ store, blocks: [ask], workflows: [workflow], ...(host && { host }) }) };
}

/** Starts a run that asks, and waits until it does. Its time is that of the host, where there is one. */
export async function startAsking(
  questions: Asked,
  host?: Host,
): Promise<{ readonly run: Run; readonly executor: Executor; readonly workflow: Workflow; readonly store: Store; openTab(): Executor }> {
  const store = memoryStore();
  const { openTab, workflow } = asking(questions, store, host);
  const executor = openTab();
  const run = await executor.start("asking");
  await run.settled();
  return { run, executor, workflow, store, openTab };
}

/** Puts an element into the page until the test is over. */
export function show<Name extends keyof WavepointElements>(
  name: Name,
  properties: Partial<WavepointElements[Name]>,
  { into = document.body }: { readonly into?: HTMLElement } = {},
): WavepointElements[Name] {
  define();
  const element = Object.assign(document.createElement(name) as WavepointElements[Name], properties);
  into.append(element);
  onTestFinished(() => element.remove());
  return element;
}

/** Resolves once the elements take clicks and keys for answers: not at once where something new is shown. */
export async function untilQuiet(): Promise<void> {
  await expect.poll(() => document.querySelector("[data-new]"), { interval: 20 }).toBeNull();
}

/** Presses keys as a person does, who has seen what is asked. */
export async function keys(text: string): Promise<void> {
  await untilQuiet();
  await userEvent.keyboard(text);
}

/** Clicks as a person does, who has seen what is asked. */
export async function click(element: Element): Promise<void> {
  await untilQuiet();
  await userEvent.click(element);
}

/** Clicks twice before the page can do anything between the two; `untilQuiet` comes first. */
export function clickTwice(element: HTMLElement): void {
  // Without it the clicks belong to the last key, and a busy machine may have let that go only after the question was shown.
  element.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
  element.click();
  element.click();
}

/** The first part of a name in an element. */
export function part<T extends HTMLElement = HTMLElement>(element: ParentNode, name: string): T | null {
  return element.querySelector<T>(`[part~="${name}"]`);
}

/** Its text, blanks put together. */
export function textOf(element: Element | null | undefined): string {
  return (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}

/** Opens the list below a graph, once the graph is there. */
export async function openList(waves: Element): Promise<void> {
  await expect.poll(() => part(waves, "list")).not.toBeNull();
  part<HTMLDetailsElement>(waves, "list")!.open = true;
}
