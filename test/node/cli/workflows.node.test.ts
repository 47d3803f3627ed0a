import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createExecutor, defineBlock, success } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { filesystemStore } from "wavepoint/store/filesystem";
import { workflowSchema } from "wavepoint/yaml";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wavepoint-workflows-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

async function call(...args: readonly string[]) {
  const terminal = recordedTerminal();
  const code = await runCommandLine(args, terminal);
  const { out, err } = terminal.written;
  return { code, out: out.replaceAll(`${home}/`, ""), err: err.replaceAll(`${home}/`, ""), json: () => JSON.parse(out) as unknown };
}

const echo = (name: string, more = "") => `name: ${name}\n${more}blocks:\n  - { id: a, type: EchoBlock, inputs: { message: hi } }\n`;

const REVIEW = `name: review
description: "Looks at a text.\\u001b[2J"
version: "3"
author: Ada
tags: [text, people]
inputs:
  text: { type: string, description: What to read }
  strict: { type: bool, default: false }
blocks:
  - { id: read, type: EchoBlock, inputs: { message: "\${inputs.text}" } }
  - id: judge
    type: ConfirmOperation
    description: A person decides
    depends_on: [{ block: read, required: false }]
    condition: \${inputs.strict}
    inputs: { message: Good? }
outputs:
  good: { value: "\${blocks.judge.confirmed}", type: bool }
`;

describe("list", () => {
  beforeEach(() => {
    write("own/review.yaml", REVIEW);
    write("own/deep/down/b.yml", echo("b", "tags: [text]\n"));
    write("own/broken.yaml", "name: [");
    write("common/review.yaml", echo("review"));
  });

  test("shows the workflows of directories, the first before the next, and names what is left out", async () => {
    const { code, out, err } = await call("list", join(home, "own"), join(home, "common"));
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual([
      "NAME    BLOCKS  WAVES  TAGS",
      "b       1       1      text",
      "review  2       2      text, people  Looks at a text.[2J",
      "",
    ]);
    expect(err).toContain('common/review.yaml is left out: own/review.yaml has priority as "review".\n');
    expect(err).toMatch(/own\/broken\.yaml:\d+:\d+ is left out: (?!Line)/);
  });

  test("keeps to those that have all the tags", async () => {
    const { out } = await call("list", join(home, "own"), "--tag", "text", "--tag", "people");
    expect(out).toContain("review");
    expect(out).not.toMatch(/^b /m);
  });

  test("gives programs the same as JSON", async () => {
    const { json } = await call("list", join(home, "own"), "--json");
    expect(json()).toMatchObject({
      workflows: [
        { name: "b", totalBlocks: 1 },
        { name: "review", version: "3", tags: ["text", "people"], source: join(home, "own/review.yaml") },
      ],
      skipped: [],
      failed: [{ source: join(home, "own/broken.yaml"), problems: [{ code: "YAML_SYNTAX" }] }],
    });
  });

  test("of what is not there is an error", async () => {
    const { code, err } = await call("list", join(home, "nowhere"));
    expect(code).toBe(2);
    expect(err).toContain("There is no such directory.");
  });
});

describe("info", () => {
  const told = [
    "review 3",
    "Looks at a text.[2J",
    "by Ada",
    "tags: text, people",
    "in review.yaml",
    "",
    "Inputs",
    "  text    string   required       What to read",
    "  strict  boolean  default false",
    "",
    "Wave 1 of 2",
    "  read (EchoBlock)",
    "",
    "Wave 2 of 2",
    "  judge (ConfirmOperation)",
    "    A person decides",
    "    after read?",
    "    if ${inputs.strict}",
    "",
    "Outputs",
    "  good  boolean  ${blocks.judge.confirmed}",
    "",
  ];

  beforeEach(() => write("review.yaml", REVIEW));

  test("tells all about a file", async () => {
    const { code, out } = await call("info", join(home, "review.yaml"));
    expect(code).toBe(0);
    expect(out.split("\n")).toEqual(told);
  });

  test("finds a workflow by its name", async () => {
    const { out } = await call("info", "review", "--workflows", home);
    expect(out.split("\n")).toEqual(told);
  });

  test("gives programs the same as JSON", async () => {
    const { json } = await call("info", "review", "--workflows", home, "--json");
    expect(json()).toMatchObject({
      name: "review",
      waves: [["read"], ["judge"]],
      inputs: [{ name: "text", required: true }, { name: "strict" }],
    });
  });

  test("says which name was meant, and what is broken there", async () => {
    write("broken.yaml", "name: 5");
    const { code, err } = await call("info", "reviw", "--workflows", home);
    expect(code).toBe(2);
    expect(err).toContain('There is no workflow "reviw". Did you mean "review"?');
    expect(err).toContain("broken.yaml:1:1 is left out:");
  });
});

