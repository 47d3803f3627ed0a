import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommandLine } from "../../../src/node/cli/command-line.ts";
import type { PersonAnswer } from "../../../src/node/cli/terminal.ts";
import { recordedTerminal } from "./recorded-terminal.ts";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "wavepoint-grants-"));
  mkdirSync(join(home, "work"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const BLOCKS = {
  files: "{ id: keep, type: CreateFile, inputs: { path: out/note.txt, content: hello } }",
  shell: '{ id: build, type: Shell, inputs: { command: \'printf one; echo " two"; printf "three\\n\\033[31mred"; echo four >&2\' } }',
};

async function run(block: string, options: readonly string[] = [], answers?: readonly PersonAnswer[]) {
  writeFileSync(join(home, "flow.yaml"), `name: flow\nblocks:\n  - ${block}\n`);
  const terminal = recordedTerminal(answers);
  const code = await runCommandLine(["run", join(home, "flow.yaml"), "--store", join(home, "work/runs"), ...options], terminal);
  return { code, asked: terminal.asked, ...terminal.written };
}

describe("a workflow that needs what was not allowed", () => {
  test.each([
    ["files", "--allow-files DIR"],
    ["shell", "--allow-shell DIR"],
  ] as const)("is not started, and the option for %s is named", async (kind, option) => {
    const { code, err } = await run(BLOCKS[kind]);
    expect(code).toBe(2);
    expect(err).toContain("error[CAPABILITY_MISSING]");
    expect(err).toContain(`needs what was not allowed. If you trust the workflow, add ${option}.`);
    expect(err).toContain("flow.yaml:3:");
    expect(err).not.toContain("createExecutor");
    expect(readdirSync(join(home, "work"))).not.toContain("out");
  });

  test("is not started either where a workflow it calls needs it", async () => {
    writeFileSync(join(home, "inner.yaml"), `name: inner\nblocks:\n  - ${BLOCKS.files}\n`);
    const { code, err } = await run("{ id: call, type: ExecuteWorkflow, inputs: { workflow: inner } }");
    expect(code).toBe(2);
    expect(err).toContain("inner.yaml:3:");
    expect(err).toContain("add --allow-files DIR.");
    expect(err).not.toContain("Run run_");
  });

  test("gets the refusal as JSON where a program asks", async () => {
    const { out } = await run(BLOCKS.shell, ["--json"]);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "CAPABILITY_MISSING", details: { capability: "shell", block: "build" } } });
  });
});

test("--allow-files lets blocks write below a directory, and not where runs are kept", async () => {
  const allowed = ["--allow-files", join(home, "work")];
  expect(await run(BLOCKS.files, allowed)).toMatchObject({ code: 0 });
  expect(readFileSync(join(home, "work/out/note.txt"), "utf8")).toBe("hello");
  const { code, err } = await run(BLOCKS.files.replace("out/", "runs/"), allowed);
  expect(code).toBe(1);
  expect(err).toContain("error[PATH_FORBIDDEN]");
  expect(existsSync(join(home, "work/runs/note.txt"))).toBe(false);
});

test.skipIf(process.platform === "win32")("--allow-shell lets blocks run commands, and shows what these write, line by line", async () => {
  const { code, err } = await run(BLOCKS.shell, ["--allow-shell", join(home, "work")]);
  expect(code).toBe(0);
  expect(err).toContain("  build │ one two\n");
  expect(err).toContain("  build │ three\n");
  expect(err).toContain("  build │ four\n");
  expect(err).toContain("  build │ [31mred\n");
  expect(err).not.toContain("\u001b");
  expect(err.indexOf("red")).toBeLessThan(err.indexOf("✓ build"));
});

test("--allow-host lets blocks ask hosts", async () => {
  const server = createServer((_, response) => response.end("pong"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const block = `{ id: ask, type: HttpCall, inputs: { url: "http://${host}/" } }`;
  expect(await run(block, ["--allow-host", host])).toMatchObject({ code: 0 });
  expect(await run(block, ["--allow-host", "example.com"])).toMatchObject({ code: 1 });
  server.close();
});

test.skipIf(process.platform === "win32")("the command to go on with repeats what was allowed", async () => {
  const { code, err } = await run(BLOCKS.shell.replace("'printf one", "'exit 3; printf"), ["--allow-shell", join(home, "work")]);
  expect(code).toBe(1);
  expect(err).toMatch(/wavepoint resume run_\S+ --store \S+ --allow-shell \S+\/work\n/);
});

describe.skipIf(process.platform === "win32")("secrets", () => {
  const TOKEN = "a-canary-in-a-mine";
  const block =
    "{ id: build, type: Shell, inputs: { command: 'test \"$TOKEN\" = a-canary-in-a-mine', env: { TOKEN: '${secrets.BUILD_TOKEN}' } } }";
  const allowed = () => ["--allow-shell", join(home, "work")];

  afterEach(() => {
    delete process.env["WAVEPOINT_SECRET_BUILD_TOKEN"];
  });

  test("come from the environment", async () => {
    process.env["WAVEPOINT_SECRET_BUILD_TOKEN"] = TOKEN;
    const { code, asked } = await run(block, allowed(), []);
    expect([code, asked]).toEqual([0, []]);
  });

  test("are asked for once where a person sits at the terminal", async () => {
    const { code, asked, out, err } = await run(`${block}\n  - ${block.replace("build", "again")}`, allowed(), [TOKEN]);
    expect(asked).toEqual([{ kind: "secret", text: "The workflow needs the secret BUILD_TOKEN", choices: [] }]);
    expect(code).toBe(0);
    expect(out + err).not.toContain(TOKEN);
  });

  test("that are missing are named, with the variable to set", async () => {
    const { code, err } = await run(block, allowed());
    expect(code).toBe(2);
    expect(err).toContain("error[SECRET_MISSING] The run needs secrets. Set WAVEPOINT_SECRET_BUILD_TOKEN in the environment.");
  });

  test("of inputs come from the same places", async () => {
    const withInput = `${block.replace("secrets.BUILD_TOKEN", "inputs.BUILD_TOKEN")}\ninputs: { BUILD_TOKEN: { type: string, secret: true } }`;
    expect((await run(withInput, allowed(), [TOKEN])).code).toBe(0);
    const { code, err } = await run(withInput, allowed());
    expect(code).toBe(2);
    expect(err).toContain("error[SECRET_MISSING] The run needs secrets. Set WAVEPOINT_SECRET_BUILD_TOKEN in the environment.");
    process.env["WAVEPOINT_SECRET_BUILD_TOKEN"] = TOKEN;
    expect((await run(withInput, allowed())).code).toBe(0);
  });
});
