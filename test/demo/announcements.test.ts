import { expect, test } from "vitest";
import { announce } from "../../demo/announcements.ts";
import { blockView, runView } from "./views.ts";

const done = blockView("a", { status: "completed" });
const open = blockView("b");

test("a wave is announced when it finishes", () => {
  expect(announce(runView([[open], [open]]), runView([[done], [open]]))).toEqual(["Wave 1 of 2 finished."]);
});

test("a wave that is known to have finished is not announced again", () => {
  expect(announce(runView([[done], [open]]), runView([[done], [done]]))).toEqual(["Wave 2 of 2 finished."]);
});

test("another run starts without news of the one before", () => {
  expect(announce(runView([[open]]), runView([[done]], { id: "run_b" }))).toEqual([]);
  expect(announce(undefined, runView([[done]]))).toEqual([]);
});
