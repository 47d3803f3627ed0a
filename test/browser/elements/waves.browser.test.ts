import { assertAccessible } from "../../support/assert-accessible.ts";
import { click, openList, part, show, startAsking, textOf } from "../../support/page-elements.ts";
import { expect, onTestFinished, test } from "vitest";
import { createExecutor, defineBlock, failure, type Run } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const questions = { name: { prompt: "Your name?" }, town: { prompt: "Your town?" } };

test("the graph shows how each block stands, as a picture and as a list", async () => {
  const { run } = await startAsking(questions);
  const element = show("wavepoint-waves", { run });
  await openList(element);
  const list = () => [...element.querySelectorAll("[part~=block]")].map(textOf);
  const picture = () => [...element.querySelectorAll("svg [data-status]")].map((block) => block.getAttribute("data-status"));
  await expect.poll(list).toEqual(["Name asks", "Town not begun"]);
  expect(picture()).toEqual(["paused", "pending"]);
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
  await expect.poll(list).toEqual(["Name done", "Town asks"]);
  expect(picture()).toEqual(["completed", "paused"]);
  expect(element.querySelector("svg")!.getAttribute("aria-hidden")).toBe("true");
});

test("the graph goes back to a checkpoint and returns, and marks what a changed answer would do", async () => {
  const { run, workflow, executor } = await startAsking(questions);
  const element = show("wavepoint-waves", { run, workflow });
  const picture = () => [...element.querySelectorAll("svg [data-status]")].map((block) => block.getAttribute("data-status"));
  const asked = run.getSnapshot().pauses[0]!.id;
  await run.answer(asked, "Ada");
  await expect.poll(picture).toEqual(["completed", "paused"]);

  const { items } = await executor.checkpoints.list({ run: run.id });
  element.checkpoint = await executor.checkpoints.get(items.at(-1)!.id);
  await expect.poll(picture).toEqual(["paused", "pending"]);
  element.checkpoint = undefined;
  await expect.poll(picture).toEqual(["completed", "paused"]);

  const marked = () => [...element.querySelectorAll("[data-change]")].map((block) => block.getAttribute("data-block"));
  element.preview = await run.previewRevise(asked, "Grace");
  await expect.poll(marked).toContain("name");
  expect(marked()).not.toContain("town");
  element.preview = undefined;
  await expect.poll(marked).toEqual([]);
});

test("the lines between the blocks are drawn, with the definition at once, else as the run has it", async () => {
  const { run, workflow } = await startAsking(questions);
  const given = show("wavepoint-waves", { run, workflow });
  await expect.poll(() => given.querySelector("svg g path")?.getAttribute("d")).toMatch(/^M/);
  const element = show("wavepoint-waves", { run });
  await expect.poll(() => element.querySelector("svg g path")?.getAttribute("d")).toMatch(/^M/);
});

test("in a page written from right to left the names stand in their boxes, and the first wave is in sight", async () => {
  document.documentElement.dir = "rtl";
  onTestFinished(() => document.documentElement.removeAttribute("dir"));
  const { run, workflow } = await startAsking(questions);
  const element = show("wavepoint-waves", { run, workflow }, { into: narrowPlace() });
  await expect.poll(() => element.querySelectorAll("svg [data-status]").length).toBe(2);
  for (const block of element.querySelectorAll("svg [data-status]")) {
    const frame = block.querySelector("rect")!.getBoundingClientRect();
    for (const label of block.querySelectorAll("text")) {
      const { left, right } = label.getBoundingClientRect();
      expect(left).toBeGreaterThan(frame.left);
      expect(right).toBeLessThan(frame.right);
    }
  }
  const picture = part(element, "picture")!.getBoundingClientRect();
  const first = element.querySelector("svg [data-status]")!.getBoundingClientRect();
  expect(first.left).toBeGreaterThan(picture.left);
  expect(first.right).toBeLessThan(picture.right);
  expect(first.top).toBeGreaterThan(picture.top);
});

test("in a narrow page no name and no status is broken by a long message", async () => {
  const reason = "The saw is broken, and no house in the village has another one. Ask for a new one.";
  const saw = defineBlock({ type: "Saw", execute: () => failure(reason) });
  const workflow = { name: "saw", blocks: [{ id: "saw_the_planks", type: "Saw" }] };
  const run = await createExecutor({ store: memoryStore(), blocks: [saw], workflows: [workflow] }).start("saw");
  await run.settled();
  const element = show("wavepoint-waves", { run }, { into: narrowPlace() });
  await openList(element);
  await expect.poll(() => textOf(part(element, "block"))).toBe(`Saw the planks failed ${reason}`);
  const lines = [...part(element, "block")!.children].map((child) => {
    const text = new Range();
    text.selectNodeContents(child);
    return text.getClientRects().length;
  });
  expect(lines.slice(0, 2)).toEqual([1, 1]);
  expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
});

