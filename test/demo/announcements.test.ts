import { expect, test } from "vitest";
import { announce } from "../../demo/announcements.ts";
import { instantText } from "../../demo/wording.ts";
import { blockView, choicePause, NOW, runView, textPause } from "./views.ts";

const done = blockView("a", { status: "completed" });
const open = blockView("b");

test("a new question is read out without its list of choices", () => {
  const before = runView([[done], [open]]);
  const after = runView([[done], [open]], { status: "paused", pauses: [choicePause()] });
  expect(announce(before, after)).toEqual(["Question: How do you make coffee?"]);
});

test("a question that is known is not read again", () => {
  const before = runView([[open]], { status: "paused", pauses: [choicePause()] });
  const after = runView([[open]], { status: "paused", pauses: [choicePause(), textPause()] });
  expect(announce(before, after)).toEqual(["Question: How many cups a day?"]);
});

test("a wave is announced when it finishes", () => {
  expect(announce(runView([[open], [open]]), runView([[done], [open]]))).toEqual(["Wave 1 of 2 finished."]);
});

test("the end of a run is announced once", () => {
  const over = runView([[done]], { status: "completed" });
  expect(announce(runView([[done]]), over)).toEqual(["Run completed: Coffee subscription."]);
  expect(announce(over, { ...over })).toEqual([]);
});

test("another run starts without news of the one before", () => {
  const other = runView([[open]], { id: "run_b", status: "paused", pauses: [textPause()] });
  expect(announce(runView([[done]]), other)).toEqual(["Question: How many cups a day?"]);
});

test("a block that waits for an instant says until when, once", () => {
  const waiting = runView([[blockView("later", { status: "waiting", until: NOW + 5_000 })]]);
  expect(announce(runView([[blockView("later")]]), waiting)).toEqual([`Later goes on at ${instantText(NOW + 5_000, NOW)}.`]);
  expect(announce(waiting, { ...waiting })).toEqual([]);
});
