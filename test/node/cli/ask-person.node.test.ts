import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { askPerson } from "../../../src/node/cli/ask-person.ts";
import type { PersonQuestion } from "../../../src/node/cli/terminal.ts";

/** Asks on a terminal made of two pipes, presses the keys once the question is shown, and gives the answer with what was shown. */
async function ask(question: PersonQuestion, keys: string, signal: AbortSignal = new AbortController().signal) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns: 80, rows: 24 });
  let shown = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    if (shown === "") setImmediate(() => input.write(keys));
    shown += text;
  });
  return { answer: await askPerson(question, { input, output, signal }), shown };
}

const ENTER = "\r";
const DOWN = "\u001b[B";

describe("a question on a terminal", () => {
  test("of yes or no starts at no", async () => {
    const question: PersonQuestion = { kind: "confirm", text: "Go on?", choices: [] };
    expect((await ask(question, ENTER)).answer).toBe(false);
    expect((await ask(question, "y")).answer).toBe(true);
  });

  test("with choices is answered by the place in the list", async () => {
    const { answer, shown } = await ask({ kind: "choice", text: "Which?", choices: ["Red", "Green", "Blue"] }, `${DOWN}${DOWN}${ENTER}`);
    expect(answer).toBe(2);
    for (const text of ["Which?", "Red", "Green", "Blue"]) expect(shown).toContain(text);
  });

  test("for a text is answered by what was typed, nothing included", async () => {
    const question: PersonQuestion = { kind: "text", text: "Name?", choices: [] };
    expect((await ask(question, `Ada L.${ENTER}`)).answer).toBe("Ada L.");
    expect((await ask(question, ENTER)).answer).toBe("");
  });

  test("for a secret is answered by what was typed, and does not show it", async () => {
    const { answer, shown } = await ask({ kind: "secret", text: "Token?", choices: [] }, `canary${ENTER}`);
    expect(answer).toBe("canary");
    expect(shown).toContain("Token?");
    expect(shown).not.toMatch(/c?anary/);
  });

  test("with any number of choices is answered by all their places", async () => {
    const question: PersonQuestion = { kind: "choices", text: "Which?", choices: ["Red", "Green", "Blue"], initial: [2] };
    expect((await ask(question, ENTER)).answer).toEqual([2]);
    expect((await ask(question, ` ${DOWN} ${ENTER}`)).answer).toEqual([2, 0, 1]);
    expect((await ask({ ...question, initial: [] }, ENTER)).answer).toEqual([]);
  });

  test("may begin with an answer", async () => {
    expect((await ask({ kind: "confirm", text: "Go on?", choices: [], initial: true }, ENTER)).answer).toBe(true);
    expect((await ask({ kind: "choice", text: "Which?", choices: ["Red", "Green"], initial: 1 }, ENTER)).answer).toBe(1);
    expect((await ask({ kind: "text", text: "Name?", choices: [], initial: "Ada" }, ` L.${ENTER}`)).answer).toBe("Ada L.");
  });

  test("leaves nothing on the signal of the process, however many are asked", async () => {
    const warnings: unknown[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", warn);
    const { signal } = new AbortController();
    for (let i = 0; i < 12; i++) await ask({ kind: "confirm", text: "Go on?", choices: [] }, ENTER, signal);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", warn);
    expect(warnings).toEqual([]);
  });

  test("is left by Ctrl-C, and when the process is asked to stop", async () => {
    const question: PersonQuestion = { kind: "text", text: "Name?", choices: [] };
    expect((await ask(question, "\u0003")).answer).toBeUndefined();
    expect((await ask(question, "", AbortSignal.abort())).answer).toBeUndefined();
  });
});
