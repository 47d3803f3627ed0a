import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import type { PersonAnswer } from "../../../src/node/cli/terminal.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-questions-"));
  writeFileSync(
    join(directory, "dinner.yaml"),
    `name: dinner
blocks:
  - { id: main, type: AskChoice, inputs: { question: "What is for dinner?", choices: [Soup, "Pie\\u001b[1m"] } }
  - { id: sweet, type: ConfirmOperation, inputs: { message: A dessert? } }
  - { id: guests, type: GetInput, inputs: { prompt: How many come?, validation_pattern: "[0-9]+$" } }
outputs: { main: "\${blocks.main.choice_index}", sweet: "\${blocks.sweet.confirmed}", guests: "\${blocks.guests.input_value}" }
`,
  );
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function dine(answers: readonly PersonAnswer[] | undefined, ...more: readonly string[]) {
  const terminal = recordedTerminal(answers);
  const args = ["run", join(directory, "dinner.yaml"), "--store", join(directory, "store"), ...more];
  return { code: await runCommandLine(args, terminal), ...terminal };
}

describe("someone who sits at a terminal", () => {
  test("is asked one question after another, each in its own form", async () => {
    const { code, asked, written } = await dine([1, true, "4"]);
    expect(code).toBe(0);
    expect(asked).toEqual([
      { kind: "choice", text: "What is for dinner?", choices: ["Soup", "Pie[1m"] },
      { kind: "confirm", text: "A dessert?", choices: [] },
      { kind: "text", text: "How many come?", choices: [] },
    ]);
    expect(written.out).toBe('main: 1\nsweet: true\nguests: "4"\n');
  });

  test("reads what is wrong with an answer, and is asked again", async () => {
    const { code, asked, written } = await dine([0, false, "many", "", "12"]);
    expect(code).toBe(0);
    expect(asked.map(({ text }) => text).slice(2)).toEqual(["How many come?", "How many come?", "How many come?"]);
    expect(written.err).toContain("The answer does not match the pattern [0-9]+$: many.");
    expect(written.out).toContain('guests: "12"');
  });

  test("is asked only what the file with answers leaves open", async () => {
    const file = join(directory, "some.yaml");
    writeFileSync(file, "sweet: yes\nmain: 2\n");
    const { code, asked } = await dine(["3"], "--answers", file);
    expect(code).toBe(0);
    expect(asked.map(({ kind }) => kind)).toEqual(["text"]);
  });

  test("may leave: what was answered is kept, and the way on is named", async () => {
    const { code, written } = await dine([0]);
    expect(code).toBe(130);
    const [, run] = /wavepoint resume (run_\S+) --store/.exec(written.err)!;
    const again = recordedTerminal([true, "2"]);
    expect(await runCommandLine(["resume", run!, "--store", join(directory, "store")], again)).toBe(0);
    expect(again.asked.map(({ kind }) => kind)).toEqual(["confirm", "text"]);
  });

  test("can choose which question comes first", async () => {
    const { written } = await dine(undefined, "--json");
    const { pauses } = JSON.parse(written.out) as { readonly pauses: readonly { readonly id: string }[] };
    const again = recordedTerminal(["5", 0, true]);
    expect(await runCommandLine(["resume", pauses[2]!.id, "--store", join(directory, "store")], again)).toBe(0);
    expect(again.asked.map(({ kind }) => kind)).toEqual(["text", "choice", "confirm"]);
  });

  test("is asked nothing where a program reads the result", async () => {
    const { code, asked } = await dine([0], "--json");
    expect([code, asked]).toEqual([3, []]);
  });
});
