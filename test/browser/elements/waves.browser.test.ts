import { part, show, startAsking, textOf } from "../../support/page-elements.ts";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import type { Run } from "wavepoint";

const questions = { name: { prompt: "Your name?" }, town: { prompt: "Your town?" } };

test("the graph shows how each block stands, as a picture and as a list", async () => {
  const { run } = await startAsking(questions);
  const element = show("wavepoint-waves", { run });
  const list = () => [...element.querySelectorAll("[part~=block]")].map(textOf);
  const picture = () => [...element.querySelectorAll("svg [data-status]")].map((block) => block.getAttribute("data-status"));
  await expect.poll(list).toEqual(["Name asks", "Town not begun"]);
  expect(picture()).toEqual(["paused", "pending"]);
  await run.answer(run.getSnapshot().pauses[0]!.id, "Ada");
  await expect.poll(list).toEqual(["Name done", "Town asks"]);
  expect(picture()).toEqual(["completed", "paused"]);
  expect(element.querySelector("svg")!.getAttribute("aria-hidden")).toBe("true");
});

test("with the definition the lines between the blocks are drawn", async () => {
  const { run, workflow } = await startAsking(questions);
  const element = show("wavepoint-waves", { run, workflow });
  await expect.poll(() => element.querySelector("svg g path")?.getAttribute("d")).toMatch(/^M/);
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

  const press = (within: Element, name: string) =>
    userEvent.click([...within.querySelectorAll("button")].find((button) => textOf(button) === name)!);
  await press(element, "Compare");
  await expect.poll(() => textOf(part(element, "compare")!.querySelector("dl"))).toContain("Answers: name nothing → Ada");
  await press(checkpoints()[1]!, "Show");
  await expect.poll(() => textOf(part(element, "state"))).toBe("Name Answer: Ada");

  await press(checkpoints()[0]!, "Fork from here");
  await expect.poll(() => opened.length).toBe(1);
  expect(opened[0]!.getSnapshot().fork?.run).toBe(run.id);
  element.run = opened[0];
  const branches = () => [...element.querySelectorAll("[part~=branch]")].map((branch) => branch.getAttribute("aria-current"));
  await expect.poll(branches).toEqual([null, "true"]);
  await press(element.querySelector("[part~=branch]")!, "Open");
  await expect.poll(() => opened[1]?.id).toBe(run.id);
});
