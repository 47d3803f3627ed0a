import "../demo/expect-lit-in-dev-mode.ts";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { commands } from "vitest/browser";
import { clearDatabase } from "../support/clear-database.ts";
import { part, textOf, untilQuiet } from "../support/page-elements.ts";

const FOLDER = "docs/guide/pages/elements";

beforeEach(() => clearDatabase("seats"));

test("the page of the elements shows a wizard, the graph and the history, which go back together, and go on together with a fork", async () => {
  const page = await commands.readFile(`./${FOLDER}/index.html`);
  document.body.innerHTML = new DOMParser().parseFromString(page, "text/html").body.innerHTML;
  onTestFinished(() => document.body.replaceChildren());
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
  await expect.poll(() => [...waves!.querySelectorAll("[part~=block]")].map(textOf)).toEqual(["Guest done", "Evening asks"]);
  expect(waves!.querySelector("svg g path")!.getAttribute("d")).toMatch(/^M/);

  await untilQuiet();
  [...wizard!.querySelectorAll("button")].find((button) => textOf(button) === "Back")!.click();
  await expect.poll(heading).toBe("Who comes?");
  await expect.poll(() => [...waves!.querySelectorAll("[part~=block]")].map(textOf)).toEqual(["Guest asks", "Evening not begun"]);
  expect(past!.querySelectorAll("[part~=branch]")).toHaveLength(1);

  const { run } = wizard as HTMLElementTagNameMap["wavepoint-run"];
  [...past!.querySelectorAll("button")].find((button) => textOf(button) === "Fork from here")!.click();
  await expect.poll(() => past!.querySelectorAll("[part~=branch]").length).toBe(2);
  expect((wizard as HTMLElementTagNameMap["wavepoint-run"]).run).not.toBe(run);
  await expect.poll(heading).toBe("Who comes?");
});
