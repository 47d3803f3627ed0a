import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { buildCommand, type BuiltCommand, type Ended } from "./built-command.ts";

const WIZARD = `name: wizard
inputs:
  team: { type: string, default: blue }
  size: { type: integer, required: false }
  tags: { type: list, default: [] }
blocks:
  - id: colour
    type: AskChoice
    inputs: { question: "Which colour for \${inputs.team}?", choices: [Red, Green] }
  - id: sure
    type: ConfirmOperation
    depends_on: [colour]
    inputs: { message: Paint it? }
  - id: word
    type: GetInput
    depends_on: [sure]
    condition: \${blocks.sure.confirmed}
    inputs: { prompt: Say a word, validation_pattern: "[a-z]+$" }
outputs:
  colour: \${blocks.colour.choice}
  word: \${blocks.word.input_value}
  size: \${inputs.size}
  tags: \${inputs.tags}
`;

const SLOW = `name: slow
blocks:
  - { id: quick, type: EchoBlock, inputs: { message: quick } }
  - { id: call, type: ExecuteWorkflow, depends_on: [quick], inputs: { workflow: inner } }
outputs: { said: "\${blocks.call.said}" }
`;

const INNER = `name: inner
blocks:
  - { id: first, type: EchoBlock, inputs: { message: first } }
  - { id: second, type: EchoBlock, depends_on: [first], inputs: { message: done, delay_ms: 2000 } }
outputs: { said: "\${blocks.second.echoed}" }
`;

const BROKEN = `name: broken
blocks:
  - id: a
    type: EchoBlok
    inputs: { message: "hi" }
  - id: b
    type: GetInput
    depend_on: [a]
    inputs: { prompt: p }
`;

const FAILING = `name: fails
inputs: { data: { type: object, default: { list: [3] } } }
blocks:
  - id: count
    type: EchoBlock
    inputs: { message: "\${inputs.data.list}" }
`;

let wavepoint: BuiltCommand;

beforeAll(() => {
  wavepoint = buildCommand();
  wavepoint.write("wizard.yaml", WIZARD);
  wavepoint.write("slow.yaml", SLOW);
  wavepoint.write("inner.yml", INNER);
  wavepoint.write("broken.yaml", BROKEN);
});

afterAll(() => wavepoint.remove());

interface Document {
  readonly status: string;
  readonly run: string;
  readonly outputs: unknown;
  readonly pauses: readonly { readonly id: string; readonly path: readonly string[] }[];
  readonly error: { readonly code: string; readonly line?: number };
}

const json = ({ out }: Ended) => JSON.parse(out) as Document;
const runIn = ({ err }: Pick<Ended, "err">) => /run_[a-z0-9]+/.exec(err)![0];

