import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import { ROOT } from "../../package/source-files.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

async function call(...args: readonly string[]) {
  const terminal = recordedTerminal();
  return { code: await runCommandLine(args, terminal), ...terminal.written };
}

const COMMANDS =
  "init dev run resume runs show signal stop cancel delete fork revise export import transfer cleanup metrics list info validate graph schema".split(
    " ",
  );
/** What they write is for programs as it is. */
const WITHOUT_JSON = ["init", "dev", "graph", "schema", "export", "transfer"];

test.each(["resume", "show", "cancel"])("%s says where the ids of runs are found, for who gave the name of a workflow", async (name) => {
  const { code, err } = await call(name, "visit", "--store", "memory:");
  expect(code).not.toBe(0);
  expect(err).toContain("RUN_NOT_FOUND");
  expect(err).toContain("See wavepoint runs");
});

describe("help", () => {
  test("lists every command and every exit code", async () => {
    const { code, out, err } = await call("--help");
    expect([code, err]).toEqual([0, ""]);
    for (const name of COMMANDS) expect(out).toContain(`\n  ${name} `);
    for (const exit of ["0", "1", "2", "3", "4", "130"]) expect(out).toContain(`\n  ${exit} `);
    expect(out).toContain(".wavepoint");
  });

  test.each(COMMANDS)("explains %s with its options and exit codes", async (name) => {
    const { code, out } = await call(name, "--help");
    expect(code).toBe(0);
    expect(out).toContain(`Usage: wavepoint ${name}`);
    expect(out.includes("--json")).toBe(!WITHOUT_JSON.includes(name));
    expect(out).toContain("Exit codes:");
    expect(out.split("\n").filter((line) => line.length > 100)).toEqual([]);
  });

  test("is what a call without a command gets, as an error", async () => {
    const { code, out, err } = await call();
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("Usage:");
  });
});

test("the version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")) as { readonly version: string };
  expect(await call("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
});

describe("wrong usage", () => {
  test.each([
    [["rum"], 'Did you mean "run"?'],
    [["run"], "FILE is missing. Usage: wavepoint run FILE"],
    [["validate"], "FILE_OR_DIR is missing. Usage:"],
    [["signal", "run_a"], "NAME is missing. Usage:"],
    [["resume"], "RUN_OR_CHECKPOINT is missing. wavepoint runs lists those that there are. Usage:"],
    [["run", "a", "b"], '"b" is one argument too many.'],
    [["run", "a", "--awnsers", "x"], 'There is no option --awnsers. Did you mean "answers"?'],
    [["run", "a", "--store"], "--store needs a value"],
    [["run", "a", "--store", "--answers"], "--store needs a value"],
    [["run", "a", "--json=yes"], "--json takes no value."],
    [["runs", "--limit", "3", "--limit", "4"], "--limit stands twice."],
    [["runs", "--limit", "0"], "--limit wants a number from 1 to 1000"],
    [["runs", "--status", "lost"], '"lost" is no status of a run.'],
    [["resume", "run_a", "-5"], 'An argument that starts with "-" stands after "--".'],
    [["resume", "run_a", "--allow-files", "no-such-directory"], "--allow-files no-such-directory: there is none of this name."],
    [["graph", "a", "--format", "png"], '"png" is no format of a graph. Use one of text, mermaid, svg.'],
    [["run", "no-such-file.yaml"], "no-such-file.yaml cannot be read: there is none of this name."],
    [["runs", "--store", "ftp://x"], "is no address of a store."],
    [["show", "no such run", "--store", "memory:"], "is not a valid key."],
    [["show", "run_x", "--store", "memory:"], "was not found."],
    [["resume", "pause_x.0", "yes", "--store", "memory:"], "was not found."],
  ])("%j is refused with the way to do it", async (args, message) => {
    const { code, out, err } = await call(...args);
    expect(err).toContain(message);
    expect([code, out]).toEqual([2, ""]);
  });

  test("is JSON where a program asks", async () => {
    const { code, out } = await call("rum", "--json");
    expect([code, JSON.parse(out)]).toMatchObject([2, { status: "error", error: { code: "COMMAND_INVALID" } }]);
  });
});
