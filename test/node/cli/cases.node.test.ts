import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import { examplesIn } from "../../docs/documents.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wavepoint-cases-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function call(...args: readonly string[]) {
  const terminal = recordedTerminal();
  const code = await runCommandLine(args, terminal);
  const plain = (text: string) => text.replaceAll(`${home}/`, "");
  return { code, out: plain(terminal.written.out), err: plain(terminal.written.err) };
}

const CLAIM = `name: claim
inputs: { limit: { type: integer } }
blocks:
  - id: ask
    type: Form
    inputs: { prompt: Your claim, fields: [{ name: amount, type: integer, title: How much? }] }
  - id: rate
    type: HttpCall
    depends_on: [ask]
    continue_on_error: true
    inputs: { url: "https://rates.example.com/", method: POST, json: { amount: "\${blocks.ask.outputs.amount}" } }
  - id: pay
    type: Compute
    depends_on: [rate]
    condition: "\${blocks.ask.outputs.amount} <= \${inputs.limit}"
    inputs:
      variables: { amount: "\${blocks.ask.outputs.amount}", factor: "\${blocks.rate.outputs.json.factor}" }
      formulas: { paid: amount * factor }
  - id: look
    type: ConfirmOperation
    depends_on: [rate]
    condition: "\${blocks.ask.outputs.amount} > \${inputs.limit}"
    inputs: { message: Shall it be paid? }
outputs: { paid: "\${blocks.pay.outputs.paid}" }
`;

test("the cases of the documentation pass", async () => {
  const [workflow, cases] = examplesIn("yaml").filter(({ marks }) => marks.includes("cases"));
  write("claim.yaml", workflow!.text);
  expect(await call("test", write("claim.cases.yaml", cases!.text))).toEqual({
    code: 0,
    err: "",
    out: `passed claim.cases.yaml:2 A small claim is paid at once
passed claim.cases.yaml:10 A large claim is looked at by a person
2 cases, 0 of them failed
`,
  });
});

test("each thing that differs is reported with its line, and fails the command", async () => {
  write("claim.yaml", CLAIM);
  const path = write(
    "claim.cases.yaml",
    `cases:
  - name: all is otherwise
    inputs: { limit: 100 }
    answers: { ask: { amount: 40 }, look: true }
    results: { rate: { json: { factor: 2 } } }
    expect:
      asked: [ask, look]
      order: [rate, ask]
      skipped: [pay]
      outputs:
        paid: 81
  - name: it ends another way
    inputs: {}
    expect: { status: failed, error: BLOCK_FAILED }
  - name: the service was forgotten
    inputs: { limit: 100 }
    answers: [{ amount: 1000 }]
  - name: a wrong answer
    inputs: { limit: 100 }
    answers: [{ amount: much }]
    expect: { status: paused, error: RESPONSE_INVALID }
`,
  );
  const { code, out } = await call("test", path);
  expect(code).toBe(1);
  expect(out).toMatchInlineSnapshot(`
    "failed claim.cases.yaml:2 all is otherwise
      claim.cases.yaml:11:9 paid is 80, not 81.
      10 |       outputs:
      11 |         paid: 81
         |         ^
      claim.cases.yaml:7:7 Asked was ask.
      6 |     expect:
      7 |       asked: [ask, look]
        |       ^
      claim.cases.yaml:8:7 The blocks ended in the order ask, rate, pay.
      7 |       asked: [ask, look]
      8 |       order: [rate, ask]
        |       ^
      claim.cases.yaml:9:17 pay is completed, not skipped.
      8 |       order: [rate, ask]
      9 |       skipped: [pay]
        |                 ^
      claim.cases.yaml:4:5 Nothing asked for look.
      3 |     inputs: { limit: 100 }
      4 |     answers: { ask: { amount: 40 }, look: true }
        |     ^
    failed claim.cases.yaml:12 it ends another way
      claim.cases.yaml:14:15 It is refused, not failed: INPUT_INVALID: Workflow "claim" cannot start: "limit" is required: give an integer.
      13 |     inputs: {}
      14 |     expect: { status: failed, error: BLOCK_FAILED }
         |               ^
      claim.cases.yaml:14:31 What went wrong is INPUT_INVALID: Workflow "claim" cannot start: "limit" is required: give an integer.
      13 |     inputs: {}
      14 |     expect: { status: failed, error: BLOCK_FAILED }
         |                               ^
    failed claim.cases.yaml:15 the service was forgotten
      claim.cases.yaml:15:5 A case touches nothing outside. Give it what rate gives: results: { rate: … }.
      14 |     expect: { status: failed, error: BLOCK_FAILED }
      15 |   - name: the service was forgotten
         |     ^
      claim.cases.yaml:15:5 It is paused, not completed: look waits.
      14 |     expect: { status: failed, error: BLOCK_FAILED }
      15 |   - name: the service was forgotten
         |     ^
    passed claim.cases.yaml:18 a wrong answer
    4 cases, 3 of them failed
    "
  `);
  const { cases } = JSON.parse((await call("test", path, "--json")).out) as { cases: { differences: unknown[] }[] };
  expect(cases.map(({ differences }) => differences.length)).toEqual([5, 2, 2, 0]);
});

