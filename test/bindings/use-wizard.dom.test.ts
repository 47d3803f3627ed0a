import { act, Component, createElement, startTransition, StrictMode, Suspense, use, useState, type ReactNode } from "react";
import { createRoot, hydrateRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { createExecutor, type Executor, type Workflow } from "wavepoint";
import { useWizard } from "wavepoint/react";
import { memoryStore } from "wavepoint/store/memory";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { shownWizards } from "./shown-wizards.ts";

const askName = (): Workflow => ({ name: "ask", blocks: [{ id: "name", type: "GetInput", inputs: { prompt: "Name?" } }] });

let root: Root;
let page: HTMLElement;
let executor: Executor;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  page = document.createElement("main");
  root = createRoot(page, { onCaughtError: () => {} });
  executor = createExecutor({ store: memoryStore() });
});
afterEach(async () => {
  await act(() => root.unmount());
  await act(() => executor.close());
  vi.unstubAllGlobals();
});

const draw = (drawn: ReactNode): Promise<void> => act(async () => root.render(createElement(StrictMode, undefined, drawn)));

/** All time passes inside of `act`: what draws meanwhile belongs to it. */
async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 30_000;
  while (!isSo() && Date.now() < end) await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
}

/** Waits until the page reads so. */
async function reads(text: string): Promise<void> {
  await until(() => page.textContent === text);
  expect(page.textContent).toBe(text);
}

const { runs } = shownWizards(
  () => executor,
  () => page.textContent,
);

interface WizardProps {
  readonly id?: string;
  readonly workflow?: Workflow;
  readonly beside?: () => unknown;
}

function Wizard({ id = "one", workflow = askName(), beside }: WizardProps): ReactNode {
  const used = useWizard(executor, workflow, { id });
  beside?.();
  if (used.error) return used.error.code;
  return used.isLoading ? "One moment" : `${used.run.id} ${used.question.pause?.prompt ?? used.view.status}`;
}

test("a component that suspends beside its wizard, at first and later on, has one run", async () => {
  let goOn: () => void;
  const wait = (): Promise<void> => new Promise((resolve) => (goOn = resolve));
  let waiting = wait();
  const beside = (): void => use(waiting);
  // A new element each time: React skips one that it knows.
  const drawn = (): ReactNode => createElement(Suspense, { fallback: "Waiting" }, createElement(Wizard, { beside }));
  await draw(drawn());
  expect(page.textContent).toBe("Waiting");
  // Nothing is started for a component that is not there yet.
  expect(await runs()).toEqual([]);
  await act(async () => goOn());
  await reads("run_one Name?");

  waiting = wait();
  await draw(drawn());
  expect(page.textContent).toContain("Waiting");
  const run = await executor.open("run_one");
  // An answer that comes while it is hidden is shown once it is back.
  await act(() => run!.answer(run!.getSnapshot().pauses[0]!.id, "Ada"));
  await act(async () => goOn());
  await reads("run_one completed");
  expect(await runs()).toEqual(["run_one"]);
});

test("another id in a transition, and back before it is drawn, shows the run of the last one", async () => {
  let setId: (id: string) => void;
  const Page = (): ReactNode => {
    const [id, set] = useState("one");
    setId = set;
    return createElement(Wizard, { id });
  };
  await draw(createElement(Page));
  await reads("run_one Name?");
  await act(async () => {
    startTransition(() => setId("two"));
    startTransition(() => setId("three"));
    setId("one");
    startTransition(() => setId("two"));
  });
  await reads("run_two Name?");
  expect(await runs()).toEqual(["run_one", "run_two"]);
});

test("a wizard behind an error boundary goes on with its run once it is drawn again", async () => {
  class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
    override state = { failed: false };
    static getDerivedStateFromError = (): { failed: boolean } => ({ failed: true });
    override render(): ReactNode {
      return this.state.failed ? "Sorry" : this.props.children;
    }
  }
  let isBroken = false;
  const beside = (): void => {
    if (isBroken) throw new Error("It does not draw.");
  };
  const drawn = (key: number): ReactNode => createElement(Boundary, { key, children: createElement(Wizard, { beside }) });
  await draw(drawn(1));
  await reads("run_one Name?");
  const run = await executor.open("run_one");
  isBroken = true;
  await draw(drawn(1));
  await reads("Sorry");
  await act(() => run!.answer(run!.getSnapshot().pauses[0]!.id, "Ada"));
  isBroken = false;
  await draw(drawn(2));
  await reads("run_one completed");
  expect(await runs()).toEqual(["run_one"]);
});

