import { afterEach, describe, expect, test } from "vitest";
import { createExecutor, type Executor } from "wavepoint";
import { mcpServer, type McpServerOptions } from "wavepoint/mcp";
import { memoryStore } from "wavepoint/store/memory";
import type { Client } from "@modelcontextprotocol/client";
import { callTool, connect, ERAS, type Era } from "./clients.ts";
import { add, deploy } from "./workflows.ts";

const open: { close(): Promise<void> }[] = [];

function makeExecutor(): Executor {
  const executor = createExecutor({ store: memoryStore(), workflows: [deploy, add] });
  open.push(executor);
  return executor;
}

async function connectTo(options: McpServerOptions = {}, era: Era = "2026"): Promise<Client> {
  const client = await connect(mcpServer({ executor: makeExecutor(), workflows: [deploy, add], ...options }), era);
  open.push(client);
  return client;
}

afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

const OF_THE_SEEDS = [
  "execute_workflow",
  "list_workflows",
  "get_workflow_info",
  "get_workflow_schema",
  "validate_workflow_yaml",
  "resume_workflow",
  "list_checkpoints",
  "get_checkpoint_info",
  "delete_checkpoint",
];
const OF_OUR_OWN = ["get_run_status", "list_runs", "cancel_run", "answer_pause", "revise_answer", "fork_checkpoint"];

