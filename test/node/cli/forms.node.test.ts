import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
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

  test("asks for amounts of money as they are written, and keeps them in the smallest unit", async () => {
    const fields = `{ name: fare, type: integer, format: money, currency: EUR, minimum: 100, default: 2350 }, { name: metres, type: number }`;
    const { asked, written } = await choose(fields, ["0.50", "€1,234.50", "1,234.5"]);
    expect(asked[0]).toEqual({ kind: "text", text: "fare (in EUR, as €1,234.50, optional)", choices: [], initial: "23.50" });
    expect(asked[1]).toMatchObject({ initial: "0.50" });
    expect(written.out.replaceAll(/\s+/g, " ").trim()).toBe("all: fare: 123450 metres: 1234.5");
  });

  test("asks for the text where one picks what is no choice", async () => {
    const fields = `{ name: plan, ${PLANS}, other: A plan of my own }, { name: days, type: array, ${PLANS}, other: true, default: [me, mine] }`;
    const { code, asked, written } = await choose(fields, [3, "mine alone", [0, 3], "his"]);
    expect(code).toBe(0);
    const choices = ["For a team (up to 9)", "For[31m me", "other"];
    expect(asked).toEqual([
      { kind: "choice", text: "plan", choices: [...choices, "A plan of my own"] },
      { kind: "text", text: "plan: A plan of my own", choices: [] },
      { kind: "choices", text: "days (optional)", choices: [...choices, "Other"], initial: [1, 3] },
      { kind: "text", text: "days: Other", choices: [], initial: "mine" },
    ]);
    expect(written.out.replaceAll(/\s+/g, " ").trim()).toBe("all: plan: mine alone days: - team - his");
  });

  test("says how times and months are written, and what numbers count", async () => {
    const fields = `{ name: at, format: time }, { name: until, format: month }, { name: weight, type: number, unit: { en: kg } }`;
    const { asked, written } = await choose(fields, ["14:30", "2027-03", "64.5"]);
    expect(asked.map(({ text }) => text)).toEqual(["at (as 14:30)", "until (as 2026-11)", "weight (in kg)"]);
    expect(written.out.replaceAll(/\s+/g, " ").trim()).toBe("all: at: 14:30 until: 2027-03 weight: 64.5");
  });

  test("takes what was left out as left out", async () => {
    const { code, written } = await enrol(["Ada", "ada@example.com", "", 2, [], "", true]);
    expect(code).toBe(0);
    const all = "name: Ada email: ada@example.com seats: 1 meal: null tools: null note: null news: true";
    expect(written.out.replaceAll(/\s+/g, " ").trim()).toBe(`all: ${all}`);
  });

  test("checks each field as it is given, and asks again with what was typed", async () => {
    const { code, asked, written } = await enrol(["Ada", "ada", "ada@example.com", "many", "3", 0, [], "", false]);
    expect(code).toBe(0);
    expect(asked[2]).toEqual({ kind: "text", text: "E-mail (for the ticket)", choices: [], initial: "ada" });
    expect(asked[4]).toEqual({ kind: "text", text: "seats (optional)", choices: [], initial: "many" });
    expect(written.err).toContain("Enter a whole number for “seats”.");
    expect(written.err).toContain("Enter an e-mail address for “E-mail”, like name@example.com.");
    expect(written.out).toContain("seats: 3");
  });

  test("asks again only what fits no other field", async () => {
    const rules = `{ name: from, type: integer }, { name: until, type: integer }], rules: [{ check: "\${fields.from} < \${fields.until}", field: until, message: Later than from. }`;
    const { code, asked, written } = await choose(rules, ["3", "2", "4"]);
    expect(code).toBe(0);
    expect(asked.slice(2)).toEqual([{ kind: "text", text: "until", choices: [], initial: "2" }]);
    expect(written.err).toContain("Later than from.");
  });

  test("keeps what a file with answers got right", async () => {
    const file = join(directory, "some.yaml");
    writeFileSync(file, "seat: { name: Ada, seats: 2, shoes: 41 }\n");
    const { code, asked, written } = await enrol(["Ada", "ada@example.com", "2", 2, [], "", false], "--answers", file);
    expect(code).toBe(0);
    expect(asked[0]).toEqual({ kind: "text", text: "E-mail (for the ticket)", choices: [] });
    expect(written.err).toContain("shoes: Leave this out");
  });

  test("may be left in its middle, and waits", async () => {
    const { code, written } = await enrol(["Ada"]);
    expect(code).toBe(130);
    expect(written.err).toContain("Who comes?");
  });
});

