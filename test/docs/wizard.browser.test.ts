import { afterEach, beforeEach, expect, test } from "vitest";
import { clearDatabase } from "../support/clear-database.ts";
import { closePage, openPage } from "../support/page-frame.ts";

const EXAMPLE = "examples/wizard";

let page: Document;
const element = <T extends HTMLElement>(selector: string) => page.querySelector<T>(selector)!;
const question = () => element("#question").textContent ?? "";

function send(answer: string): void {
  element<HTMLInputElement>("#answer").value = answer;
  element<HTMLFormElement>("form").requestSubmit();
}

beforeEach(() => clearDatabase("sign-up"));
afterEach(closePage);

test("the wizard that is drawn by hand goes on after the page was opened again", async () => {
  page = await openPage(EXAMPLE);
  await expect.poll(question).toContain("e-mail");
  send("no address");
  await expect.poll(() => element("#problem").textContent).toContain("does not match");
  send("ada@example.org");
  await expect.poll(question).toContain("How many people");

  page = await openPage(EXAMPLE);
  await expect.poll(question).toContain("How many people");
  send("six to twenty");
  await expect.poll(question).toContain("Create an account for ada@example.org?");
  send("yes");
  await expect.poll(() => element("#letter").textContent).toBe("Welcome, ada@example.org! Your team: six to twenty.");
  expect(element("form").hidden).toBe(true);
  // The page has then done all it does.
  await expect.poll(() => element<HTMLInputElement>("#answer").value).toBe("");
});