describe("validate of a directory", () => {
  test("checks all workflows of it, and what they call", async () => {
    write("flows/a.yaml", "name: a\nblocks:\n  - { id: go, type: ExecuteWorkflow, inputs: { workflow: bb } }\n");
    write("flows/deep/b.yaml", "name: b\nblocks:\n  - { id: go, type: ExecuteWorkflow, inputs: { workflow: b } }\n");
    write("flows/good.yaml", echo("good"));
    write("flows/pattern.yaml", 'name: p\nblocks:\n  - { id: a, type: GetInput, inputs: { prompt: p, validation_pattern: "(" } }\n');
    write("flows/second.yaml", echo("good"));
    const { code, out } = await call("validate", join(home, "flows"));
    expect(code).toBe(2);
    expect(out).toContain("flows/a.yaml:3:58 error[WORKFLOW_NOT_FOUND]");
    expect(out).toContain("flows/deep/b.yaml:3:58 error[WORKFLOW_CIRCULAR]");
    expect(out).toContain("flows/good.yaml: no problems\n");
    expect(out).toContain("flows/pattern.yaml:3:71 error[PATTERN_INVALID]");
    expect(out).toContain("flows/second.yaml:1:7 error[WORKFLOW_DUPLICATE]");
    expect(out).toContain("5 files, 4 of them with errors\n");
  });

  test("takes a workflow with nothing but a warning of a block type", async () => {
    write("flows/b.yaml", "name: b\nblocks:\n  - { id: a, type: GetInput, inputs: { prompt: p, validation_pattern: '\\bx' } }\n");
    const { code, out } = await call("validate", join(home, "flows"));
    expect(out).toContain("flows/b.yaml:3:71 warning[TEXT_MISLEADING]");
    expect(code).toBe(0);
  });

  test("says of what is called and did not load why it did not", async () => {
    write("flows/a.yaml", "name: a\nblocks:\n  - { id: go, type: ExecuteWorkflow, inputs: { workflow: torn } }\n");
    write("flows/torn.yaml", "name: torn\nblocks: [\n");
    const { out } = await call("validate", join(home, "flows"));
    expect(out).toMatch(
      /a\.yaml:3:58 error\[WORKFLOW_NOT_FOUND\]\n {2}.* "torn", which did not load\. .*torn\.yaml:3:1: This is not valid YAML/,
    );
    const { err } = await call("run", join(home, "flows/a.yaml"), "--store", "memory:");
    expect(err).toMatch(/torn\.yaml:3:1 is left out: This is not valid YAML/);
    expect(err).toMatch(/The workflow "torn" did not load\. .*torn\.yaml:3:1: This is not valid YAML/);
  });

  test("says the place of a mistake in the YAML once", async () => {
    write("flows/torn.yaml", "name: w\nblocks: [\n");
    const { out } = await call("validate", join(home, "flows"));
    expect(out).toMatch(/flows\/torn\.yaml:3:1 error\[YAML_SYNTAX\]\n {2}This is not valid YAML\./);
    expect((await call("validate", join(home, "flows/torn.yaml"), "--json")).out).toContain("Line 3, column 1: This is not valid YAML.");
  });

  test("lets a file that stands alone call what lies elsewhere", async () => {
    write("a.yaml", "name: a\nblocks:\n  - { id: go, type: ExecuteWorkflow, inputs: { workflow: elsewhere } }\n");
    expect(await call("validate", join(home, "a.yaml"))).toMatchObject({ code: 0 });
  });

  test("takes workflows that need what a run must be allowed", async () => {
    write("fetch.yaml", "name: fetch\nblocks:\n  - { id: a, type: HttpCall, inputs: { url: https://example.com } }\n");
    expect(await call("validate", join(home, "fetch.yaml"))).toMatchObject({ code: 0 });
  });
});

describe("graph", () => {
  beforeEach(() => write("review.yaml", REVIEW));

  test("shows waves as text, for Mermaid and as a picture", async () => {
    expect((await call("graph", join(home, "review.yaml"))).out).toContain("Wave 2\n  judge (ConfirmOperation)\n    after read?\n");
    expect((await call("graph", join(home, "review.yaml"), "--format", "mermaid")).out).toContain("b0 -.-> b1");
    expect((await call("graph", join(home, "review.yaml"), "--format", "svg")).out).toMatch(/^<svg .*<\/svg>\n$/s);
  });

  test("writes to a file, in the format of its name", async () => {
    const { out, err } = await call("graph", join(home, "review.yaml"), "--output", join(home, "review.svg"));
    expect([out, err]).toEqual(["", "Wrote review.svg.\n"]);
    expect(readFileSync(join(home, "review.svg"), "utf8")).toMatch(/^<svg /);
  });

  test("of a run shows the blocks that were added to it", async () => {
    const adds = defineBlock({
      type: "Adds",
      execute({ add }) {
        add({ id: "more", type: "EchoBlock", inputs: { message: "x" } });
        return success({});
      },
    });
    const store = filesystemStore(join(home, "store"));
    const executor = createExecutor({ store, blocks: [...builtinBlocks, adds] });
    const run = await executor.start({ name: "grows", blocks: [{ id: "plan", type: "Adds" }] });
    await run.settled();
    await executor.close();
    await store.close();
    const { code, out } = await call("graph", run.id, "--store", join(home, "store"));
    expect([code, out]).toEqual([0, expect.stringContaining("Wave 2\n  more (EchoBlock)\n    after plan\n")]);
    expect((await call("graph", "run_none", "--store", join(home, "store"))).err).toContain("RUN_NOT_FOUND");
  });

  test("of a broken file says what is wrong", async () => {
    write("broken.yaml", "name: 5");
    const { code, err } = await call("graph", join(home, "broken.yaml"));
    expect(code).toBe(2);
    expect(err).toContain("error[SCHEMA_INVALID]");
  });
});

test("schema prints the schema of workflow files", async () => {
  const { code, json } = await call("schema");
  expect(code).toBe(0);
  expect(json()).toEqual(workflowSchema(builtinBlocks));
});
