import { expect, test } from "vitest";
import type { Pause } from "wavepoint";
import { shownQuestion } from "../../src/browser/shown-question.ts";

const waiting = (...ids: string[]): readonly Pause[] => ids.map((id) => ({ id }) as Pause);

test("a question that waits again is shown, since its answer was not kept", () => {
  const shown = shownQuestion();
  expect(shown.look(waiting("a", "b", "c"))?.id).toBe("a");
  expect(shown.look(waiting("b", "c"))?.id).toBe("b");
  expect(shown.look(waiting("a", "b", "c"))?.id).toBe("a");
});

test("the question that a person picks stays, though another one waits again", () => {
  const shown = shownQuestion();
  shown.look(waiting("a", "b", "c"));
  shown.look(waiting("b", "c"));
  shown.pick("c");
  expect(shown.look(waiting("a", "b", "c"))?.id).toBe("c");
});