/** A place as wide as a small phone. */
function narrowPlace(): HTMLElement {
  const place = document.createElement("div");
  place.style.inlineSize = "240px";
  document.body.append(place);
  onTestFinished(() => place.remove());
  return place;
}

test("history tells answers as people gave them, by the labels of what they chose", async () => {
  const plans = [{ const: "team", title: "For a team" }, { const: "me" }];
  const schema = {
    type: "object",
    properties: { "the plan": { oneOf: plans }, days: { type: "array", items: { oneOf: plans } } },
  } as const;
  const { run, executor } = await startAsking({ one: { prompt: "Which?", schema: { oneOf: plans } }, all: { prompt: "Which?", schema } });
  await run.answer(run.getSnapshot().pauses[0]!.id, "team");
  await run.answer(run.getSnapshot().pauses[0]!.id, { "the plan": "team", days: ["me", "team"] });
  const element = show("wavepoint-history", { run, executor });
  await expect.poll(() => part(element, "compare")).not.toBeNull();
  await click([...element.querySelectorAll("button")].find((button) => textOf(button) === "Compare")!);
  const told = () => textOf(part(element, "compare")!.querySelector("dl"));
  await expect.poll(told).toContain("Answers: one nothing → For a team");
  expect(told()).toContain("Answers: all nothing → The plan: For a team Days: me, For a team");
});

test("history lists the checkpoints, what differs between them, and forks from one", async () => {
  const { run, executor } = await startAsking(questions);
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
  const element = show("wavepoint-history", { run, executor });
  const opened: Run[] = [];
  element.addEventListener("wavepoint-run-changed", (event) => opened.push((event as CustomEvent<{ run: Run }>).detail.run));
  const checkpoints = () => [...element.querySelectorAll<HTMLElement>("[part~=checkpoint]")];
  await expect
    .poll(() => checkpoints().map((line) => textOf(line.firstElementChild).replace(/ \(.*/, "")))
    .toEqual(["Your name?", "After wave 1", "Your town?"]);

  const press = (within: Element, name: string) => click([...within.querySelectorAll("button")].find((button) => textOf(button) === name)!);
  await press(element, "Compare");
  await expect.poll(() => textOf(part(element, "compare")!.querySelector("dl"))).toContain("Answers: name nothing → Ada");
  expect(textOf(part(element, "compare")!.querySelector("dl"))).toContain("Name asks → done");
  await press(checkpoints()[1]!, "Show");
  await expect.poll(() => textOf(part(element, "state"))).toBe("Name Answer Ada");
  await assertAccessible(element);

  await press(checkpoints()[0]!, "Fork from here");
  await expect.poll(() => opened.length).toBe(1);
  expect(opened[0]!.getSnapshot().fork?.run).toBe(run.id);
  element.run = opened[0];
  const branches = () => [...element.querySelectorAll("[part~=branch]")].map((branch) => branch.getAttribute("aria-current"));
  await expect.poll(branches).toEqual([null, "true"]);
  await press(element.querySelector("[part~=branch]")!, "Open");
  await expect.poll(() => opened[1]?.id).toBe(run.id);
});

test("what undoes a block has a box beside the waves, and stands in the list once it is at work", async () => {
  const broken = defineBlock({ type: "Broken", execute: () => failure("No room.") });
  const workflow = {
    name: "trip",
    blocks: [
      { id: "book", type: "EchoBlock", inputs: { message: "booked" }, compensate: "cancel" },
      { id: "ask", type: "ConfirmOperation", dependsOn: ["book"], inputs: { message: "Go on?" } },
      { id: "pay", type: "Broken", dependsOn: ["ask"] },
      { id: "cancel", type: "EchoBlock", inputs: { message: "cancelled" } },
    ],
  };
  const run = await createExecutor({ store: memoryStore(), blocks: [broken], workflows: [workflow] }).start("trip");
  const { pauses } = await run.settled();
  const element = show("wavepoint-waves", { run, workflow });
  await openList(element);
  const picture = () => [...element.querySelectorAll("svg [data-status]")].map((block) => block.getAttribute("data-status"));
  const list = () => [...element.querySelectorAll("[part~=wave]")].map(textOf);
  await expect.poll(picture).toEqual(["completed", "paused", "pending", "pending"]);
  expect(textOf(element.querySelector("svg")!)).toContain("Undoing");
  await expect.poll(list).toHaveLength(3);
  await run.answer(pauses![0]!.id, "yes");
  await expect.poll(picture).toEqual(["completed", "completed", "failed", "completed"]);
  expect(list().at(-1)).toBe("Undoing Cancel done");
});
