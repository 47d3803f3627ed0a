import { render } from "lit-html";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Pause, Value } from "wavepoint";
import { followStage, focusQuestion, focusStage } from "../../demo/focus.ts";
import { question, type QuestionProps } from "../../demo/parts/question.ts";
import { stage } from "../../demo/parts/stage.ts";
import { instantText } from "../../demo/wording.ts";
import { drawn, textOf } from "./drawn.ts";
import { blockView, choicePause, confirmPause, NOW, runView, textPause } from "./views.ts";

afterEach(() => document.body.replaceChildren());

function props(pause: Pause, rest: Partial<QuestionProps> = {}): QuestionProps {
  return { pause, draft: "", sending: false, keepDraft: () => {}, answer: () => {}, refuse: () => {}, ...rest };
}

function asked(pause: Pause, rest: Partial<QuestionProps> = {}) {
  const answers: Value[] = [];
  const refused: string[] = [];
  const form = drawn(
    question(props(pause, { answer: (value) => void answers.push(value), refuse: (message) => void refused.push(message), ...rest })),
  ).querySelector("form")!;
  const send = (button = form.querySelector<HTMLButtonElement>("button")!) => form.requestSubmit(button);
  return { form, answers, refused, send };
}

describe("a confirmation", () => {
  test("is two buttons under the bare question", () => {
    const { form } = asked(confirmPause());
    expect(textOf(form.querySelector("legend"))).toBe("Send the first box?");
    expect([...form.querySelectorAll("button")].map(textOf)).toEqual(["Yes", "No"]);
  });

  test.each(["yes", "no"])("sends %s", (word) => {
    const { form, answers, send } = asked(confirmPause());
    send(form.querySelector<HTMLButtonElement>(`button[value=${word}]`)!);
    expect(answers).toEqual([word]);
  });

  test("shows the details of what is to be confirmed", () => {
    const { form } = asked(confirmPause({ metadata: { details: { amount: 430 } } }));
    expect(textOf(form.querySelector("dl"))).toBe("Amount 430");
  });
});

describe("a choice", () => {
  test("is a named list of radio buttons", () => {
    const { form } = asked(choicePause());
    expect(textOf(form.querySelector("legend"))).toBe("How do you make coffee?");
    expect([...form.querySelectorAll("label")].map(textOf)).toEqual(["Filter", "French press"]);
    const group = form.querySelector("[role=radiogroup]")!;
    expect(textOf(document.getElementById(group.getAttribute("aria-labelledby")!))).toBe("How do you make coffee?");
  });

  test("sends the chosen text", () => {
    const { form, answers, send } = asked(choicePause());
    form.querySelectorAll<HTMLInputElement>("input")[1]!.checked = true;
    send();
    expect(answers).toEqual(["French press"]);
  });

  test("sends nothing and says what to do where nothing is chosen", () => {
    const { answers, refused, send } = asked(choicePause());
    send();
    expect(answers).toEqual([]);
    expect(refused).toEqual(["Choose one of the answers first."]);
  });

  test("keeps what was picked before a reload", () => {
    const { form } = asked(choicePause(), { draft: "French press" });
    expect([...form.querySelectorAll<HTMLInputElement>("input")].map((radio) => radio.checked)).toEqual([false, true]);
  });
});

describe("a field", () => {
  test("is named by its question and sends what was typed, as typed", () => {
    const { form, answers, send } = asked(textPause());
    const field = form.querySelector("input")!;
    expect(textOf(document.getElementById(field.getAttribute("aria-labelledby")!))).toBe("How many cups a day?");
    field.value = " 3 ";
    send();
    expect(answers).toEqual([" 3 "]);
  });

  test("links the message of a wrong answer to the field", () => {
    const { form } = asked(textPause(), { error: "That is no number of cups." });
    const field = form.querySelector("input")!;
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(textOf(document.getElementById(field.getAttribute("aria-describedby")!))).toBe("That is no number of cups.");
  });

  test("hides the message while there is none", () => {
    const { form } = asked(textPause());
    expect(form.querySelector("input")!.getAttribute("aria-invalid")).toBe("false");
    expect(form.querySelector(".field-error")!.hasAttribute("hidden")).toBe(true);
  });

  test("keeps the draft with each key, and shows it again", () => {
    const keepDraft = vi.fn();
    const { form } = asked(textPause(), { draft: "thr", keepDraft });
    const field = form.querySelector("input")!;
    expect(field.value).toBe("thr");
    field.value = "three";
    field.dispatchEvent(new Event("input"));
    expect(keepDraft).toHaveBeenCalledExactlyOnceWith("three");
  });

  test("sends nothing while an answer is on its way", () => {
    const { form, answers, send } = asked(textPause(), { sending: true });
    send();
    expect(answers).toEqual([]);
    expect(textOf(form.querySelector("button"))).toBe("Sending…");
  });

  test("shows a hostile prompt as inert text", () => {
    const { form } = asked(textPause({ prompt: "<img src=x onerror=alert(1)>\nName?" }));
    expect(form.querySelector("img")).toBeNull();
    expect(form.querySelector("legend")!.textContent).toBe("<img src=x onerror=alert(1)>\nName?");
  });
});

