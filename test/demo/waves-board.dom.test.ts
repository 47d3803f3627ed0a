import { describe, expect, test } from "vitest";
import { wavesBoard } from "../../demo/parts/waves-board.ts";
import { drawn, textOf } from "./drawn.ts";
import { blockView, NOW, runView } from "./views.ts";

const noOutputs = new Map();

describe("the waves board", () => {
  const board = () =>
    drawn(
      wavesBoard({
        view: runView(
          [
            [blockView("brew", { status: "completed", tookMs: 1_400, type: "AskChoice" })],
            [
              blockView("grind", { status: "running", startedAt: NOW - 2_500 }),
              blockView("kit", { status: "skipped", skipped: { kind: "condition", condition: "${inputs.kit}" } }),
            ],
            [blockView("ship", { status: "failed", error: { code: "BLOCK_FAILED", message: "The van is gone." } }), blockView("pack")],
          ],
          { status: "running" },
        ),
        now: NOW,
        outputs: new Map([["brew", { choice: "Filter" }]]),
      }),
    );

  test("has a column for each wave and a card for each block, in order", () => {
    const columns = [...board().querySelectorAll(".wave")];
    expect(columns.map((column) => textOf(column.querySelector("h3")))).toEqual(["Wave 1 finished", "Wave 2 now", "Wave 3"]);
    expect(columns.map((column) => [...column.querySelectorAll("[data-block] strong")].map(textOf))).toEqual([
      ["Brew"],
      ["Grind", "Kit"],
      ["Ship", "Pack"],
    ]);
  });

  test("marks the wave under way for assistive technology", () => {
    expect([...board().querySelectorAll("[aria-current=step]")].map((wave) => textOf(wave.querySelector("h3")))).toEqual(["Wave 2 now"]);
  });

  test("says in words how each block stands and how long it took", () => {
    const facts = (block: string) => textOf(board().querySelector(`[data-block=${block}] .block-facts`));
    expect(facts("brew")).toBe("Done 1.4 s");
    expect(facts("grind")).toBe("Running 2.5 s");
    expect(facts("pack")).toBe("Waiting");
  });

  test("says why a block was skipped or failed", () => {
    const reason = (block: string) => textOf(board().querySelector(`[data-block=${block}] .reason`));
    expect(reason("kit")).toBe("Condition not met: ${inputs.kit}");
    expect(reason("ship")).toBe("The van is gone.");
  });

  test("shows what a finished block gave", () => {
    expect(textOf(board().querySelector("[data-block=brew] [data-output=choice]"))).toBe("Filter");
  });

  test("links to the run that a block called", () => {
    const view = runView([[blockView("desk", { status: "paused", child: "run_child" })]], { status: "paused" });
    const link = drawn(wavesBoard({ view, now: NOW, outputs: noOutputs })).querySelector("[data-block=desk] a");
    expect(link?.getAttribute("href")).toBe("#/run/run_child");
  });

  test("names no current wave once the run is over", () => {
    const view = runView([[blockView("a", { status: "stopped" })]], { status: "cancelled" });
    expect(drawn(wavesBoard({ view, now: NOW, outputs: noOutputs })).querySelector("[aria-current]")).toBeNull();
  });

  test("can be scrolled with the keyboard", () => {
    expect(board().querySelector(".board")?.getAttribute("tabindex")).toBe("0");
  });
});
