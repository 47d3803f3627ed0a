import "../demo/expect-lit-in-dev-mode.ts";
import {
  createExecutor,
  defineBlock,
  pause,
  success,
  type Executor,
  type Question,
  type Run,
  type Store,
  type Value,
  type Workflow,
} from "wavepoint";
import { define, type WavepointElements } from "wavepoint/elements";
import { memoryStore } from "wavepoint/store/memory";
import { onTestFinished } from "vitest";

/** What a block of the type `Ask` was answered, by block. */
export type Asked = { readonly [block: string]: Question };

/** A workflow that asks the given questions, one after another; each call of `openTab` gives the executor of another tab. */
function asking(questions: Asked, store: Store): { readonly workflow: Workflow; openTab(): Executor } {
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
  return { workflow, openTab: () => createExecutor({ store, blocks: [ask], workflows: [workflow] }) };
}

/** Starts a run that asks, and waits until it does. */
export async function startAsking(
  questions: Asked,
): Promise<{ readonly run: Run; readonly executor: Executor; readonly workflow: Workflow; readonly store: Store; openTab(): Executor }> {
  const store = memoryStore();
  const { openTab, workflow } = asking(questions, store);
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

/** The first part of a name in an element. */
export function part<T extends HTMLElement = HTMLElement>(element: ParentNode, name: string): T | null {
  return element.querySelector<T>(`[part~="${name}"]`);
}

/** Its text, blanks put together. */
export function textOf(element: Element | null | undefined): string {
  return (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
}
