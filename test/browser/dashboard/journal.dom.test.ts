import { expect, test } from "vitest";
import type { Run } from "wavepoint";
import { defineParts, type WavepointJournal } from "wavepoint/dashboard";
import { textOf } from "../../demo/drawn.ts";
import { NOW, runView } from "../../demo/views.ts";

/** A run whose journal has so many entries, newest first in pages, and to which more may come. */
function runWith(entries: number) {
  let count = entries;
  let view = runView([]);
  let tell: (() => void) | undefined;
  const run = {
    getSnapshot: () => view,
    subscribe(listener: () => void) {
      tell = listener;
      return () => {};
    },
    journal: async ({ limit, after = String(count) }: { readonly limit: number; readonly after?: string }) => {
      const from = Number(after);
      const places = Array.from({ length: Math.min(limit, from) }, (_, i) => from - 1 - i);
      const last = places.at(-1) ?? 0;
      const items = places.map((place) => ({ place, at: NOW + place, entry: { type: "signalled", at: place, name: `n${place}` } }));
      return { items, ...(last > 0 && { next: String(last) }) };
    },
  };
  return {
    run: run as unknown as Run,
    add(more: number) {
      count += more;
      view = { ...view };
      tell?.();
    },
  };
}

function shown(run: Run): WavepointJournal {
  defineParts();
  const element = document.createElement("wavepoint-journal");
  element.run = run;
  document.body.replaceChildren(element);
  return element;
}

const lines = (element: Element) => [...element.querySelectorAll("[part~=journal-text]")].map(textOf);

test("lists the newest entries first, each in a line, with what is stored of it behind", async () => {
  const { run } = runWith(3);
  const element = shown(run);
  await expect.poll(() => lines(element)).toEqual(["Signal n2", "Signal n1", "Signal n0"]);
  expect(element.querySelector("button")).toBeNull();
  const row = element.querySelector("[part~=journal-row]")!;
  expect(row.getAttribute("data-type")).toBe("signalled");
  expect(row.querySelector("time")?.getAttribute("datetime")).toBe(new Date(NOW + 2).toISOString());
  expect(JSON.parse(row.querySelector("pre")!.textContent!)).toEqual({ type: "signalled", at: 2, name: "n2" });
});

test("reads older entries a page at a time, until the first", async () => {
  const { run } = runWith(120);
  const element = shown(run);
  for (const listed of [50, 100, 120]) {
    await expect.poll(() => lines(element).length).toBe(listed);
    element.querySelector("button")?.click();
  }
  expect(lines(element).at(-1)).toBe("Signal n0");
  expect(element.querySelector("button")).toBeNull();
});

test("rows stay where they are when entries come, unless one is open or has the focus: it keeps its entry", async () => {
  const { run, add } = runWith(3);
  const element = shown(run);
  const row = (at: number) => element.querySelectorAll("[part~=journal-row]")[at]!;
  await expect.poll(() => lines(element).length).toBe(3);
  const top = row(0);
  add(2);
  await expect.poll(() => lines(element)[0]).toBe("Signal n4");
  expect(row(0)).toBe(top);
  row(1).querySelector("details")!.open = true;
  const opened = row(1);
  add(3);
  await expect.poll(() => lines(element)[0]).toBe("Signal n7");
  expect(row(4)).toBe(opened);
  expect(textOf(opened.querySelector("[part~=journal-text]"))).toBe("Signal n3");
  expect(element.querySelectorAll("details[open]")).toHaveLength(1);
  opened.querySelector("details")!.open = false;
  row(2).querySelector<HTMLElement>("pre")!.focus();
  add(1);
  await expect.poll(() => lines(element)[0]).toBe("Signal n8");
  expect(row(3).contains(document.activeElement)).toBe(true);
});

test("shows what comes meanwhile, and keeps the older pages while they join on to it", async () => {
  const { run, add } = runWith(80);
  const element = shown(run);
  await expect.poll(() => lines(element).length).toBe(50);
  element.querySelector("button")!.click();
  await expect.poll(() => lines(element).length).toBe(80);
  add(1);
  await expect.poll(() => lines(element)[0]).toBe("Signal n80");
  const places = () => lines(element).map((line) => Number(line.slice("Signal n".length)));
  expect(places()).toEqual(Array.from({ length: 81 }, (_, i) => 80 - i));
  // More than a page came at once: what lies between was not read.
  add(60);
  await expect.poll(() => places()[0]).toBe(140);
  expect(places()).toEqual(Array.from({ length: 50 }, (_, i) => 140 - i));
  element.querySelector("button")!.click();
  await expect.poll(() => places().length).toBe(100);
  expect(places()).toEqual(Array.from({ length: 100 }, (_, i) => 140 - i));
});