test("a workflow object that is made anew, in place or by a component that is loaded again, goes on with the run", async () => {
  await draw(createElement(Wizard, { key: 1, workflow: askName() }));
  await reads("run_one Name?");
  await draw(createElement(Wizard, { key: 1, workflow: askName() }));
  await draw(createElement(Wizard, { key: 2, workflow: askName() }));
  await reads("run_one Name?");
  expect(await runs()).toEqual(["run_one"]);
});

test("an id that is a run of another workflow is refused to the second one, and can be given another id", async () => {
  const other: Workflow = { ...askName(), name: "other" };
  // One after the other: of two that begin at once, either may be the first.
  await draw([createElement(Wizard, { key: 1 })]);
  await reads("run_one Name?");
  await draw([createElement(Wizard, { key: 1 }), " | ", createElement(Wizard, { key: 2, workflow: other })]);
  await reads("run_one Name? | RUN_EXISTS");
  await draw([createElement(Wizard, { key: 1 }), " | ", createElement(Wizard, { key: 2, workflow: other, id: "two" })]);
  await reads("run_one Name? | run_two Name?");
});

test("an executor that is closed leaves no component that waits", async () => {
  const closing = createExecutor({ store: memoryStore() });
  await closing.close();
  const Page = (): ReactNode => {
    const used = useWizard(closing, askName(), { id: "one" });
    if (used.error) return used.error.code;
    return used.isLoading ? "One moment" : used.view.status;
  };
  await draw(createElement(Page));
  await reads("STORE_CLOSED");
});

test("a page that a server drew is taken over as it is, a part that waited too, and goes on from there", async () => {
  let goOn: () => void;
  const waiting = new Promise<void>((resolve) => (goOn = resolve));
  let isServer = true;
  const beside = (): void => {
    if (!isServer) use(waiting);
  };
  const told: unknown[] = [];
  const drawn = createElement(
    StrictMode,
    undefined,
    createElement("p", undefined, createElement(Wizard)),
    createElement(Suspense, { fallback: "Waiting" }, createElement("b", undefined, createElement(Wizard, { beside }))),
  );
  const sent = document.createElement("main");
  sent.innerHTML = renderToString(drawn);
  const [first, second] = [sent.querySelector("p")!, sent.querySelector("b")!];
  expect([first, second].map(({ textContent }) => textContent)).toEqual(["One moment", "One moment"]);
  isServer = false;
  const taken = await act(async () => hydrateRoot(sent, drawn, { onRecoverableError: (error) => told.push(error) }));
  await until(() => first.textContent === "run_one Name?");
  expect(first.textContent).toBe("run_one Name?");
  expect(second.textContent).toBe("One moment");
  await act(async () => goOn());
  await until(() => second.textContent === "run_one Name?");
  expect(second.textContent).toBe("run_one Name?");
  expect(sent.querySelector("p")).toBe(first);
  expect(sent.querySelector("b")).toBe(second);
  expect(told).toEqual([]);
  expect(await runs()).toEqual(["run_one"]);
  await act(() => taken.unmount());
});

test("a wizard that was given wrong inputs is tried again with those that it is given by then", async () => {
  const greet: Workflow = { ...askName(), inputs: { greeting: { type: "string" } } };
  let retry: (() => void) | undefined;
  const Greeting = ({ greeting }: { readonly greeting: unknown }): ReactNode => {
    const used = useWizard(executor, greet, { id: "one", inputs: { greeting } } as never);
    retry = used.retry;
    return used.error?.code ?? used.view?.status ?? "One moment";
  };
  await draw(createElement(Greeting, { greeting: 3 }));
  await reads("INPUT_INVALID");
  await draw(createElement(Greeting, { greeting: "Hello" }));
  expect(page.textContent).toBe("INPUT_INVALID");
  await act(() => retry!());
  await reads("paused");
});

test("a second component with the same id, drawn later, shows the run at once", async () => {
  await draw([createElement(Wizard, { key: 1 })]);
  await reads("run_one Name?");
  const shown: string[] = [];
  const Second = (): ReactNode => {
    const used = useWizard(executor, askName(), { id: "one" });
    shown.push(used.isLoading ? "One moment" : "There");
    return null;
  };
  await draw([createElement(Wizard, { key: 1 }), createElement(Second, { key: 2 })]);
  expect(new Set(shown)).toEqual(new Set(["There"]));
});
