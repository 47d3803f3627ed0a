import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { buildCommand, type BuiltCommand } from "../node/cli/built-command.ts";
import { callTool, ERAS, newClient, type Era, type Person } from "./clients.ts";

const RELEASE = `
name: release
inputs:
  version: { type: string }
blocks:
  - id: sure
    type: ConfirmOperation
    inputs: { message: "Release \${inputs.version}?", operation: release }
  - id: note
    type: GetInput
    depends_on: [sure]
    inputs: { prompt: What is new? }
outputs:
  note: \${blocks.note.outputs.input_value}
`;

let command: BuiltCommand;
let cli: string;

beforeAll(() => {
  command = buildCommand();
  command.write("release.yaml", RELEASE);
  cli = command.cli;
}, 120_000);

afterAll(() => command.remove());

async function serve(era: Era, { args = [], person }: { readonly args?: readonly string[]; readonly person?: Person } = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, "mcp", ".", "--store", "runs", ...args],
    cwd: command.directory,
    stderr: "ignore",
  });
  const client = newClient(era, person);
  await client.connect(transport);
  return { client, kill: () => process.kill(transport.pid!, "SIGKILL") };
}

const START = { workflow: "release", inputs: { version: "1.4.0" } };

test.each(ERAS)("D1 a server that is killed at each question loses nothing: the next one goes on, in the protocol of %s", async (era) => {
  const run_id = `release-${era}`;
  const servers: { readonly client: Client; kill(): void }[] = [];
  const next = async () => {
    const server = await serve(era);
    servers.push(server);
    return server;
  };
  let server = await next();
  const first = await callTool(server.client, "execute_workflow", { ...START, run_id });
  server.kill();
  server = await next();
  // The answer to the call may have been lost on the way: it is made again.
  expect(await callTool(server.client, "execute_workflow", { ...START, run_id })).toEqual(first);
  const second = await callTool(server.client, "resume_workflow", { checkpoint_id: first.checkpoint_id, llm_response: "yes" });
  server.kill();
  server = await next();
  // The same answer again gives the run as it stands.
  const again = await callTool(server.client, "resume_workflow", { checkpoint_id: first.checkpoint_id, llm_response: "yes" });
  expect(again).toEqual(second);
  expect(await callTool(server.client, "resume_workflow", { checkpoint_id: second.checkpoint_id, llm_response: "All" })).toMatchObject({
    status: "success",
    outputs: { note: "All" },
  });
  await server.client.close();
  for (const { client } of servers) await client.close();
});

test("one process asks, and the next one takes the answer: the key is kept beside the runs", async () => {
  const silent: Person = () => ({ action: "cancel" });
  const first = await serve("2026", { person: silent });
  const asked = await first.client.callTool({ name: "execute_workflow", arguments: START }, { allowInputRequired: true });
  const { inputRequests, requestState } = asked as unknown as { readonly inputRequests: object; readonly requestState: string };
  first.kill();
  expect(existsSync(`${command.directory}/runs/mcp-key`)).toBe(true);
  const second = await serve("2026", { person: silent });
  const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((id) => [id, { action: "accept", content: { answer: "yes" } }]));
  const more = await second.client.callTool({ name: "execute_workflow", arguments: START, inputResponses, requestState } as never, {
    allowInputRequired: true,
  });
  expect(Object.keys((more as unknown as { readonly inputRequests: object }).inputRequests)).toHaveLength(1);
  await first.client.close();
  await second.client.close();
});

test("a client that starts it as the docs say, in any folder, gets the workflow of the docs", async () => {
  const docs = readFileSync(new URL("../../docs/mcp.md", import.meta.url), "utf8");
  const home = `${command.directory}/harbour`;
  mkdirSync(`${home}/node_modules/.bin`, { recursive: true });
  mkdirSync(`${home}/workflows`);
  symlinkSync(cli, `${home}/node_modules/.bin/wavepoint`);
  command.write("harbour/workflows/release.yaml", /```yaml\n(.*?)```/s.exec(docs)![1]!);
  const { mcpServers } = JSON.parse(/```json\n(.*?)```/s.exec(docs)![1]!.replaceAll("/home/ada/harbour", home)) as {
    readonly mcpServers: { readonly wavepoint: { readonly command: string; readonly args: string[] } };
  };
  const client = newClient("2025");
  await client.connect(new StdioClientTransport({ ...mcpServers.wavepoint, cwd: tmpdir(), stderr: "ignore" }));
  const asked = await callTool(client, "execute_workflow", START);
  expect(asked).toMatchObject({ status: "paused", pauses: [{ prompt: expect.stringContaining("Release 1.4.0?") as string }] });
  expect(existsSync(`${home}/runs/mcp-key`)).toBe(true);
  await client.close();
});

test("offers what its options allow", async () => {
  const names = async (...args: readonly string[]) => {
    const { client } = await serve("2026", { args });
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name);
  };
  expect(await names("--workflow-tools")).toEqual(expect.arrayContaining(["execute_inline_workflow", "release"]));
  expect(await names("--allow-host", "localhost")).not.toContain("execute_inline_workflow");
  expect(await names("--allow-host", "localhost", "--inline")).toContain("execute_inline_workflow");
  expect(await names("--read-only")).not.toContain("execute_workflow");
});

test("serves over HTTP, for this machine alone unless there is a token", async () => {
  const server = command.start("mcp", ".", "--store", "runs-http", "--http", "0");
  const [, url = ""] = /Listening at (\S+)/.exec(await server.said("Listening at http://127.0.0.1:")) ?? [];
  const client = newClient("2026");
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  expect(await callTool(client, "execute_workflow", START)).toMatchObject({ status: "paused" });
  expect((await fetch(url.replace("/mcp", "/other"))).status).toBe(404);
  expect((await fetch(url, { method: "POST", headers: { origin: "https://evil.example" } })).status).toBe(403);
  await client.close();
  server.process.kill("SIGTERM");
  expect((await server.ended).code).toBe(0);
  const refused = await command.run("mcp", ".", "--http", "0", "--listen", "0.0.0.0");
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("WAVEPOINT_MCP_TOKEN") as string });
});
