import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

const ORDER = `name: order
search: { plan: "\${inputs.plan}", seats: "\${inputs.seats}", zip: "\${inputs.zip}", paid: "\${blocks.paid.confirmed}" }
inputs: { plan: { type: string }, seats: { type: integer }, zip: { type: string } }
blocks:
  - { id: paid, type: ConfirmOperation, inputs: { message: Paid? } }
`;

describe.each(["files", "sqlite:runs.db"])("wavepoint runs --where on %s", (place) => {
  let directory: string;
  let store: string;
  const runs: string[] = [];

  async function call(...args: readonly string[]) {
    const terminal = recordedTerminal();
    const code = await runCommandLine([...args, "--store", store], terminal);
    return { code, ...terminal.written };
  }

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "wavepoint-where-"));
    store = place.replace(/[^:]+$/, (name) => join(directory, name));
    const file = join(directory, "order.yaml");
    writeFileSync(file, ORDER);
    for (const [plan, seats, zip] of [
      ["team", "2", "02134"],
      ["team", "7", "2134"],
      ["a=b c", "2", "x"],
    ] as const) {
      const started = await call("run", file, "--input", `plan=${plan}`, "--input", `seats=${seats}`, "--input", `zip=${zip}`, "--json");
      runs.push((JSON.parse(started.out) as { readonly run: string }).run);
    }
    await call("resume", `${runs[0]!.replace("run_", "pause_")}.0`, "yes");
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each([
    [["plan=team"], [0, 1]],
    [["seats=2"], [0, 2]],
    [["seats=2", "plan=team"], [0]],
    [['seats="2"'], []],
    [['zip="02134"'], [0]],
    // No number begins with a nought: it is a text without quotation marks.
    [["zip=02134"], [0]],
    [["zip=2134"], []],
    [["paid=true"], [0]],
    [["plan=a=b c"], [2]],
    [["none=1"], []],
  ])("%j", async (where, expected) => {
    const { code, out } = await call("runs", ...where.flatMap((one) => ["--where", one]), "--json");
    expect(code).toBe(0);
    expect((JSON.parse(out) as { runs: { id: string }[] }).runs.map(({ id }) => runs.indexOf(id))).toEqual(expected);
  });

  test("goes together with the other filters, and shows a table", async () => {
    const { out } = await call("runs", "--where", "plan=team", "--status", "paused", "--workflow", "order");
    expect(out).toContain(runs[1]);
    expect(out).not.toContain(runs[0]);
    expect((await call("runs", "--where", "plan=none")).err).toContain("No such runs");
  });

  test.each([["plan"], ["=team"], ["plan="]])("%s is no name with a value, and is refused", async (text) => {
    const { code, err } = await call("runs", "--where", text);
    expect([code, err]).toEqual([2, expect.stringContaining("NAME=VALUE")]);
  });
});
