import { assertAccessible } from "../../support/assert-accessible.ts";
import { click, keys, part, show, textOf } from "../../support/page-elements.ts";
import { expect, test } from "vitest";
import { createExecutor, type Workflow } from "wavepoint";
import { memoryStore } from "wavepoint/store/memory";

const workflow: Workflow = {
  name: "sign-up",
  blocks: [
    { id: "name", type: "GetInput", inputs: { prompt: "Your name?" } },
    { id: "town", type: "GetInput", dependsOn: ["name"], inputs: { prompt: "Your town?" } },
    { id: "look", type: "Review", dependsOn: ["town"], inputs: { prompt: "Is all of this right?", declaration: "All of this is true." } },
    { id: "colour", type: "GetInput", dependsOn: ["look"], inputs: { prompt: "Your colour?" } },
  ],
};

async function begin() {
  const run = await createExecutor({ store: memoryStore(), workflows: [workflow] }).start("sign-up");
  for (const answer of ["Ada", "Hove"]) await run.answer((await run.settled()).pauses![0]!.id, answer);
  const element = show("wavepoint-run", { run });
  await expect.poll(() => part(element, "review")).not.toBeNull();
  const answers = () => [...element.querySelectorAll("[part~=review-line]")].map(textOf);
  const button = (name: string) => [...element.querySelectorAll("button")].find((one) => (one.ariaLabel ?? textOf(one)) === name)!;
  return { run, element, answers, button };
}

test("the answers stand below the question whether they are right, which is sent once its box is ticked", async () => {
  const { run, element, answers } = await begin();
  expect(answers().map((line) => line.replace(/ ?Change$/, ""))).toEqual([expect.stringContaining("Ada"), expect.stringContaining("Hove")]);
  expect(textOf(element)).toContain("Print or save these answers");
  expect(textOf(part(element, "stage"))).toMatch(/^Is all of this right\?.*Ada.*Hove.*All of this is true\./);
  expect([...element.querySelectorAll("h2")].map(textOf)).toEqual(["Is all of this right?"]);
  expect(element.querySelector("form form")).toBeNull();
  await assertAccessible(element);
  await click(part(element, "primary")!);
  await expect.poll(() => part(element, "summary")).not.toBeNull();
  expect(document.activeElement).toBe(part(element, "summary"));
  await click(element.querySelector("input[type=checkbox]")!);
  await click(part(element, "primary")!);
  await expect.poll(() => run.getSnapshot().pauses[0]?.path).toEqual(["colour"]);
  await expect.poll(() => part(element, "review")).toBeNull();
});

test("one of them is changed there; the others stay, and all are to be looked over again", async () => {
  const { run, element, answers, button } = await begin();
  await click(button("Change: Your name?"));
  await expect.poll(() => element.querySelector("[part~=review] input")).not.toBeNull();
  expect(document.activeElement).toBe(element.querySelector("[part~=review] [part~=heading]"));
  expect(element.querySelector("form form")).toBeNull();
  await assertAccessible(element);
  await keys("{Tab}{Control>}a{/Control}Grace{Enter}");
  await expect.poll(() => part(element, "preview")).not.toBeNull();
  await click(button("Change the answer"));
  await expect.poll(() => answers().join()).toContain("Grace");
  expect(answers().join()).toContain("Hove");
  expect(run.getSnapshot().pauses[0]!.path).toEqual(["look"]);
});