test("called workflows are played too, in their own blocks", async () => {
  write(
    "inner.yaml",
    `name: inner\nblocks:\n  - { id: who, type: GetInput, inputs: { prompt: Who? } }\noutputs: { who: "\${blocks.who.outputs.input_value}" }\n`,
  );
  write("outer.yaml", `name: outer\nblocks:\n  - { id: call, type: ExecuteWorkflow, inputs: { workflow: inner } }\n`);
  const cases = `cases:\n  - { name: it asks, answers: { who: Ada }, expect: { asked: [call/who], order: [call] } }\n`;
  expect(await call("test", write("outer.cases.yaml", cases))).toMatchObject({ code: 0, err: "" });
});

test("a wait takes no time where it has a result, and a case that is never over differs", async () => {
  write(
    "later.yaml",
    `name: later\nblocks:\n  - { id: wait, type: Wait, inputs: { duration_ms: 86400000 } }\noutputs: { by: "\${blocks.wait.ended_by}" }\n`,
  );
  const cases = `cases:
  - { name: a day later, results: { wait: {} }, expect: { outputs: { by: time } } }
  - { name: it waits }
`;
  const { code, out } = await call("test", write("later.cases.yaml", cases));
  expect(code).toBe(1);
  expect(out).toContain(
    "passed later.cases.yaml:2 a day later\nfailed later.cases.yaml:3 it waits\n  later.cases.yaml:3:7 It is not over after 3 s.",
  );
});

test("what is no file of cases is refused with its place", async () => {
  write("claim.yaml", CLAIM);
  const refused = async (text: string, name = "claim.cases.yaml") => {
    const { code, out, err } = await call("test", write(name, text));
    expect({ code, out }).toEqual({ code: 2, out: "" });
    return err;
  };
  expect(await refused("cases:\n  - { name: a, input: {} }\n")).toContain(
    'claim.cases.yaml:2:16 error[COMMAND_INVALID]\n  There is no key "input" here. Did you mean "inputs"?',
  );
  expect(await refused("cases:\n  - { name: a, expect: { status: done } }\n")).toContain(
    "claim.cases.yaml:2:26 error[COMMAND_INVALID]\n  A status is one of",
  );
  expect(await refused("cases: [\n")).toContain("claim.cases.yaml:2:1 error[COMMAND_INVALID]");
  expect(await refused("cases:\n  - { inputs: {} }\n")).toContain('A case has a "name"');
  expect(await refused("cases: []\n", "tries.yaml")).toContain('say "workflow: claim.yaml" in it');
  expect(await refused("workflow: other.yaml\ncases: []\n", "tries.yaml")).toContain("other.yaml cannot be read");
});

test("the cases of a workflow are found by its name, and a workflow without cases says where they go", async () => {
  const file = write("claim.yaml", CLAIM);
  const alone = await call("test", file);
  expect(alone).toMatchObject({ code: 2, out: "" });
  expect(alone.err).toContain("This is a workflow, and there are no cases beside it.");
  expect(alone.err).toContain("claim.cases.yaml.");
  write("claim.cases.yaml", "cases: []\n");
  expect(await call("test", file)).toMatchObject({ code: 0, out: "0 cases, 0 of them failed\n" });
});

test("files of cases are no workflows to the other commands", async () => {
  write("claim.yaml", CLAIM);
  write("claim.cases.yaml", "cases: []\n");
  expect((await call("validate", home)).out).toBe("claim.yaml: no problems\n");
  expect((await call("list", home)).err).toBe("");
  expect(await call("validate", join(home, "claim.cases.yaml"), join(home, "claim.yaml"))).toMatchObject({
    code: 0,
    out: "claim.yaml: no problems\n",
  });
  const alone = await call("validate", join(home, "claim.cases.yaml"));
  expect(alone.code).toBe(2);
  expect(alone.err).toContain("Run them: wavepoint test FILE.");
});