describe.each(ERAS)("the table of tools, in the protocol of %s", (era) => {
  test("holds the tools of the seeds and those of our own, each with texts and schemas", async () => {
    const client = await connectTo({ access: { inline: true } }, era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([...OF_THE_SEEDS, "execute_inline_workflow", ...OF_OUR_OWN].toSorted());
    for (const { title, description, inputSchema, outputSchema } of tools) {
      expect(title).toBeTruthy();
      expect(description!.length).toBeGreaterThan(40);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
    }
  });

  test("a workflow that asks nothing runs to its end", async () => {
    const client = await connectTo({}, era);
    const done = await callTool(client, "execute_workflow", { workflow: "add", inputs: { a: 40 } });
    expect(done).toMatchObject({ status: "success", outputs: { sum: 42 }, message: "Workflow completed successfully" });
    expect(await callTool(client, "get_run_status", { run_id: done.run_id })).toMatchObject({ status: "success", outputs: { sum: 42 } });
  });

  test("a client without forms gets the questions as data, and answers by tools", async () => {
    const client = await connectTo({}, era);
    const paused = await callTool(client, "execute_workflow", { workflow: "deploy", inputs: { service: "shop" } });
    expect(paused).toMatchObject({
      status: "paused",
      prompt: "Confirm operation: Deploy shop?\n\nRespond with 'yes' or 'no'",
      message: "Workflow paused - use resume_workflow to continue",
    });
    const [sure, traffic] = paused.pauses;
    expect(traffic!.prompt).toContain("Choices:\n1. all\n2. half\n3. 10 percent");
    const wrong = await callTool(client, "resume_workflow", { checkpoint_id: traffic!.checkpoint_id, llm_response: "7" });
    expect(wrong).toMatchObject({ status: "failure", code: "RESPONSE_INVALID", message: "Nothing has changed" });
    await callTool(client, "answer_pause", { checkpoint_id: traffic!.checkpoint_id, response: "2" });
    const again = await callTool(client, "resume_workflow", { checkpoint_id: sure!.checkpoint_id, llm_response: "yes" });
    expect(again).toMatchObject({ status: "paused", message: "Workflow paused again - use resume_workflow to continue" });
    const done = await callTool(client, "resume_workflow", { checkpoint_id: again.checkpoint_id, llm_response: "ok" });
    expect(done).toMatchObject({ status: "success", outputs: { confirmed: true, traffic: "half", note: "ok" } });
    expect(await callTool(client, "resume_workflow", { checkpoint_id: sure!.checkpoint_id, llm_response: "no" })).toMatchObject({
      status: "failure",
      code: "PAUSE_ALREADY_ANSWERED",
    });
  });
});

describe("the tools", () => {
  test("list and describe workflows", async () => {
    const client = await connectTo();
    expect(await callTool(client, "list_workflows", { tags: ["public"] })).toMatchObject({ workflows: [{ name: "add" }], total: 1 });
    const info = await callTool(client, "get_workflow_info", { workflow: "deploy" });
    expect(info).toMatchObject({ inputs: [{ name: "service", required: true }], waves: [["sure", "traffic"], ["note"]] });
    expect(info["graph"]).toContain("flowchart");
    expect(await callTool(client, "get_workflow_info", { workflow: "deplay" })).toMatchObject({
      code: "WORKFLOW_NOT_FOUND",
      error: expect.stringContaining('"deploy"') as string,
    });
  });

  test("check texts, and say what may stand in one", async () => {
    const client = await connectTo();
    expect((await callTool(client, "get_workflow_schema"))["schema"]).toMatchObject({ type: "object" });
    expect(
      await callTool(client, "validate_workflow_yaml", {
        yaml_content: "name: w\nblocks: [{ id: a, type: Prompt, inputs: { prompt: Hi }, typ: b }]",
      }),
    ).toMatchObject({
      valid: false,
      errors: [{ code: "KEY_UNKNOWN", line: 2 }],
    });
  });

  test("run a workflow that the client wrote, unless its name is taken", async () => {
    const client = await connectTo({ access: { inline: true } });
    const text =
      "name: hello\nblocks: [{ id: a, type: GetInput, inputs: { prompt: Who? } }]\noutputs: { who: '${blocks.a.outputs.input_value}' }";
    const paused = await callTool(client, "execute_inline_workflow", { workflow_yaml: text });
    expect(paused).toMatchObject({ status: "paused", prompt: "Who?" });
    expect(await callTool(client, "resume_workflow", { checkpoint_id: paused.checkpoint_id, llm_response: "Ada" })).toMatchObject({
      outputs: { who: "Ada" },
    });
    expect(await callTool(client, "execute_inline_workflow", { workflow_yaml: text.replace("hello", "deploy") })).toMatchObject({
      code: "WORKFLOW_DUPLICATE",
    });
  });

  test("tell of checkpoints, delete and fork them", async () => {
    const client = await connectTo();
    const paused = await callTool(client, "execute_workflow", { workflow: "deploy", inputs: { service: "shop" } });
    const [sure, traffic] = paused.pauses;
    const { checkpoints } = await callTool(client, "list_checkpoints", { workflow_name: "deploy" });
    expect(checkpoints).toContainEqual(
      expect.objectContaining({
        checkpoint_id: sure!.checkpoint_id,
        is_paused: true,
        type: "pause",
        pause_prompt: expect.any(String) as string,
      }),
    );
    expect(await callTool(client, "get_checkpoint_info", { checkpoint_id: sure!.checkpoint_id })).toMatchObject({
      found: true,
      is_paused: true,
      paused_block_id: "sure",
      completed_blocks: [],
      total_waves: 2,
      progress_percentage: 0,
    });
    expect(await callTool(client, "get_checkpoint_info", { checkpoint_id: "pause_none.0" })).toEqual({
      found: false,
      error: "Checkpoint pause_none.0 not found or expired",
    });
    await callTool(client, "answer_pause", { checkpoint_id: traffic!.checkpoint_id, response: "all" });
    const fork = await callTool(client, "fork_checkpoint", {
      checkpoint_id: traffic!.checkpoint_id,
      answers: { [sure!.checkpoint_id]: "no" },
    });
    expect(fork).toMatchObject({ status: "paused", pauses: [{ path: ["traffic"] }] });
    expect(fork.run_id).not.toBe(paused.run_id);
    expect(await callTool(client, "delete_checkpoint", { checkpoint_id: sure!.checkpoint_id })).toMatchObject({
      deleted: true,
      message: "Checkpoint deleted successfully",
    });
    expect(await callTool(client, "get_run_status", { run_id: paused.run_id })).toMatchObject({ status: "cancelled" });
    expect(await callTool(client, "delete_checkpoint", { checkpoint_id: "chk_none.0" })).toMatchObject({
      deleted: false,
      message: "Checkpoint not found",
    });
  });

  test("change an earlier answer in the same run, after a look ahead", async () => {
    const client = await connectTo();
    const paused = await callTool(client, "execute_workflow", { workflow: "deploy", inputs: { service: "shop" } });
    const [sure, traffic] = paused.pauses;
    await callTool(client, "answer_pause", { checkpoint_id: traffic!.checkpoint_id, response: "all" });
    await callTool(client, "answer_pause", { checkpoint_id: sure!.checkpoint_id, response: "yes" });
    const change = { checkpoint_id: sure!.checkpoint_id, response: "no" };
    expect((await callTool(client, "revise_answer", { ...change, preview: true }))["preview"]).toMatchObject({ kept: ["traffic"] });
    expect(await callTool(client, "revise_answer", change)).toMatchObject({
      status: "success",
      run_id: paused.run_id,
      outputs: { confirmed: false, traffic: "all" },
    });
  });

  test("cancel a run, and decline a question", async () => {
    const client = await connectTo();
    const first = await callTool(client, "execute_workflow", { workflow: "deploy", inputs: { service: "shop" } });
    expect(await callTool(client, "cancel_run", { run_id: first.run_id, reason: "not today" })).toMatchObject({ status: "cancelled" });
    const second = await callTool(client, "execute_workflow", { workflow: "deploy", inputs: { service: "shop" } });
    await callTool(client, "answer_pause", { checkpoint_id: second.pauses[1]!.checkpoint_id, action: "decline" });
    const { pauses } = await callTool(client, "get_run_status", { run_id: second.run_id });
    expect(pauses).toHaveLength(1);
  });

  test("start a run of one name once, however often they are called", async () => {
    const client = await connectTo();
    const call = { workflow: "deploy", inputs: { service: "shop" }, run_id: "release-7" };
    const first = await callTool(client, "execute_workflow", call);
    expect(first.run_id).toBe("run_release-7");
    expect(await callTool(client, "execute_workflow", call)).toEqual(first);
    expect(await callTool(client, "list_runs", { status: "paused" })).toMatchObject({ total: 1, runs: [{ run_id: "run_release-7" }] });
    expect(await callTool(client, "execute_workflow", { workflow: "add", inputs: { a: 1 }, run_id: "release-7" })).toMatchObject({
      code: "RUN_EXISTS",
    });
  });

  test("offer each workflow by its own name and inputs, where the host asks for it", async () => {
    const client = await connectTo({ workflowTools: ["public"] });
    expect(await names(client)).not.toContain("deploy");
    const tool = (await client.listTools()).tools.find(({ name }) => name === "add")!;
    expect(tool.inputSchema).toMatchObject({ properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a"] });
    expect(await callTool(client, "add", { a: 1 })).toMatchObject({ status: "success", outputs: { sum: 3 } });
  });

  test("each answer with a clear error where there is no executor, and work once there is one", async () => {
    const given: { executor?: Executor } = {};
    const executor = () => {
      if (given.executor) return given.executor;
      throw new Error("not reached");
    };
    const none = await connectTo({ executor: undefined as never });
    const { tools } = await none.listTools();
    const calls: Readonly<Record<string, object>> = {
      execute_workflow: { workflow: "add", inputs: { a: 1 } },
      resume_workflow: { checkpoint_id: "pause_x.0", llm_response: "yes" },
      answer_pause: { checkpoint_id: "pause_x.0", response: "yes" },
      revise_answer: { checkpoint_id: "pause_x.0", response: "yes" },
      get_run_status: { run_id: "run_x" },
      cancel_run: { run_id: "run_x" },
      get_checkpoint_info: { checkpoint_id: "pause_x.0" },
      delete_checkpoint: { checkpoint_id: "pause_x.0" },
      fork_checkpoint: { checkpoint_id: "pause_x.0" },
      list_runs: {},
      list_checkpoints: {},
    };
    for (const [name, args] of Object.entries(calls)) {
      expect(tools.map((tool) => tool.name)).toContain(name);
      expect(await callTool(none, name, { ...args }), name).toMatchObject({ status: "failure", code: "STORE_UNAVAILABLE" });
    }
    given.executor = makeExecutor();
    const later = await connectTo({ executor });
    expect(await callTool(later, "execute_workflow", calls["execute_workflow"]! as never)).toMatchObject({ status: "success" });
  });
});
