import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createExecutor } from "wavepoint";
import type { RunResult, Values } from "wavepoint";
import { nodeFiles } from "wavepoint/node";
import type { NodeFilesOptions } from "wavepoint/node";
import { filesystemStore } from "wavepoint/store/filesystem";
import { memoryStore } from "wavepoint/store/memory";
import { loadWorkflow } from "wavepoint/yaml";
import { temporaryFolder } from "./temporary-folder.ts";

async function run(text: string, files: NodeFilesOptions, inputs: Values = {}): Promise<RunResult> {
  const workflow = loadWorkflow(text);
  const executor = createExecutor({ store: memoryStore(), workflows: [workflow], grants: { files: nodeFiles(files) } });
  return (await executor.start(workflow.name, inputs)).settled();
}

const REPORT = `
name: report
inputs:
  title: { type: string }
blocks:
  - id: draft
    type: CreateFile
    inputs: { path: "out/report.md", content: "# \${inputs.title}\\n\\nTODO\\n", permissions: "0640" }
  - id: fill
    type: EditFile
    depends_on: [draft]
    inputs:
      path: \${blocks.draft.outputs.file_path}
      edits: [{ find: TODO, replace: "All is well." }]
  - id: read
    type: ReadFile
    depends_on: [fill]
    inputs: { path: "\${blocks.draft.outputs.path}" }
  - id: count
    type: MergeState
    depends_on: [read]
    inputs: { path: state/reports.json, updates: { last: { title: "\${inputs.title}", bytes: "\${blocks.read.outputs.size_bytes}" } } }
  - id: state
    type: ReadState
    depends_on: [count]
    inputs: { path: state/reports.json }
outputs:
  text: \${blocks.read.outputs.content}
  changed: \${blocks.fill.outputs.changed}
  state: \${blocks.state.outputs.data}
`;

describe("a workflow with files", () => {
  test("writes, edits, reads and remembers below the root", async () => {
    const root = temporaryFolder();
    expect(await run(REPORT, { root }, { title: "Größe" })).toMatchObject({
      status: "success",
      outputs: { text: "# Größe\n\nAll is well.\n", changed: true, state: { last: { title: "Größe", bytes: 24 } } },
    });
    expect(readFileSync(join(root, "out/report.md"), "utf8")).toBe("# Größe\n\nAll is well.\n");
    expect(statSync(join(root, "out/report.md")).mode & 0o777).toBe(0o640);
    expect(readdirSync(root).toSorted()).toEqual(["out", "state"]);
    expect(await run(REPORT, { root }, { title: "Again" })).toMatchObject({ status: "failure", error: { code: "FILE_EXISTS" } });
  });

  test("takes a path from data no further than the root", async () => {
    const root = temporaryFolder();
    const text = "name: reader\ninputs: { path: string }\nblocks:\n  - { id: a, type: ReadFile, inputs: { path: '${inputs.path}' } }\n";
    const flow = text.replace("path: string", "path: { type: string }");
    for (const path of ["../secret", "/etc/passwd", "a/../../b", "C:\\x"]) {
      expect(await run(flow, { root }, { path })).toMatchObject({ status: "failure", error: { code: "PATH_FORBIDDEN" } });
    }
  });

  test("loses no update of twenty blocks that change one document in one wave", async () => {
    const root = temporaryFolder();
    const blocks = Array.from(
      { length: 20 },
      (_, i) => `  - { id: b${i}, type: MergeState, inputs: { path: s.json, updates: { b${i}: ${i} } } }`,
    );
    expect(await run(`name: many\nblocks:\n${blocks.join("\n")}\n`, { root })).toHaveProperty("status", "success");
    expect(Object.keys(JSON.parse(readFileSync(join(root, "s.json"), "utf8")) as object)).toHaveLength(20);
  });

  test("is refused where the host grants no files", async () => {
    const executor = createExecutor({ store: memoryStore() });
    await expect(executor.load(loadWorkflow(REPORT))).rejects.toMatchObject({ code: "CAPABILITY_MISSING" });
  });

  test("keeps its hands off the store that its own run is kept in", async () => {
    const root = temporaryFolder();
    const store = filesystemStore(join(root, "runs"));
    const workflow = loadWorkflow(
      "name: nosy\nblocks:\n  - { id: a, type: CreateFile, continue_on_error: true, inputs: { path: runs/x, content: x } }\n  - { id: b, type: ReadFile, depends_on: [a], inputs: { path: runs/x } }\n",
    );
    const executor = createExecutor({ store, workflows: [workflow], grants: { files: nodeFiles({ root, reserved: ["runs"] }) } });
    expect(await (await executor.start("nosy")).settled()).toMatchObject({ status: "failure", error: { code: "PATH_FORBIDDEN" } });
    await executor.close();
    await store.close();
    expect(readdirSync(join(root, "runs"))).not.toContain("x");
  });
});

describe("a hostile workflow", () => {
  const hostile = (name: string): string => readFileSync(new URL(`../../corpus/hostile/workflows/${name}.yaml`, import.meta.url), "utf8");

  test("cannot read a sibling of the root, whether the host trusts it or not", async () => {
    const root = join(temporaryFolder(), "app");
    mkdirSync(root);
    mkdirSync(`${root}-secrets`);
    writeFileSync(`${root}-secrets/key`, "secret");
    for (const unsafe of [false, true]) {
      const result = await run(hostile("F03-prefix-sibling"), { root, unsafe });
      expect(result).toMatchObject({ status: "failure", error: { code: "PATH_FORBIDDEN" } });
    }
  });

  test("does not wait for a pipe", async () => {
    const root = temporaryFolder();
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await run(hostile("F05-fifo"), { root })).toMatchObject({ status: "failure", error: { code: "FILE_REFUSED" } });
  });

  test("reads no device and no environment", async () => {
    const root = temporaryFolder();
    expect(await run(hostile("F06-dev-zero"), { root })).toMatchObject({ status: "failure", error: { code: "PATH_FORBIDDEN" } });
    const trusted = await run(hostile("F06-dev-zero"), { root, unsafe: true });
    expect(trusted).toMatchObject({ status: "failure", error: { code: "FILE_REFUSED" } });
  });

  test("gives no one more rights than a file can have", async () => {
    const root = temporaryFolder();
    await expect(run(hostile("F08-permissions"), { root })).rejects.toMatchObject({ code: "BLOCK_INPUT_INVALID" });
    expect(readdirSync(root)).toEqual([]);
  });

  test("writes no hooks and no runs", async () => {
    const root = temporaryFolder();
    expect(await run(hostile("F09-write-engine-files"), { root })).toMatchObject({ status: "failure", error: { code: "PATH_FORBIDDEN" } });
    expect(readdirSync(root)).toEqual([]);
  });

  test("gets no text out of what is none", async () => {
    const root = temporaryFolder();
    writeFileSync(join(root, "bin.dat"), Uint8Array.of(0xff, 0xfe, 0, 0xc3, 0x28));
    expect(await run(hostile("F10-encoding"), { root })).toMatchObject({ status: "failure", error: { code: "FILE_ENCODING" } });
  });
});
