import { describe, expect, test } from "vitest";
import type { ItemView, Run, Step } from "wavepoint";
import { defineParts, instantText } from "wavepoint/dashboard";
import { timelineTemplate, type TimelineProps } from "../../../src/browser/dashboard/timeline-template.ts";
import { titleOf } from "../../../demo/wording.ts";
import { drawn, textOf } from "../../demo/drawn.ts";
import { blockView, NOW, runView } from "../../demo/views.ts";

function timeline(props: Pick<TimelineProps, "view" | "steps"> & Partial<TimelineProps>) {
  return timelineTemplate({ now: NOW, more: { before: 0, after: 0 }, nameOf: titleOf, showMore: () => {}, ...props });
}

function step(block: string, startedAt: number, tookMs: number, at = startedAt + tookMs): Step {
  return { index: 0, block, status: "completed", startedAt, tookMs, at };
}

describe("the timeline", () => {
  const shown = () =>
    drawn(
      timeline({
        view: runView(
          [
            [blockView("brew", { status: "completed", startedAt: NOW - 5_000, tookMs: 1_400, type: "AskChoice" })],
            [
              blockView("grind", { status: "running", startedAt: NOW - 2_500 }),
              blockView("kit", { status: "skipped", skipped: { kind: "condition", condition: "${inputs.kit}" } }),
            ],
            [blockView("ship", { status: "failed", error: { code: "BLOCK_FAILED", message: "The van is gone." } }), blockView("pack")],
          ],
          { status: "running", createdAt: NOW - 5_000 },
        ),
        steps: [step("brew", NOW - 5_000, 1_400, NOW - 2_500)],
      }),
    );

  test("has a line for each block, in the order of the plan", () => {
    expect([...shown().querySelectorAll("[part~=timeline-row] strong")].map(textOf)).toEqual(["Brew", "Grind", "Kit", "Ship", "Pack"]);
  });

  test("says in words how each block stands and how long it took", () => {
    const facts = (block: string) => textOf(shown().querySelector(`[data-block=${block}] [part~=timeline-facts]`));
    expect(facts("brew")).toBe("Done 1.4 s");
    expect(facts("grind")).toBe("Running 2.5 s");
    expect(facts("pack")).toBe("Not begun");
  });

  test("says why a block was skipped or failed", () => {
    const reason = (block: string) => textOf(shown().querySelector(`[data-block=${block}] [part~=timeline-reason]`));
    expect(reason("kit")).toBe("Condition not met: ${inputs.kit}");
    expect(reason("ship")).toBe("The van is gone.");
  });

  test("has a bar for each execution, from its beginning to its end, and one for what works now", () => {
    const bars = (block: string) =>
      [...shown().querySelectorAll<HTMLElement>(`[data-block=${block}] [part~=timeline-bar]`)].map(({ style }) => [
        Number(style.getPropertyValue("--from")),
        Number(style.getPropertyValue("--to")),
      ]);
    const [brew, ...more] = bars("brew");
    const [grind] = bars("grind");
    expect(more).toEqual([]);
    expect(brew![0]).toBe(0);
    expect(grind![0]).toBeCloseTo(brew![1]!);
    expect(grind![1]).toBe(1);
    expect(bars("pack")).toEqual([]);
    expect(shown().querySelectorAll("[data-waits]")).toHaveLength(1);
  });

  test("says how often a block was tried, and when it is tried again", () => {
    const until = NOW + 1_500;
    const view = runView([
      [
        blockView("asks", { status: "waiting", attempts: 1, until, error: { code: "HTTP_FAILED", message: "Busy." } }),
        blockView("tries", { status: "running", attempts: 1, startedAt: NOW }),
        blockView("rests", { status: "waiting", until }),
        blockView("done", { status: "completed", attempts: 3, tookMs: 5 }),
      ],
    ]);
    const attempts = new Map([
      ["asks", 4],
      ["tries", 3],
    ]);
    const holder = drawn(timeline({ view, steps: [], attempts }));
    const tried = ["asks", "tries", "rests", "done"].map((block) =>
      textOf(holder.querySelector(`[data-block=${block}] [part~=timeline-tried]`)),
    );
    const at = instantText(until, NOW);
    expect(tried).toEqual([`Attempt 1 of 4 failed, next at ${at}`, "Attempt 2 of 3", `Continues at ${at}`, "3 attempts"]);
    expect(textOf(holder.querySelector("[data-block=asks] [part~=timeline-reason]"))).toBe("Busy.");
  });

  test("lists the items of a block, each with its status and what went wrong", () => {
    const items: readonly ItemView[] = [
      { key: "0", status: "completed", tookMs: 900 },
      { key: "1", status: "failed", tookMs: 20, error: { code: "BLOCK_FAILED", message: "Aground." } },
      { key: "2", status: "running", startedAt: NOW, attempts: 1 },
      { key: "3", status: "pending" },
    ];
    const view = runView([[blockView("survey", { status: "running", startedAt: NOW, items })]]);
    const holder = drawn(timeline({ view, steps: [], attempts: new Map([["survey", 3]]) }));
    expect(textOf(holder.querySelector("[part~=timeline-count]"))).toBe("2 of 4 items");
    expect(holder.querySelector("[part~=timeline-items]")?.getAttribute("aria-label")).toBe("Items of Survey");
    expect([...holder.querySelectorAll("[part~=timeline-item]")].map(textOf)).toEqual([
      "1 Done, 900 ms",
      "2 Failed, 20 ms Aground.",
      "3 Running Attempt 2 of 3",
      "4 Not begun",
    ]);
  });

  test("counts the items it does not list", () => {
    const items = Array.from({ length: 130 }, (_, i): ItemView => ({ key: String(i), status: "pending" }));
    const holder = drawn(timeline({ view: runView([[blockView("survey", { items })]]), steps: [] }));
    expect(holder.querySelectorAll("[part~=timeline-item]")).toHaveLength(100);
    expect(textOf(holder.querySelector("[data-block=survey]"))).toContain("and 30 more");
  });

  test("names the members of an object by their keys", () => {
    const items: readonly ItemView[] = [{ key: "north_pier", status: "pending" }];
    const holder = drawn(timeline({ view: runView([[blockView("survey", { items })]]), steps: [] }));
    expect(textOf(holder.querySelector("[part~=timeline-item-name]"))).toBe("North pier");
  });

  test("of a thousand blocks it lists those around what begins, and counts the others", () => {
    const blocks = Array.from({ length: 1_000 }, (_, i) => blockView(`b${i}`, i < 500 ? { status: "completed", tookMs: 1 } : {}));
    const holder = drawn(timeline({ view: runView([blocks]), steps: [] }));
    expect(holder.querySelectorAll("[part~=timeline-row]")).toHaveLength(150);
    expect(holder.querySelector("[data-block=b499]")).not.toBeNull();
    expect([...holder.querySelectorAll("button")].map(textOf)).toEqual(["Show 150 of 400 earlier blocks", "Show 150 of 450 more blocks"]);
  });

  test("links to the run that a block called", () => {
    const view = runView([[blockView("desk", { status: "paused", child: "run_child" })]], { status: "paused" });
    const link = drawn(timeline({ view, steps: [], addressOf: (run) => `#/run/${run}` })).querySelector("[data-block=desk] a");
    expect(link?.getAttribute("href")).toBe("#/run/run_child");
  });

  test("says in words when a block began and how long it waited, and where the time of the run went", () => {
    const holder = shown();
    expect(textOf(holder.querySelector("[data-block=brew] [part~=timeline-when]"))).toBe("began after under 1 ms, waited 1.1 s");
    expect(textOf(holder.querySelector("[data-block=grind] [part~=timeline-when]"))).toBe("began after 2.5 s");
    expect(holder.querySelector("[data-block=pack] [part~=timeline-when]")).toBeNull();
    expect(textOf(holder.querySelector("p"))).toBe(
      "5.0 s in total, 3.9 s of it executing. Grind took longest: 2.5 s. Idle time is drawn shorter.",
    );
  });

  test("as an element reads the steps of its run, takes names for its blocks, and lists more when asked", async () => {
    defineParts();
    const blocks = Array.from({ length: 400 }, (_, i) => blockView(`b_${i}`, i < 200 ? { status: "completed", tookMs: 1 } : {}));
    const view = runView([blocks], { createdAt: NOW - 5_000 });
    const run = {
      getSnapshot: () => view,
      subscribe: () => () => {},
      steps: async () => [step("b_199", NOW - 2_000, 500)],
    };
    const element = document.createElement("wavepoint-timeline");
    Object.assign(element, { run: run as unknown as Run, nameOf: titleOf });
    document.body.replaceChildren(element);
    await expect.poll(() => element.querySelectorAll("[data-block=b_199] [part~=timeline-bar]").length).toBe(1);
    expect(textOf(element.querySelector("[data-block=b_199] strong"))).toBe("B 199");
    const rows = () => [...element.querySelectorAll("[part~=timeline-row]")].map((row) => row.getAttribute("data-block"));
    expect(rows()).toHaveLength(150);
    element.querySelector<HTMLElement>("button")!.click();
    await expect.poll(() => rows()[0]).toBe("b_0");
    expect(rows()).toHaveLength(250);
    [...element.querySelectorAll("button")].at(-1)!.click();
    await expect.poll(() => rows().at(-1)).toBe("b_399");
    expect(element.querySelector("button")).toBeNull();
    element.remove();
  });
});
