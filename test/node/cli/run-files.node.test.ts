import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let directory: string;
const at = (name: string): string => join(directory, name);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "wavepoint-run-files-"));
  writeFileSync(
    at("letter.yaml"),
    `name: letter
blocks:
  - { id: text, type: CreateFile, inputs: { in: run, path: letter.txt, content: Dear Ada, media_type: text/plain } }
  - { id: bytes, type: CreateFile, inputs: { in: run, path: photo.bin, content: AAEC, encoding: base64 } }
`,
  );
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function call(args: readonly string[]) {
  const terminal = recordedTerminal([]);
  const code = await runCommandLine([...args, "--store", at("store")], terminal);
  return { code, ...terminal.written };
}

test("files of a run are listed, shown with it, and written to a folder", async () => {
  const { out: ran } = await call(["run", at("letter.yaml"), "--json"]);
  const { run } = JSON.parse(ran) as { readonly run: string };
  expect(await call(["files", run])).toMatchObject({
    code: 0,
    out: "letter.txt  8 B  text/plain  text\nphoto.bin   3 B              bytes\n",
  });
  expect(JSON.parse((await call(["files", run, "--json"])).out)).toMatchObject([
    { name: "letter.txt", hash: expect.stringMatching(/^\w{64}$/) },
    {},
  ]);
  expect((await call(["show", run])).out).toContain("letter.txt  8 B");
  const { code, err } = await call(["files", run, "--out", at("made/out")]);
  expect([code, err]).toEqual([0, expect.stringContaining("Wrote 2 files to")]);
  expect(readdirSync(at("made/out")).toSorted()).toEqual(["letter.txt", "photo.bin"]);
  expect(readFileSync(at("made/out/letter.txt"), "utf8")).toBe("Dear Ada");
  expect([...readFileSync(at("made/out/photo.bin"))]).toEqual([0, 1, 2]);
});

test("a folder that cannot be made, and a run that is not there, are said", async () => {
  const { out: ran } = await call(["run", at("letter.yaml"), "--json"]);
  const { run } = JSON.parse(ran) as { readonly run: string };
  const refused = await call(["files", run, "--out", at("letter.yaml")]);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("cannot be made")]);
  expect((await call(["files", "run_none"])).err).toContain("run_none");
});
