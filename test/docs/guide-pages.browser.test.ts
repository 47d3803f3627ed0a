import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { part, textOf } from "../support/page-elements.ts";
import { clearDatabase } from "../support/clear-database.ts";
import { closePage, openPage } from "../support/page-frame.ts";

let page: Document;
const open = async (guide: string) => void (page = await openPage(`docs/guide/pages/${guide}`));
const wizard = () => page.querySelector("wavepoint-run")!;
const heading = () => textOf(part(wizard(), "heading"));
const control = (label: string) =>
  [...wizard().querySelectorAll<HTMLInputElement>("input, select, textarea")].find(({ labels }) => textOf(labels?.[0]).startsWith(label))!;
const send = () => wizard().querySelector("form")!.requestSubmit();

function fill(input: HTMLInputElement, text: string): void {
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

afterEach(closePage);
beforeEach(async () => {
  await clearDatabase("visits");
  await clearDatabase("trips");
  await clearDatabase("inspections");
});

test("the page of the five minutes asks, and goes on with the next question after it was opened again", async () => {
  await open("start");
  await expect.poll(heading).toBe("Who is coming?");
  fill(wizard().querySelector("input")!, "Ada");
  send();
  await expect.poll(heading).toContain("How many guests");

  await open("start");
  await expect.poll(heading).toContain("How many guests");
  fill(wizard().querySelector("input")!, "2");
  send();
  await expect.poll(() => textOf(wizard())).toContain("Ada + 2");
});

test("the wizard of the guide asks what the answers call for, and goes on after the page was opened again", async () => {
  await open("wizard");
  await expect.poll(heading).toBe("Who travels?");
  fill(control("Full name"), "Ada");
  fill(control("E-mail"), "ada@example.org");
  send();
  await expect.poll(heading).toContain("How do you travel?");

  await open("wizard");
  await expect.poll(heading).toContain("How do you travel?");
  control("Plane").click();
  send();
  await expect.poll(heading).toContain("passport");
  fill(wizard().querySelector("input")!, "X123456");
  send();
  await expect.poll(heading).toContain("Book the trip for Ada?");
});

test("the wizard of the guide says that its data was cleared, where that happens while it goes on", async () => {
  await open("wizard");
  await expect.poll(heading).toBe("Who travels?");
  fill(control("Full name"), "Ada");
  fill(control("E-mail"), "ada@example.org");
  send();
  await expect.poll(heading).toContain("How do you travel?");

  // A promise of the page that rejects unseen would fail this.
  await open("wizard");
  await expect.poll(() => wizard().run).toBeDefined();
  await clearDatabase("trips");
  // The page may have come to rest before: then it learns of it with the next answer.
  const said = () => /cleared|deleted|lost/.test(textOf(wizard()));
  await expect.poll(() => said() || wizard().querySelector("form") !== null).toBe(true);
  if (!said()) {
    control("Train").click();
    send();
  }
  await expect.poll(said).toBe(true);
});

test("the form of the guide is kept while the service cannot be reached, and sent when it can", async () => {
  const { fetch: platform } = globalThis;
  onTestFinished(() => void (globalThis.fetch = platform));
  const sent: unknown[] = [];
  let isOnline = false;
  globalThis.fetch = async (input, options) => {
    if (!String(input).endsWith("/inspections")) return platform(input, options);
    if (!isOnline) throw new TypeError("Failed to fetch");
    sent.push(JSON.parse(String(options?.body)));
    return Response.json({ number: 12 }, { status: 201 });
  };

  await open("offline-form");
  await expect.poll(heading).toBe("Inspection");
  expect(page.querySelector("#storage")!.textContent).toContain("kept");
  fill(control("Place"), "Cellar");
  control("Worn").click();
  send();
  await expect.poll(() => wizard().querySelector("form")).toBeNull();
  expect(sent).toEqual([]);

  isOnline = true;
  await open("offline-form");
  await expect.poll(() => sent).toEqual([{ place: "Cellar", state: "Worn", remarks: null }]);
  await expect.poll(heading).toBe("Inspection");
});
