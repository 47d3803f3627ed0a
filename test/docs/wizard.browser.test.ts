import { afterEach, beforeEach, expect, test } from "vitest";
import { commands } from "vitest/browser";
import { clearDatabase } from "../support/clear-database.ts";

const page = await commands.readFile("./examples/wizard/index.html");

const element = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!;
const question = () => element("#question").textContent ?? "";

/** Opens the page of the example as a tab does: an empty document, then its script. */
async function openPage(visit: "first" | "second"): Promise<void> {
  document.body.innerHTML = new DOMParser().parseFromString(page, "text/html").body.innerHTML;
  await import(/* @vite-ignore */ `/examples/wizard/main.ts?${visit}`);
}

function send(answer: string): void {
  element<HTMLInputElement>("#answer").value = answer;
  element<HTMLFormElement>("form").requestSubmit();
}

// Files that follow share the document: Tab would lead into what is left here.
afterEach(() => document.body.replaceChildren());
beforeEach(() => clearDatabase("sign-up"));

test("the wizard that is drawn by hand goes on after the page was opened again", async () => {
  await openPage("first");
  await expect.poll(question).toContain("e-mail");
  send("no address");
  await expect.poll(() => element("#problem").textContent).toContain("does not match");
  send("ada@example.org");
  await expect.poll(question).toContain("How many people");

  await openPage("second");
  await expect.poll(question).toContain("How many people");
  send("six to twenty");
  await expect.poll(question).toContain("Create an account for ada@example.org?");
  send("yes");
  await expect.poll(() => element("#letter").textContent).toBe("Welcome, ada@example.org! Your team: six to twenty.");
  expect(element("form").hidden).toBe(true);
  // The page has then done all it does.
  await expect.poll(() => element<HTMLInputElement>("#answer").value).toBe("");
});
