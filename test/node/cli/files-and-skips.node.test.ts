import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import type { PersonAnswer } from "../../../src/node/cli/terminal.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let directory: string;
const at = (name: string): string => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-files-"));
  writeFileSync(
    at("claim.yaml"),
    `name: claim
blocks:
  - id: bill
    type: Form
    inputs:
      prompt: Your bill, please.
      fields:
        - { name: scan, type: file, title: The scan, accept: "image/png", max_bytes: 20 }
        - { name: amount, type: integer }
  - { id: note, type: GetInput, depends_on: [bill], skippable: true, inputs: { prompt: Anything else? } }
outputs: { name: "\${blocks.bill.scan.name}", size: "\${blocks.bill.scan.size}", amount: "\${blocks.bill.amount}", note: "\${blocks.note.input_value}" }
`,
  );
  writeFileSync(at("bill.png"), "a small picture");
  writeFileSync(at("wall.png"), "a picture that is much too large");
  writeFileSync(at("bill.txt"), "no picture");
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function call(args: readonly string[], answers?: readonly PersonAnswer[]) {
  const terminal = recordedTerminal(answers);
  const code = await runCommandLine([...args, "--store", at("store")], terminal);
  return { code, ...terminal.written, asked: terminal.asked };
}

const outputs = ({ out }: { readonly out: string }): unknown => (JSON.parse(out) as { readonly outputs: unknown }).outputs;

describe("a file as an answer", () => {
  test("is the path that a person types; one that cannot be read is asked for again", async () => {
    const typed = [at("gone.png"), at("wall.png"), directory, at("bill.png"), "12", 0, "No."];
    const { code, out, err, asked } = await call(["run", at("claim.yaml")], typed);
    expect(code).toBe(0);
    expect(asked[0]).toEqual({ kind: "text", text: "The scan (the path of a file)", choices: [] });
    expect(asked.slice(0, 4).map(({ text }) => text)).toEqual(Array.from({ length: 4 }, () => "The scan (the path of a file)"));
    for (const reason of ["there is none of this name", "at most 20 may be given", "it is no file"]) expect(err).toContain(reason);
    expect(out).toBe("name: bill.png\nsize: 15\namount: 12\nnote: No.\n");
  });

  test("of another type is refused at once, and asked for again", async () => {
    const { code, asked } = await call(["run", at("claim.yaml")], [at("bill.txt"), at("bill.png"), "12", 1]);
    expect(code).toBe(0);
    expect(asked.map(({ text }) => text.split(" (")[0])).toEqual(["The scan", "The scan", "amount", "Anything else?"]);
  });

  test("is a path among written answers, and one of the command line", async () => {
    writeFileSync(at("answers.json"), JSON.stringify({ bill: { scan: at("bill.png"), amount: 3 }, note: "Thanks" }));
    const written = await call(["run", at("claim.yaml"), "--answers", at("answers.json"), "--json"]);
    expect(outputs(written)).toEqual({ name: "bill.png", size: 15, amount: 3, note: "Thanks" });
    const { run } = JSON.parse((await call(["run", at("claim.yaml"), "--json"])).out) as { readonly run: string };
    const gone = await call(["resume", run, JSON.stringify({ scan: at("gone.png"), amount: 4 }), "--json"]);
    expect(gone.code).toBe(2);
    const told = await call(["resume", run, JSON.stringify({ scan: at("bill.png"), amount: 4 }), "--json"]);
    expect(told.code).toBe(3);
    expect(outputs(await call(["resume", run, "Bye", "--json"]))).toMatchObject({ name: "bill.png", amount: 4, note: "Bye" });
  });
});

describe("a question that may be left out", () => {
  const bill = { scan: "", amount: 3 };

  test("is left out by a person, by null among written answers, and by --skip", async () => {
    const typed = await call(["run", at("claim.yaml")], [at("bill.png"), "12", 1]);
    expect(typed.asked.at(-1)).toEqual({ kind: "choice", text: "Anything else?", choices: ["Answer it", "Leave it out"] });
    expect([typed.code, typed.out]).toEqual([0, "name: bill.png\nsize: 15\namount: 12\nnote: null\n"]);

    writeFileSync(at("short.json"), JSON.stringify([{ ...bill, scan: at("bill.png") }, null]));
    const written = await call(["run", at("claim.yaml"), "--answers", at("short.json"), "--json"]);
    expect([written.code, outputs(written)]).toEqual([0, { name: "bill.png", size: 15, amount: 3, note: null }]);

    writeFileSync(at("one.json"), JSON.stringify([{ ...bill, scan: at("bill.png") }]));
    const { out } = await call(["run", at("claim.yaml"), "--answers", at("one.json"), "--json"]);
    const { run, pauses } = JSON.parse(out) as { readonly run: string; readonly pauses: readonly { readonly id: string }[] };
    expect((await call(["resume", run, "Well", "--skip"])).code).toBe(2);
    expect((await call(["resume", pauses[0]!.id, "--skip", "--fork"])).code).toBe(2);
    expect((await call(["resume", run, "--skip"])).code).toBe(0);
  });

  test("and any other one can be declined; one that needs an answer is not left out", async () => {
    const { run } = JSON.parse((await call(["run", at("claim.yaml"), "--json"])).out) as { readonly run: string };
    const skipped = await call(["resume", run, "--skip"]);
    expect([skipped.code, skipped.err]).toEqual([3, expect.stringContaining("cannot be left out")]);
    const declined = await call(["resume", run, "--decline", "--json"]);
    expect(declined.code).toBe(1);
    expect(JSON.parse(declined.out)).toMatchObject({ status: "failed", error: { code: expect.stringMatching(/DECLINED|BLOCK_FAILED/) } });
  });
});
