import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wavepoint-types-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

async function types(...args: readonly string[]) {
  const terminal = recordedTerminal();
  const code = await runCommandLine(["types", ...args], terminal);
  return { code, ...terminal.written };
}

function write(name: string, text: string): string {
  writeFileSync(join(home, name), text);
  return join(home, name);
}

const ask = (name: string, prompt: string) => `name: ${name}\nblocks:\n  - { id: ask, type: GetInput, inputs: { prompt: ${prompt} } }\n`;

test("declarations hold each definition as a type, in the order of the names", async () => {
  const second = write("b.yaml", ask("trip-2", '"*/ `Where`?"'));
  const first = write("a.yaml", ask("a", "Who?"));
  expect(await types(second, first)).toEqual({
    code: 0,
    err: "",
    out: `// Written by "wavepoint types". Do not edit.
export {};

declare module "wavepoint" {
  interface KnownWorkflows {
    readonly "a": {
      readonly name: "a";
      readonly blocks: readonly [ { readonly id: "ask"; readonly type: "GetInput"; readonly inputs: { readonly prompt: "Who?" } } ];
    };
    readonly "trip-2": {
      readonly name: "trip-2";
      readonly blocks: readonly [
        { readonly id: "ask"; readonly type: "GetInput"; readonly inputs: { readonly prompt: "*/ \`Where\`?" } },
      ];
    };
  }
}
`,
  });
  expect((await types(first, second)).out).toBe((await types(second, first)).out);
});

test("they are written to the file that is named", async () => {
  const output = join(home, "workflows.d.ts");
  expect(await types(write("a.yaml", ask("a", "Who?")), "--output", output)).toMatchObject({ code: 0, out: "", err: `Wrote ${output}.\n` });
  expect(readFileSync(output, "utf8")).toContain('readonly "a": {');
});

test("files of cases are left out, so that all files of a folder can be named", async () => {
  const trip = write("trip.yaml", ask("trip", "Where?"));
  const alone = await types(trip);
  expect(await types(write("trip.cases.yaml", "cases: []\n"), trip)).toEqual(alone);
  expect(alone.code).toBe(0);
});

test("a file that is wrong, and a name that stands twice, are refused", async () => {
  const good = write("a.yaml", ask("a", "Who?"));
  expect(await types(good, write("broken.yaml", "name: ["))).toMatchObject({ code: 2, out: "" });
  const twice = await types(good, write("other.yaml", ask("a", "Where?")));
  expect(twice).toMatchObject({ code: 2, out: "" });
  expect(twice.err).toContain('Two of these files hold a workflow named "a".');
});
