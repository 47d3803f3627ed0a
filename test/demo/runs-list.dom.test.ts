import { render } from "lit-html";
import { describe, expect, test, vi } from "vitest";
import { runsList } from "../../demo/parts/runs-list.ts";
import { drawn, textOf } from "./drawn.ts";
import { NOW, runHead } from "./views.ts";

const quiet = { now: NOW, hasMore: false, showMore: () => {}, remove: () => {}, takeIn: () => {} };

describe("the list of runs", () => {
  test("shows status, workflow, when, and what is asked", () => {
    const asked = { id: "pause_a.0", path: ["brew"], prompt: "How?" };
    const row = drawn(runsList({ ...quiet, runs: [runHead({ pauses: [asked, { ...asked, id: "pause_a.1" }] })] })).querySelector("li")!;
    expect(textOf(row.querySelector("strong"))).toBe("Coffee subscription");
    expect(textOf(row.querySelector(".badge"))).toBe("Waits for you");
    expect(textOf(row.querySelector("time"))).toBe("2 minutes ago");
    expect(textOf(row.querySelector(".run-row-asks"))).toBe("How? and 1 more");
  });

  test("calls a run by its label, where its workflow gives one", () => {
    const list = drawn(runsList({ ...quiet, runs: [runHead({ label: "Beans for Ada" }), runHead({ id: "run_b" })] }));
    expect([...list.querySelectorAll("strong")].map(textOf)).toEqual(["Beans for Ada", "Coffee subscription"]);
  });

  test("links to each run and marks the open one", () => {
    const list = drawn(runsList({ ...quiet, runs: [runHead(), runHead({ id: "run_b" })], current: "run_b" }));
    expect([...list.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["#/run/run_a", "#/run/run_b"]);
    expect(list.querySelector("[aria-current=page]")?.getAttribute("href")).toBe("#/run/run_b");
  });

  test("deletes by a button that says which run", () => {
    const remove = vi.fn();
    const run = runHead();
    const button = drawn(runsList({ ...quiet, runs: [run], remove })).querySelector("button")!;
    expect(button.getAttribute("aria-label")).toBe("Delete the run of Coffee subscription, 2 minutes ago");
    button.click();
    expect(remove).toHaveBeenCalledExactlyOnceWith(run);
  });

  test("keeps each row's own buttons when a new run comes in above", () => {
    const list = drawn(runsList({ ...quiet, runs: [runHead()] }));
    const button = list.querySelector("button")!;
    render(runsList({ ...quiet, runs: [runHead({ id: "run_b" }), runHead()] }), list);
    expect(button.closest("li")?.dataset.run).toBe("run_a");
    expect(list.querySelectorAll("li")).toHaveLength(2);
  });

  test("offers older runs only where there are some", () => {
    const showMore = vi.fn();
    expect(textOf(drawn(runsList({ ...quiet, runs: [runHead()] })))).not.toContain("Show older runs");
    const list = drawn(runsList({ ...quiet, runs: [runHead()], hasMore: true, showMore }));
    [...list.querySelectorAll("button")].find((button) => textOf(button) === "Show older runs")!.click();
    expect(showMore).toHaveBeenCalledOnce();
  });

  test("says that nothing has run yet", () => {
    expect(textOf(drawn(runsList({ ...quiet, runs: [] })).querySelector("p"))).toContain("Nothing has run yet");
  });
});
