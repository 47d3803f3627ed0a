import { describe, expect, test } from "vitest";
import type { JsonSchema } from "wavepoint";
import { pauseLines } from "../../../src/node/cli/run-lines.ts";
import { personQuestion, responseOf, type ShownPause } from "../../../src/node/cli/form-fields.ts";

const plans = [{ const: "team", title: "For a team", description: "up to 9" }, { const: "me" }];
const pauseWith = (schema: JsonSchema<string>): ShownPause => ({
  id: "run_1:1",
  run: "run_1",
  path: ["plan"],
  type: "Ask",
  prompt: "Which plan?",
  schema,
  metadata: {},
  allows: { decline: true, cancel: true, back: false, skip: false },
  progress: { answered: 0, remaining: { min: 1 } },
  askedAt: 0,
});

describe("a question with choices at a terminal", () => {
  test("shows the labels, and gives the value", () => {
    const pause = pauseWith({ oneOf: plans });
    expect(personQuestion(pause)).toEqual({ kind: "choice", text: "Which plan?", choices: ["For a team (up to 9)", "me"] });
    expect(responseOf(0, pause)).toBe("team");
  });

  test("of which several may be chosen, too", () => {
    const pause = pauseWith({ type: "array", items: { oneOf: plans } });
    expect(personQuestion(pause)).toEqual({ kind: "choices", text: "Which plan?", choices: ["For a team (up to 9)", "me"] });
    expect(responseOf([1, 0], pause)).toEqual(["me", "team"]);
  });

  test("is listed with the values that answer it, and what they mean", () => {
    const output = { paint: (_: string, text: string) => text } as unknown as Parameters<typeof pauseLines>[1];
    expect(pauseLines(pauseWith({ oneOf: plans }), output)).toEqual([
      "  ? run_1:1 plan (Ask)",
      "    Which plan?",
      '    "team": For a team',
      '    "me"',
    ]);
  });

  test("of an AskChoice is listed with the numbers that answer it", () => {
    const output = { paint: (_: string, text: string) => text } as unknown as Parameters<typeof pauseLines>[1];
    const asked = {
      ...pauseWith({
        type: "string",
        oneOf: [
          { const: "api", title: "api" },
          { const: "web", title: "web" },
        ],
      }),
      metadata: { kind: "choice" },
    };
    expect(pauseLines(asked, output).slice(1)).toEqual(["    Which plan?", "    1. api", "    2. web"]);
  });
});
