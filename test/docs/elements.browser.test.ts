import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { commands } from "vitest/browser";
import { clearDatabase } from "../support/clear-database.ts";
import { openList, part, textOf, untilQuiet } from "../support/page-elements.ts";

const FOLDER = "docs/guide/pages/elements";

beforeEach(() => clearDatabase("seats"));

/** Ends with the test what a page listens to at its document, which is also that of the files that follow. */
function leaveWithTest(): void {
  const leaving = new AbortController();
  const listen = document.addEventListener.bind(document);
  const spy = vi
    .spyOn(document, "addEventListener")
    .mockImplementation((type: string, listener: EventListenerOrEventListenerObject) => listen(type, listener, { signal: leaving.signal }));
  onTestFinished(() => {
    spy.mockRestore();
    leaving.abort();
  });
}

test("the page of the elements shows a wizard, the graph and the history, which go back together, and go on together with a fork", async () => {
  const page = await commands.readFile(`./${FOLDER}/index.html`);
  document.body.innerHTML = new DOMParser().parseFromString(page, "text/html").body.innerHTML;
  onTestFinished(() => document.body.replaceChildren());
  leaveWithTest();
  await import(/* @vite-ignore */ `/${FOLDER}/main.ts`);
  const [wizard, waves, past] = ["wavepoint-run", "wavepoint-waves", "wavepoint-history"].map((name) => document.querySelector(name)!);
  const heading = () => textOf(part(wizard!, "heading"));
  await expect.poll(heading).toBe("Who comes?");
  for (const [i, text] of ["Ada", "ada@example.org"].entries()) {
    const input = wizard!.querySelectorAll("input")[i]!;
    input.value = text;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  wizard!.querySelector("form")!.requestSubmit();
  await expect.poll(heading).toBe("Which evening?");
  await openList(waves!);
  await expect.poll(() => [...waves!.querySelectorAll("[part~=block]")].map(textOf)).toEqual(["Guest done", "Evening asks"]);
  expect(waves!.querySelector("svg g path")!.getAttribute("d")).toMatch(/^M/);

  await untilQuiet();
  [...wizard!.querySelectorAll("button")].find((button) => textOf(button) === "Back")!.click();
  await expect.poll(heading).toBe("Who comes?");
  await expect.poll(() => [...waves!.querySelectorAll("[part~=block]")].map(textOf)).toEqual(["Guest asks", "Evening not begun"]);
  await expect.poll(() => past!.querySelectorAll("[part~=branch]").length).toBe(1);

  const { run } = wizard as HTMLElementTagNameMap["wavepoint-run"];
  [...past!.querySelectorAll("button")].find((button) => textOf(button) === "Fork from here")!.click();
  await expect.poll(() => past!.querySelectorAll("[part~=branch]").length).toBe(2);
  expect((wizard as HTMLElementTagNameMap["wavepoint-run"]).run).not.toBe(run);
  await expect.poll(heading).toBe("Who comes?");
});
