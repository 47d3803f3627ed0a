import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadDirectories } from "wavepoint/node";
import { createRegistry, type DuplicateOptions } from "wavepoint/registry";

const echo = (name: string, version = "1") =>
  `name: ${name}\nversion: "${version}"\nblocks:\n  - { id: a, type: EchoBlock, inputs: { message: hi } }\n`;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wavepoint-directories-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), content);
}

async function load(directories: readonly string[], options: DuplicateOptions = {}) {
  const registry = createRegistry();
  const report = await loadDirectories(
    registry,
    directories.map((directory) => join(home, directory)),
    options,
  );
  const failed = report.failed.map(({ source, problems }) => [source!.slice(home.length + 1), problems[0]!.code]);
  return { report, failed, names: registry.list().map(({ name }) => name), registry };
}

test("reads the workflows of a directory and of the folders in it, in the order of their paths", async () => {
  write("flows/b.yaml", echo("b"));
  write("flows/a/z.yml", echo("z"));
  write("flows/a.yaml", echo("a"));
  write("flows/notes.txt", "no workflow");
  write("flows/.hidden.yaml", echo("hidden"));
  write("flows/.git/c.yaml", echo("git"));
  write("flows/node_modules/x/d.yaml", echo("module"));
  const { report, names } = await load(["flows"]);
  expect(names).toEqual(["a", "b", "z"]);
  expect(report.loaded.map(({ source }) => source)).toEqual(["a/z.yml", "a.yaml", "b.yaml"].map((path) => join(home, "flows", path)));
  expect(report.failed).toEqual([]);
});

describe("several directories", () => {
  beforeEach(() => {
    write("own/deploy.yaml", echo("deploy", "own"));
    write("common/deploy.yaml", echo("deploy", "common"));
    write("common/test.yaml", echo("test", "common"));
  });

  test("have the priority of their order", async () => {
    const { report, registry } = await load(["own", "common"]);
    expect(registry.info("deploy")).toMatchObject({ version: "own", source: join(home, "own/deploy.yaml") });
    expect(registry.info("test").version).toBe("common");
    expect(report.skipped).toMatchObject([{ source: join(home, "common/deploy.yaml"), other: join(home, "own/deploy.yaml") }]);
  });

  test("or that of the reverse order, where later ones overwrite", async () => {
    const { report, registry } = await load(["own", "common"], { onDuplicate: "overwrite" });
    expect(registry.info("deploy").version).toBe("common");
    expect(report.overwritten).toHaveLength(1);
  });

  test("may not share a name where that is an error", async () => {
    const { failed, registry } = await load(["own", "common"], { onDuplicate: "error" });
    expect(failed).toEqual([["common/deploy.yaml", "WORKFLOW_DUPLICATE"]]);
    expect(registry.info("deploy").version).toBe("own");
  });
});

test("what cannot be read or is broken is reported, and the rest is loaded", async () => {
  write("flows/good.yaml", echo("good"));
  write("flows/broken.yaml", "name: [");
  write("flows/bytes.yaml", new Uint8Array([0xff, 0xfe, 0x00]));
  write("flows/huge.yaml", `# ${"x".repeat(3_000_000)}`);
  write("flows/long.yaml", `${echo("long")}# ${"x".repeat(300_000)}`);
  const { failed, names } = await load(["missing", "flows", "flows/good.yaml"]);
  expect(names).toEqual(["good"]);
  expect(failed).toEqual([
    ["missing", "FILE_MISSING"],
    ["flows/broken.yaml", "YAML_SYNTAX"],
    ["flows/bytes.yaml", "FILE_ENCODING"],
    ["flows/huge.yaml", "FILE_REFUSED"],
    ["flows/long.yaml", "LIMIT_EXCEEDED"],
    ["flows/good.yaml", "FILE_REFUSED"],
  ]);
});

test("a call of what cannot be read says why it is not there", async () => {
  write("flows/caller.yaml", "name: caller\nblocks:\n  - { id: go, type: ExecuteWorkflow, inputs: { workflow: bytes } }\n");
  write("flows/bytes.yaml", new Uint8Array([0xff, 0xfe, 0x00]));
  const { registry } = await load(["flows"]);
  expect((await registry.check()).map(({ message }) => message)).toEqual([
    expect.stringMatching(/calls the workflow "bytes", which did not load\. .*flows.bytes\.yaml: This is no text in UTF-8\./),
  ]);
});

test("no link leads out of a directory, or round in it", async () => {
  write("outside/secret.yaml", echo("secret"));
  write("flows/a.yaml", echo("a"));
  symlinkSync(join(home, "outside"), join(home, "flows/away"));
  symlinkSync(join(home, "outside/secret.yaml"), join(home, "flows/link.yaml"));
  symlinkSync(join(home, "flows"), join(home, "flows/round"));
  const { failed, names } = await load(["flows"]);
  expect(names).toEqual(["a"]);
  expect(failed).toEqual([["flows/link.yaml", "FILE_REFUSED"]]);
});

test.skipIf(process.platform === "win32")("what is no file is not waited for", async () => {
  write("flows/a.yaml", echo("a"));
  execFileSync("mkfifo", [join(home, "flows/pipe.yaml")]);
  const { failed, names } = await load(["flows"]);
  expect(names).toEqual(["a"]);
  expect(failed).toEqual([["flows/pipe.yaml", "FILE_REFUSED"]]);
});

test("too many files are read up to the limit", async () => {
  mkdirSync(join(home, "flows"));
  for (let i = 0; i < 1_002; i++) writeFileSync(join(home, "flows", `${String(i).padStart(5, "0")}.yaml`), `name: w${i}\nblocks: []\n`);
  const { failed, names } = await load(["flows"]);
  expect(names).toHaveLength(1_000);
  expect(failed).toEqual([["flows", "LIMIT_EXCEEDED"]]);
});

test("an abort ends the loading", async () => {
  write("flows/a.yaml", echo("a"));
  const loading = loadDirectories(createRegistry(), [join(home, "flows")], { signal: AbortSignal.abort() });
  await expect(loading).rejects.toMatchObject({ code: "ABORTED" });
});