describe("run", () => {
  test("stops at a question where there is no terminal, says how to answer it, and goes on from there", async () => {
    const asked = await wavepoint.run("run", "wizard.yaml");
    expect(asked.code).toBe(3);
    expect(asked.out).toBe("");
    expect(asked.err).toContain("Which colour for blue?");
    const [, pause] = /wavepoint resume (pause_\S+) ANSWER/.exec(asked.err)!;
    const next = await wavepoint.run("resume", pause!, "green", "--json");
    expect(next.code).toBe(3);
    expect(json(next)).toMatchObject({ status: "paused", run: runIn(asked), pauses: [{ path: ["sure"] }] });
    const done = await wavepoint.run("resume", runIn(asked), "no");
    expect(done.code).toBe(0);
    expect(parse(done.out)).toEqual({ colour: "Green", word: null, size: null, tags: [] });
    expect(done.err).toContain("skipped: condition not met");
  });

  test("takes answers from a list, in the order of the questions", async () => {
    wavepoint.write("list.json", '[1, true, "hello"]');
    const done = await wavepoint.run(
      "run",
      "wizard.yaml",
      "--answers",
      "list.json",
      "--json",
      "--input",
      "size=4",
      "--input",
      'tags=["a"]',
    );
    expect(done.code).toBe(0);
    expect(json(done)).toMatchObject({ status: "completed", outputs: { colour: "Red", word: "hello", size: 4, tags: ["a"] }, pauses: [] });
  });

  test("takes answers by the ids of blocks, and names those that nothing asked for", async () => {
    wavepoint.write("map.yaml", "sure: no\ncolour: red\nshape: round\n");
    const done = await wavepoint.run("run", "wizard.yaml", "--answers", "map.yaml");
    expect(done.code).toBe(0);
    expect(done.err).toContain("Nothing asked for these answers: shape.");
  });

  test("leaves the question open where the answer in the file is refused", async () => {
    wavepoint.write("wrong.yaml", "- purple\n- yes\n");
    const refused = await wavepoint.run("run", "wizard.yaml", "--answers", "wrong.yaml", "--json");
    expect(refused.code).toBe(3);
    expect(json(refused)).toMatchObject({ status: "paused", pauses: [{ path: ["colour"] }], error: { code: "RESPONSE_INVALID" } });
  });

  test("refuses wrong inputs and keeps nothing of the run", async () => {
    const before = await wavepoint.run("runs", "--json");
    const refused = await wavepoint.run("run", "wizard.yaml", "--input", "size=many", "--input", "tem=red", "--json");
    expect(refused.code).toBe(2);
    expect(json(refused)).toMatchObject({ status: "error", error: { code: "INPUT_INVALID" } });
    expect((await wavepoint.run("runs", "--json")).out).toBe(before.out);
  });

  test("points into the file where the workflow is broken", async () => {
    const refused = await wavepoint.run("run", "broken.yaml");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("broken.yaml:4:11 error[BLOCK_TYPE_UNKNOWN]");
    expect(refused.err).toContain("  4 |     type: EchoBlok\n    |           ^\n");
    expect(json(await wavepoint.run("run", "broken.yaml", "--json"))).toMatchObject({ status: "invalid", error: { line: 4 } });
  });

  test("points at the block that failed, with exit code 1", async () => {
    wavepoint.write("fails.yaml", FAILING);
    const failed = await wavepoint.run("run", "fails.yaml");
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("fails.yaml:4:5 error[BLOCK_INPUT_INVALID]");
    expect(failed.err).toContain(`wavepoint resume ${runIn(failed)}`);
  });

  test("says that a store cannot be used, with exit code 4", async () => {
    const away = await wavepoint.run("run", "wizard.yaml", "--store", "/dev/null/runs", "--json");
    expect(away.code).toBe(4);
    expect(json(away).error.code).toMatch(/^STORE_/);
  });

  test("lets no control character of a prompt through to the terminal", async () => {
    wavepoint.write(
      "hostile.yaml",
      'name: h\nblocks:\n  - { id: a, type: GetInput, inputs: { prompt: "\\u001b[2J\\u009b1mHi\\u202e\\r" } }\n',
    );
    const asked = await wavepoint.run("run", "hostile.yaml");
    expect(asked.err).toContain("[2J1mHi\n");
    const both = asked.err + (await wavepoint.run("runs")).out + (await wavepoint.run("run", "hostile.yaml", "--json")).out;
    expect([...both].filter((character) => /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/.test(character))).toEqual([]);
  });
});

describe("a run that is cut off", () => {
  test("by kill -9 goes on in another process, and what had finished does not run again", async () => {
    const killed = wavepoint.start("run", "slow.yaml");
    const run = runIn({ err: await killed.said("✓ quick") });
    const stepsOf = async () =>
      (JSON.parse((await wavepoint.run("show", run, "--json")).out) as { steps: { block: string; at: number }[] }).steps;
    // A step is shown a moment before it is stored.
    const quick = await vi.waitUntil(async () => (await stepsOf())[0], { timeout: 60_000 });
    killed.process.kill("SIGKILL");
    await killed.ended;
    const done = await wavepoint.run("resume", run);
    expect(done).toMatchObject({ code: 0, out: "said: done\n" });
    expect((await stepsOf())[0]).toEqual(quick);
  });

  test.each(["SIGINT", "SIGTERM"] as const)("by %s says how to go on, leaves nothing behind, and goes on", async (signal) => {
    const stopped = wavepoint.start("run", "slow.yaml", "--json");
    await stopped.said("✓ quick");
    stopped.process.kill(signal);
    const ended = await stopped.ended;
    expect(ended.code).toBe(130);
    expect(json(ended)).toMatchObject({ status: "running", error: { code: "ABORTED" } });
    expect(readdirSync(`${wavepoint.directory}/.wavepoint/claims`)).not.toContain(runIn(ended));
    expect(await wavepoint.run("resume", runIn(ended))).toMatchObject({ code: 0, out: "said: done\n" });
  });
});