describe("a form that is left in its middle", () => {
  const FIELDS =
    "{ name: name }, { name: door_password, format: password }, { name: things, type: array, fields: [{ name: what }, { name: age, type: integer }] }, { name: note, required: false }";

  async function goOn(run: string, answers: readonly PersonAnswer[]) {
    const terminal = recordedTerminal(answers);
    const code = await runCommandLine(["resume", run, "--store", join(directory, "store")], terminal);
    return { code, ...terminal };
  }

  const runIn = ({ err }: { readonly err: string }): string => /Run (run_\w+)/.exec(err)![1]!;

  test("offers what was given when the run goes on, item by item too", async () => {
    const left = await choose(FIELDS, ["Ada", "sesame", "boat", "3", true, "oar"]);
    expect(left.code).toBe(130);
    expect(left.asked[1]).toMatchObject({ kind: "secret" });
    const { code, asked, written } = await goOn(runIn(left.written), ["Ada", "sesame", 0, "oar", "4", false, ""]);
    expect(code).toBe(0);
    expect(asked).toMatchObject([
      { text: "name", initial: "Ada" },
      { kind: "secret", text: "door_password" },
      { kind: "choice", text: "things: 2 given before", choices: ["Keep them", "Go through them", "Start again"] },
      { text: "what", initial: "oar" },
      { text: "age" },
      { text: "Add another one to things?" },
      { text: "note (optional)" },
    ]);
    expect(asked[1]).not.toHaveProperty("initial");
    expect(parse(written.out)).toMatchObject({
      all: {
        name: "Ada",
        things: [
          { what: "boat", age: 3 },
          { what: "oar", age: 4 },
        ],
      },
    });
  });

  test("keeps nothing of a secret", async () => {
    const left = await choose(FIELDS, ["Ada", "sesame-open"]);
    const terminal = recordedTerminal();
    await runCommandLine(["show", runIn(left.written), "--json", "--store", join(directory, "store")], terminal);
    expect(terminal.written.out).toContain('"Ada"');
    expect(terminal.written.out).not.toContain("sesame-open");
  });

  test("keeps nothing of a question that is sensitive", async () => {
    const left = await choose("{ name: name }, { name: other }], sensitive: true, rules: [", ["Ada"]);
    const { asked } = await goOn(runIn(left.written), []);
    expect(asked[0]).toEqual({ kind: "text", text: "name", choices: [] });
  });

  test("has its files still", async () => {
    const path = join(directory, "scan.txt");
    writeFileSync(path, "a scan");
    const left = await choose("{ name: scan, type: file }, { name: note }", [path]);
    const { code, asked, written } = await goOn(runIn(left.written), ["", "done"]);
    expect(asked[0]).toMatchObject({ text: "scan (the path of a file, nothing for scan.txt, given before)" });
    expect(code).toBe(0);
    expect(written.out).toContain("scan.txt");
  });
});

describe("54: a form with conditions at a terminal", () => {
  const FIELDS = `{ name: dog, show_if: "\${fields.pet} == 'dog'" }, { name: pet }, { name: age, type: integer, maximum: 9 }, { name: walks, show_if: "\${fields.age} > 1" }`;

  test("asks only what its conditions show, later ones that decide included", async () => {
    const { code, asked, written } = await choose(FIELDS, ["cat", "1"]);
    expect(code).toBe(0);
    expect(asked.map(({ text }) => text)).toEqual(["pet", "age"]);
    expect(written.out).toContain("dog: null");
    const other = await choose(FIELDS, ["dog", "Rex", "2", "often"]);
    expect(other.asked.map(({ text }) => text)).toEqual(["pet", "dog", "age", "walks"]);
  });

  test("asks what comes to be asked after a refusal", async () => {
    const { asked } = await choose(FIELDS.replace("> 1", "== 5"), ["cat", "10", "5", "often"]);
    expect(asked.map(({ text }) => text)).toEqual(["pet", "age", "age", "walks"]);
  });
});

describe("fields in fields", () => {
  const things = `{ name: things, type: array, title: Things, max_items: 3, fields: [{ name: what }, { name: age, type: integer, required: false }] }`;

  test("a list is asked item by item, and whether there is another one", async () => {
    const { code, asked, written } = await choose(things, ["boat", "3", true, "oar", "", false]);
    expect(code).toBe(0);
    expect(asked.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "text: what",
      "text: age (optional)",
      "confirm: Add another one to Things?",
      "text: what",
      "text: age (optional)",
      "confirm: Add another one to Things?",
    ]);
    expect(written.err).toContain("Things 2\n");
    expect(parse(written.out)).toMatchObject({
      all: {
        things: [
          { what: "boat", age: 3 },
          { what: "oar", age: null },
        ],
      },
    });
  });

  test("a group is asked member by member, one that may be left out only where it is wanted", async () => {
    const home = "{ name: home, type: object, format: address, required: false }";
    expect(parse((await choose(home, [false])).written.out)).toMatchObject({ all: { home: null } });
    const { written } = await choose(home, [true, "1 Quay", "", "Hove", ""]);
    expect(parse(written.out)).toMatchObject({ all: { home: { street: "1 Quay", city: "Hove" } } });
  });

  test("a scale is asked row by row, an order place by place", async () => {
    const mood = "{ name: mood, type: object, format: matrix, rows: [calm, busy], enum: [never, often] }";
    const order = "{ name: order, type: array, format: ranking, enum: [sea, river, lake] }";
    const { asked, written } = await choose(`${mood}, ${order}`, [1, 0, 2, 0]);
    expect(asked.map(({ text, choices }) => `${text}: ${choices.join()}`)).toEqual([
      "calm: never,often",
      "busy: never,often",
      "order: place 1: sea,river,lake",
      "order: place 2: sea,river",
    ]);
    expect(parse(written.out)).toMatchObject({ all: { mood: { calm: "often", busy: "never" }, order: ["lake", "sea", "river"] } });
  });
});

test("a review is a yes or no, and its declaration a box", async () => {
  const file = join(directory, "review.yaml");
  const look = (inputs: string) =>
    writeFileSync(
      file,
      `name: look\nblocks:\n  - { id: look, type: Review, inputs: { prompt: Right?${inputs} } }\noutputs: { sure: "\${blocks.look.confirmed}" }\n`,
    );
  for (const inputs of ["", ", declaration: All true."]) {
    look(inputs);
    const terminal = recordedTerminal([true]);
    expect(await runCommandLine(["run", file, "--store", join(directory, "store")], terminal)).toBe(0);
    expect(terminal.asked.map(({ kind }) => kind)).toEqual(["confirm"]);
    expect(parse(terminal.written.out)).toEqual({ sure: true });
  }
});
