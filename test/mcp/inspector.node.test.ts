import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildCommand, type BuiltCommand } from "../node/cli/built-command.ts";
import type { Answer } from "./clients.ts";

/** The Inspector's command line brings a hundred packages, and is fetched from the registry where it is run: in the long tier alone. */
const IS_LONG = process.env.WAVEPOINT_LONG !== undefined;
/** The last one that Node 20 runs. */
const INSPECTOR = "@modelcontextprotocol/inspector@1.0.3";

let command: BuiltCommand;

/** Has the Inspector do one thing with a server, and gives what it printed. */
function inspect(server: readonly string[], method: string, ...more: readonly string[]): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const args = ["--yes", INSPECTOR, "--cli", ...server, "--method", method, ...more];
    execFile("npx", args, { cwd: command.directory }, (error, out, err) => {
      if (error) reject(new Error(`${out}${err}`));
      else resolve(JSON.parse(out.slice(out.indexOf("{"))) as Record<string, unknown>);
    });
  });
}

async function useTool(server: readonly string[], name: string, ...given: readonly string[]): Promise<Answer> {
  const said = await inspect(server, "tools/call", "--tool-name", name, ...given.flatMap((one) => ["--tool-arg", one]));
  return said["structuredContent"] as Answer;
}

async function workThrough(server: readonly string[]): Promise<void> {
  const { tools } = await inspect(server, "tools/list");
  expect((tools as readonly { readonly name: string }[]).map(({ name }) => name)).toContain("execute_workflow");
  const { checkpoint_id } = await useTool(server, "execute_workflow", "workflow=release");
  expect(await useTool(server, "resume_workflow", `checkpoint_id=${checkpoint_id}`, "llm_response=yes")).toMatchObject({
    status: "success",
    outputs: { released: true },
  });
  const { contents } = await inspect(server, "resources/read", "--uri", "workflow://release/graph");
  expect(JSON.stringify(contents)).toContain("flowchart");
  expect(await inspect(server, "prompts/list")).toMatchObject({ prompts: [{ name: "run-workflow" }, { name: "what-waits-for-me" }] });
}

describe.runIf(IS_LONG)("the Inspector's command line works", { timeout: 300_000 }, () => {
  beforeAll(() => {
    command = buildCommand();
    command.write(
      "release.yaml",
      `name: release
blocks:
  - { id: sure, type: ConfirmOperation, inputs: { message: "Release?", operation: release } }
outputs: { released: "\${blocks.sure.outputs.confirmed}" }
`,
    );
  }, 120_000);

  afterAll(() => command.remove());

  test("over standard input and output", async () => {
    await workThrough([process.execPath, command.cli, "mcp", ".", "--store", "runs"]);
  });

  test("over Streamable HTTP", async () => {
    const server = command.start("mcp", ".", "--store", "runs-http", "--http", "0");
    try {
      const [, url = ""] = /Listening at (\S+)/.exec(await server.said("Listening at http://127.0.0.1:")) ?? [];
      await workThrough([url, "--transport", "http"]);
    } finally {
      server.process.kill("SIGTERM");
      await server.ended;
    }
  });
});