describe("resume", () => {
  test("takes another answer in a new run, and only with --fork", async () => {
    wavepoint.write("answers.yaml", "- red\n- no\n");
    const first = json(await wavepoint.run("run", "wizard.yaml", "--answers", "answers.yaml", "--json"));
    const pause = `${first.run.replace("run_", "pause_")}.0`;
    const refused = await wavepoint.run("resume", pause, "green");
    expect(refused.code).toBe(2);
    expect(refused.err).toContain(`wavepoint resume ${pause} green --fork`);
    const forked = await wavepoint.run("resume", pause, "green", "--fork", "--json");
    expect(forked.code).toBe(3);
    expect(json(forked).run).not.toBe(first.run);
    expect(json(await wavepoint.run("show", first.run, "--json"))).toMatchObject({ status: "completed", outputs: { colour: "Red" } });
  });
});

describe("looking at runs", () => {
  test("lists, shows, cancels and deletes", async () => {
    const { run, pauses } = json(await wavepoint.run("run", "wizard.yaml", "--json", "--store", "other"));
    const at = ["--store", "other"];
    expect((await wavepoint.run("runs", "--status", "paused", ...at)).out).toContain(run);
    expect((await wavepoint.run("runs", "--status", "failed", ...at)).out).toBe("");
    const shown = (await wavepoint.run("show", run, ...at)).out;
    for (const part of ["Wave 1 of 3", "? colour (AskChoice) asks", "· word (GetInput) waiting", pauses[0]!.id])
      expect(shown).toContain(part);
    expect((await wavepoint.run("show", pauses[0]!.id, ...at)).out).toContain("Wave        1 of 3");
    expect((await wavepoint.run("cancel", run, ...at)).code).toBe(0);
    expect((await wavepoint.run("resume", run, ...at)).code).toBe(1);
    expect((await wavepoint.run("delete", run, ...at)).code).toBe(0);
    expect((await wavepoint.run("show", run, ...at)).code).toBe(2);
    expect((await wavepoint.run("delete", run, ...at)).code).toBe(2);
  });
});

describe("validate", () => {
  test("reports every problem with its place, and what was meant", async () => {
    const { code, out } = await wavepoint.run("validate", "wizard.yaml", "broken.yaml");
    expect(code).toBe(2);
    expect(out).toContain("wizard.yaml: no problems\n");
    expect(out).toContain("broken.yaml:4:11 error[BLOCK_TYPE_UNKNOWN]");
    expect(out).toContain('broken.yaml:8:5 error[KEY_UNKNOWN]\n  "depend_on" is no key here. Did you mean "depends_on"?');
    expect(out).toContain("broken.yaml: 2 errors\n");
  });

  test("gives programs the same as JSON", async () => {
    const { out } = await wavepoint.run("validate", "--json", "broken.yaml");
    const problems = [
      { code: "BLOCK_TYPE_UNKNOWN", line: 4, column: 11 },
      { code: "KEY_UNKNOWN", line: 8, column: 5, suggestion: "depends_on" },
    ];
    expect(JSON.parse(out)).toMatchObject({ status: "invalid", files: [{ file: "broken.yaml", valid: false, problems }] });
  });

  test("stores nothing", async () => {
    wavepoint.write("alone.yaml", "name: alone\nblocks:\n  - { id: a, type: EchoBlock, inputs: { message: a } }\n");
    const before = readdirSync(wavepoint.directory);
    expect((await wavepoint.run("validate", "alone.yaml")).code).toBe(0);
    expect(readdirSync(wavepoint.directory)).toEqual(before);
  });
});
