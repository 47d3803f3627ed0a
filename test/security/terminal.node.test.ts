import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "../../src/node/cli/command-line.ts";
import type { PersonAnswer } from "../../src/node/cli/terminal.ts";
import { recordedTerminal } from "../node/cli/recorded-terminal.ts";

/** What a terminal obeys instead of showing it, and what turns the direction of text around. */
const OBEYED = /[^\n\t\P{Cc}]|[\u202a-\u202e\u2066-\u2069]/u;
/** The same as YAML writes it: a new title for the window, a cleared screen, a text turned around, a line drawn over. */
const ESCAPES = String.raw`\e]0;owned\a\x9b2J\u202e\b\r`;
const q = (text: string): string => `"${text}${ESCAPES}"`;

const GOOD = `name: good
description: ${q("about")}
version: ${q("1")}
author: ${q("me")}
tags: [${q("tag")}]
inputs:
  a: {type: string, default: ${q("x")}, enum: [${q("x")}], description: ${q("an input")}}
blocks:
  - {id: e, type: EchoBlock, description: ${q("a block")}, inputs: {message: "\${inputs.a}"}}
  - {id: never, type: EchoBlock, condition: ${q("${inputs.a} == 'y'").replace(`'y'${ESCAPES}`, `'y${ESCAPES}'`)}, inputs: {message: x}}
  - {id: choose, type: AskChoice, depends_on: [e], inputs: {question: ${q("Which?")}, choices: [${q("one")}, ${q("two")}]}}
  - id: form
    type: Form
    depends_on: [choose]
    inputs: {prompt: ${q("Fill in")}, fields: [{name: n, title: ${q("A name")}, description: ${q("a hint")}, enum: [${q("k")}]}]}
  - {id: template, type: PopulateTemplate, depends_on: [form], inputs: {template: ${q("{{ 1 | first }}")}}}
outputs:
  o: {value: "\${inputs.a}", description: ${q("an output")}}
`;
const MISTAKES = [
  `name: bad\n${q("key")}: 1\nblocks: []\n`,
  `name: ${q("bad")}\nblocks:\n  - {id: ${q("i")}, type: ${q("T")}, depends_on: [${q("z")}]}\n`,
  `name: bad\nblocks:\n  - {id: a, type: EchoBlock, inputs: {message: "\${x${ESCAPES}}"}, condition: ${q("foo(")}}\n`,
  `name: bad\nblocks:\n  - {id: a, type: GetInput, inputs: {prompt: p, validation_pattern: ${q("(")}}}\n`,
  `name: bad\nblocks:\n  - {id: a, type: ReadFile, inputs: {path: ${q("../x")}}}\n  - {id: b, type: HttpCall, inputs: {url: ${q("ftp:")}}}\n`,
  `name: bad\nblocks:\n  - {id: a, type: Shell, inputs: {command: ${q("ls ${inputs.x} `")}, env: {${q("N")}: x}}}\n`,
  `name: bad\nblocks:\n  - {id: a, type: CreateWorktree, inputs: {branch: ${q("-b")}, path: ${q("/a")}}}\n`,
  `name: bad\nblocks:\n  - {id: a, type: ExecuteWorkflow, inputs: {workflow: ${q("w")}}}\n`,
  `name: bad\nblocks: [${ESCAPES.replaceAll("\\", "")}\u009b2J\n`,
] as const;
const WRITES = `name: writes\nblocks:\n  - {id: a, type: Shell, inputs: {command: "printf '\\\\033]0;x\\\\007'; printf '\\\\033[2J' >&2; exit 3"}}\n`;

let home: string;
let store: readonly string[];

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "wavepoint-terminal-"));
  store = ["--store", join(home, "runs")];
  mkdirSync(join(home, "all"));
  writeFileSync(join(home, "all/good.yaml"), GOOD);
  writeFileSync(join(home, "all/writes.yaml"), WRITES);
  MISTAKES.forEach((text, i) => writeFileSync(join(home, `all/bad-${i}.yaml`), text));
});

afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs a command; all of its output must be harmless. */
async function call(args: readonly string[], answers?: readonly PersonAnswer[]): Promise<{ readonly code: number; readonly text: string }> {
  const terminal = recordedTerminal(answers);
  const code = await runCommandLine(args, terminal);
  const text = [terminal.written.out, terminal.written.err, ...terminal.asked.flatMap((asked) => [asked.text, ...asked.choices])].join(
    "\n",
  );
  const found = OBEYED.exec(text);
  expect(found === null ? "" : JSON.stringify(text.slice(Math.max(0, found.index - 60), found.index + 20)), args.join(" ")).toBe("");
  return { code, text };
}

const at = (name: string): string => join(home, "all", name);

describe("S11: no command writes what a terminal obeys", () => {
  test.each([[[]], [["--json"]]])("about a workflow that runs %j", async (json) => {
    const { code, text } = await call(["run", at("good.yaml"), ...store, ...json]);
    expect(code, text).toBe(3);
    const id = /run_[a-z0-9]+/.exec(text)![0];
    await call(["show", id, ...store, ...json]);
    await call(["runs", ...store, ...json]);
    await call(["info", at("good.yaml"), ...json]);
    await call(["list", join(home, "all"), ...json]);
    const file = join(home, "answers.json");
    writeFileSync(file, JSON.stringify({ choose: "zzz\u001b[2J", "\u001b[31m": 1 }));
    expect((await call(["resume", id, ...store, "--answers", file, ...json])).code).toBe(3);
    writeFileSync(file, JSON.stringify({ choose: "1", form: { n: "\u001b[2J", "\u001b[3J": 2 } }));
    expect((await call(["resume", id, ...store, "--answers", file, ...json])).code).toBe(3);
  });

  test("that asks a person", async () => {
    const { code, text } = await call(["run", at("good.yaml"), ...store], [0, 0]);
    expect(code, text).toBe(1);
    expect(text).toContain("TEMPLATE_INVALID");
  });

  test("that runs a program which writes such things", async () => {
    expect((await call(["run", at("writes.yaml"), "--allow-shell", home, ...store])).code).toBe(1);
  });

  test.each(MISTAKES.map((_, i) => i))("about mistake %i", async (i) => {
    const path = at(`bad-${i}.yaml`);
    for (const json of [[], ["--json"]]) {
      await call(["validate", path, ...json]);
      await call(["info", path, ...json]);
      expect((await call(["run", path, ...store, ...json])).code).not.toBe(0);
    }
    await call(["graph", path]);
  });

  test("about arguments that are none", async () => {
    const odd = "\u001b[2J";
    for (const args of [[odd], ["show", odd], ["resume", odd], ["info", odd], ["run", at("good.yaml"), "--input", `${odd}=1`]]) {
      expect((await call([...args, ...(args.length > 1 && args[0] !== "info" ? store : [])])).code).toBe(2);
    }
  });

  test.each(["text", "mermaid", "svg"])("in a drawing as %s", async (format) => {
    expect((await call(["graph", at("good.yaml"), "--format", format])).code).toBe(0);
  });
});
