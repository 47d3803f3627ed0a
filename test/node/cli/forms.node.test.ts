import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import type { PersonAnswer } from "../../../src/node/cli/terminal.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-forms-"));
  writeFileSync(
    join(directory, "workshop.yaml"),
    `name: workshop
blocks:
  - id: seat
    type: Form
    inputs:
      prompt: "Who comes?\\e[31m"
      fields:
        - { name: name, title: Your name }
        - { name: email, title: E-mail, format: email, description: for the ticket }
        - { name: seats, type: integer, minimum: 1, maximum: 4, default: 1 }
        - { name: meal, enum: [Fish, Vegetables], required: false }
        - { name: tools, type: array, enum: [Saw, Plane, Chisel], required: false }
        - { name: note, required: false }
        - { name: news, type: boolean, default: true }
outputs: { all: "\${blocks.seat.outputs}" }
`,
  );
});

const PLANS = `enum: [{ value: team, title: For a team, description: up to 9 }, { value: me, title: "For\\e[31m me" }, other]`;

/** Writes a workflow with one form, and gives the answers of who sits before it. */
async function choose(fields: string, answers: readonly PersonAnswer[] | undefined, ...more: readonly string[]) {
  const file = join(directory, "plans.yaml");
  writeFileSync(
    file,
    `name: plans\nblocks:\n  - { id: ask, type: Form, inputs: { prompt: Which?, fields: [${fields}] } }\noutputs: { all: "\${blocks.ask.outputs}" }\n`,
  );
  const terminal = recordedTerminal(answers);
  const code = await runCommandLine(["run", file, "--store", join(directory, "store"), ...more], terminal);
  return { code, ...terminal };
}

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function enrol(answers: readonly PersonAnswer[] | undefined, ...more: readonly string[]) {
  const terminal = recordedTerminal(answers);
  const args = ["run", join(directory, "workshop.yaml"), "--store", join(directory, "store"), ...more];
  return { code: await runCommandLine(args, terminal), ...terminal };
}

describe("a form at a terminal", () => {
  test("is asked field by field, each in the form that suits it", async () => {
    const { code, asked, written } = await enrol(["Ada", "ada@example.com", "2", 1, [0, 2], "by train", false]);
    expect(code).toBe(0);
    expect(written.err).toContain("Who comes?[31m\n");
    expect(asked).toEqual([
      { kind: "text", text: "Your name", choices: [] },
      { kind: "text", text: "E-mail (for the ticket)", choices: [] },
      { kind: "text", text: "seats (optional)", choices: [], initial: "1" },
      { kind: "choice", text: "meal (optional)", choices: ["Fish", "Vegetables", "(no answer)"] },
      { kind: "choices", text: "tools (optional)", choices: ["Saw", "Plane", "Chisel"], initial: [] },
      { kind: "text", text: "note (optional)", choices: [] },
      { kind: "confirm", text: "news (optional)", choices: [], initial: true },
    ]);
    const all = "name: Ada email: ada@example.com seats: 2 meal: Vegetables tools: - Saw - Chisel note: by train news: false";
    expect(written.out.replaceAll(/\s+/g, " ").trim()).toBe(`all: ${all}`);
  });

  test("shows the labels of choices, and sends their values", async () => {
    const fields = `{ name: plan, ${PLANS}, default: me }, { name: days, type: array, ${PLANS} }`;
    const { code, asked, written } = await choose(fields, [0, [1, 2]]);
    expect(code).toBe(0);
    expect(asked).toEqual([
      { kind: "choice", text: "plan (optional)", choices: ["For a team (up to 9)", "For[31m me", "other", "(no answer)"], initial: 1 },
      { kind: "choices", text: "days", choices: ["For a team (up to 9)", "For[31m me", "other"], initial: [] },
    ]);
    expect(written.out.replaceAll(/\s+/g, " ").trim()).toBe("all: plan: team days: - me - other");
  });

  test("takes what was left out as left out", async () => {
    const { code, written } = await enrol(["Ada", "ada@example.com", "", 2, [], "", true]);
    expect(code).toBe(0);
    const all = "name: Ada email: ada@example.com seats: 1 meal: null tools: null note: null news: true";
    expect(written.out.replaceAll(/\s+/g, " ").trim()).toBe(`all: ${all}`);
  });

  test("asks again only what was wrong, with what was typed", async () => {
    const { code, asked, written } = await enrol(["Ada", "ada", "many", 0, [], "", false, "ada@example.com", "3"]);
    expect(code).toBe(0);
    expect(asked.slice(7)).toEqual([
      { kind: "text", text: "E-mail (for the ticket)", choices: [], initial: "ada" },
      { kind: "text", text: "seats (optional)", choices: [], initial: "many" },
    ]);
    expect(written.err).toContain("seats: must be an integer");
    expect(written.err).toContain("email: must be an e-mail address");
    expect(written.out).toContain("seats: 3");
  });

  test("keeps what a file with answers got right", async () => {
    const file = join(directory, "some.yaml");
    writeFileSync(file, "seat: { name: Ada, seats: 2, shoes: 41 }\n");
    const { code, asked, written } = await enrol(["Ada", "ada@example.com", "2", 2, [], "", false], "--answers", file);
    expect(code).toBe(0);
    expect(asked[0]).toEqual({ kind: "text", text: "E-mail (for the ticket)", choices: [] });
    expect(written.err).toContain("shoes: is not known here");
  });

  test("may be left in its middle, and waits", async () => {
    const { code, written } = await enrol(["Ada"]);
    expect(code).toBe(130);
    expect(written.err).toContain("Who comes?");
  });
});
