import { afterEach, describe, expect, test, vi } from "vitest";
import type { ReviewItem, RevisionPreview, Run } from "wavepoint";
import { focusChange, focusChangeButton } from "../../demo/focus.ts";
import { lostRuns } from "../../demo/parts/lost-runs.ts";
import { reviewList } from "../../demo/parts/review-list.ts";
import { versionsList } from "../../demo/parts/versions-list.ts";
import { createRevising, isAnswered } from "../../demo/revising.ts";
import { drawn, textOf } from "./drawn.ts";
import { choicePause, NOW } from "./views.ts";

afterEach(() => document.body.replaceChildren());

const { id: pause, prompt, schema, metadata, path } = choicePause();
const answered: ReviewItem = {
  block: "brew",
  path,
  type: "AskChoice",
  status: "answered",
  pause,
  prompt,
  schema,
  metadata,
  answer: "Filter",
};
const skipped: ReviewItem = { block: "kit", path: ["kit"], type: "ConfirmOperation", status: "skipped" };

const PREVIEW: RevisionPreview = {
  kept: ["cups"],
  asked: ["grind"],
  rerun: ["brew", "grind", "summary"],
  effects: ["send_box"],
  once: [],
  skipped: [],
  uncertain: [],
};

/** The list of answers of a run that knows one preview. */
function review({ preview = () => Promise.resolve(PREVIEW) } = {}) {
  const revise = vi.fn(() => Promise.resolve({ id: "run_b" }));
  const revised: string[] = [];
  const problems: unknown[] = [];
  const revising = createRevising({
    run: () => ({ previewRevise: preview, revise }) as unknown as Run,
    onRevised: ({ id }) => void revised.push(id),
    onStep: () => {},
    onProblem: (thrown) => void problems.push(thrown),
    draw: () => {},
  });
  const draw = () =>
    drawn(reviewList({ review: [answered, skipped], change: revising.change, begin: revising.begin, leave: revising.leave }));
  return { revising, draw, revise, revised, problems };
}

function begin({ draw }: Pick<ReturnType<typeof review>, "draw">): HTMLFormElement {
  draw().querySelector<HTMLButtonElement>("[data-change]")!.click();
  return draw().querySelector("form")!;
}

describe("the list of answers", () => {
  test("shows each question with its answer, and why others have none", () => {
    const lines = [...review().draw().querySelectorAll("li")];
    expect(lines.map((line) => [textOf(line.querySelector(".review-prompt")), textOf(line.querySelector("strong, .quiet"))])).toEqual([
      ["How do you make coffee?", "Filter"],
      ["Kit", "Not asked"],
    ]);
    expect(lines.map((line) => line.querySelectorAll("button").length)).toEqual([1, 0]);
  });

  test("is not there before the first answer", () => {
    const holder = drawn(reviewList({ review: [skipped], change: undefined, begin: () => {}, leave: () => {} }));
    expect(holder.querySelector("section")).toBeNull();
    expect([answered, skipped].map(isAnswered)).toEqual([true, false]);
  });

  test("asks again with the answer that was given, and gets the focus", () => {
    const form = begin(review());
    expect([...form.querySelectorAll<HTMLInputElement>("input")].map(({ checked }) => checked)).toEqual([true, false]);
    expect(textOf(form.querySelector("button"))).toBe("See what would change");
    expect(focusChange()).toBe(true);
    expect(document.activeElement).toBe(form.querySelector("input:checked"));
  });

  test("shows what would follow before anything is changed, and then changes it", async () => {
    const page = review();
    const form = begin(page);
    form.querySelectorAll<HTMLInputElement>("input")[1]!.checked = true;
    form.requestSubmit();
    await vi.waitFor(() => expect(page.revising.change?.step).toBe("preview"));
    expect(page.revise).not.toHaveBeenCalled();
    const shown = page.draw();
    expect([...shown.querySelectorAll(".consequences dl > div")].map(textOf)).toEqual([
      "Kept Cups",
      "Asked Grind",
      "Runs again Summary",
      "With effects outside Send box",
    ]);
    shown.querySelector<HTMLButtonElement>("[data-revise]")!.click();
    await vi.waitFor(() => expect(page.revised).toEqual(["run_b"]));
    expect(page.revise).toHaveBeenCalledExactlyOnceWith(pause, "French press", { confirm: false });
    expect(page.revising.change).toBeUndefined();
  });

  test("leaves the answer as it is", () => {
    const page = review();
    begin(page);
    const buttons = [...page.draw().querySelectorAll("button")];
    buttons.find((button) => textOf(button) === "Leave it as it is")!.click();
    expect(page.draw().querySelector("form")).toBeNull();
    expect(focusChangeButton(pause)).toBe(true);
  });

  test("tells what went wrong", async () => {
    const page = review({ preview: () => Promise.reject(new Error("The disk is full.")) });
    begin(page).requestSubmit();
    await vi.waitFor(() => expect(page.problems).toEqual([new Error("The disk is full.")]));
    expect(page.revising.change).toBeUndefined();
  });
});

test("versions are a tree of links in which the open one is marked", () => {
  const run = { workflow: "coffee", status: "completed", createdAt: NOW } as const;
  const fork = { ...run, run: "run_c", checkpoint: "chk_b.0", forks: [] };
  const changed = { ...run, run: "run_b", revises: true, checkpoint: "pause_a.0", forks: [fork] } as const;
  const holder = drawn(versionsList({ ...run, run: "run_a", status: "deleted", forks: [changed] }, "run_c"));
  expect([...holder.querySelectorAll("a")].map((link) => [textOf(link), link.getAttribute("href")])).toEqual([
    ["A later version", "#/run/run_b"],
    ["A fork", "#/run/run_c"],
  ]);
  expect(textOf(holder.querySelector("[aria-current]"))).toBe("A fork");
  expect(textOf(holder)).toContain("The first, deleted");
  expect(drawn(versionsList({ ...fork, run: "run_c" }, "run_c")).querySelector("section")).toBeNull();
});

test("who lost runs is told so, and may begin anew", () => {
  const beginAnew = vi.fn();
  const holder = drawn(lostRuns(beginAnew));
  expect(textOf(holder.querySelector("h1"))).toBe("Your runs are gone");
  holder.querySelector("button")!.click();
  expect(beginAnew).toHaveBeenCalledOnce();
});