describe("a question of a block the page does not know", () => {
  const custom = (schema: Pause["schema"]) => asked(textPause({ type: "PickSeat", schema, metadata: {} }));

  test("offers the values of an enum", () => {
    const { form, answers, send } = custom({ enum: [12, 14] });
    form.querySelectorAll<HTMLInputElement>("input[type=radio]")[1]!.checked = true;
    send();
    expect(answers).toEqual([14]);
  });

  test("offers yes and no for a boolean", () => {
    const { form, answers, send } = custom({ type: "boolean" });
    send(form.querySelector<HTMLButtonElement>("button[value=no]")!);
    expect(answers).toEqual([false]);
  });

  test("reads a number", () => {
    const { form, answers, refused, send } = custom({ type: "integer" });
    send();
    expect(refused).toEqual(["Type a number."]);
    form.querySelector("input")!.value = "12";
    send();
    expect(answers).toEqual([12]);
  });

  test("takes an object as JSON, and says so where it is none", () => {
    const { form, answers, refused, send } = custom({ type: "object" });
    const field = form.querySelector("textarea")!;
    field.value = "{";
    send();
    expect(answers).toEqual([]);
    expect(refused).toHaveLength(1);
    field.value = '{"row":4}';
    send();
    expect(answers).toEqual([{ row: 4 }]);
  });
});

describe("the stage", () => {
  test("says when a run goes on by itself, where nothing else runs", () => {
    const waiting = blockView("later", { status: "waiting", until: NOW + 5_000 });
    const parts = { now: NOW, questionProps: (pause: Pause) => props(pause), isGoingOn: true, goOn: () => {}, startAgain: () => {} };
    const holder = drawn(stage({ ...parts, view: runView([[waiting, blockView("nag")]]) }));
    expect(textOf(holder.querySelector("h2"))).toBe("Waiting");
    expect(textOf(holder)).toContain(`Later goes on at ${instantText(NOW + 5_000, NOW)}.`);
    const busy = drawn(stage({ ...parts, view: runView([[waiting, blockView("nag", { status: "running" })]]) }));
    expect(textOf(busy.querySelector("h2"))).toBe("Working");
  });

  const staged = (pauses: readonly Pause[], status: "running" | "paused" = "paused") =>
    stage({
      view: runView([[blockView("a", { status: "paused" })]], { status, pauses }),
      now: NOW,
      questionProps: (pause) => props(pause),
      isGoingOn: false,
      goOn: () => {},
      startAgain: () => {},
    });

  test("shows several questions at once, each in its own form", () => {
    const holder = drawn(staged([textPause(), choicePause(), confirmPause()]));
    expect(textOf(holder.querySelector("h2"))).toBe("3 questions, in any order");
    expect(holder.querySelectorAll("form")).toHaveLength(3);
  });

  test("moves the focus to the next question once the answered one is gone", () => {
    const holder = drawn(staged([textPause()]));
    holder.querySelector<HTMLInputElement>("input")!.focus();
    const follow = followStage(holder);
    render(staged([choicePause()]), holder);
    follow();
    expect(document.activeElement).toBe(holder.querySelector("input[type=radio]"));
  });

  test("leaves the focus in a field where someone types while another question goes", () => {
    const holder = drawn(staged([textPause(), choicePause()]));
    const field = holder.querySelector<HTMLInputElement>("input[type=text]")!;
    field.focus();
    const follow = followStage(holder);
    render(staged([textPause()]), holder);
    follow();
    expect(document.activeElement).toBe(field);
  });

  test("does not put the focus on a button that answers", () => {
    const holder = drawn(staged([confirmPause()]));
    focusStage(holder);
    expect(document.activeElement).toBe(holder.querySelector("legend"));
  });

  test("leads back to the field of a wrong answer", () => {
    const holder = drawn(staged([choicePause(), textPause()]));
    focusQuestion(textPause().id);
    expect(document.activeElement).toBe(holder.querySelector("input[type=text]"));
  });
});
