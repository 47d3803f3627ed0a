import { fileURLToPath } from "node:url";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createExecutor, defineBlock, success, type Workflow } from "wavepoint";
import { agentBlocks } from "wavepoint/ai";
import { mcpTool } from "wavepoint/mcp/client";
import { memoryStore } from "wavepoint/store/memory";
import { expect, test } from "vitest";
import { type Prompt, say, scripted, use } from "./mock-models.ts";

const SERVER = fileURLToPath(new URL("tide-server.mjs", import.meta.url));

const FLOW: Workflow = {
  name: "sail",
  blocks: [{ id: "agent", type: "Agent", inputs: { models: ["good"], prompt: "When do we sail?", tools: ["tide", "storm", "log"] } }],
  outputs: { text: "${blocks.agent.outputs.text}" },
};

/** Which processes the tides came from, as the model read them. */
const pidsIn = (prompt: Prompt | undefined): number[] =>
  [...JSON.stringify(prompt).matchAll(/"result":"\w+: 10:40, says (\d+)/g)].map(([, pid]) => Number(pid));

test("the tools of a server are tools of an agent: it is killed between two calls, and so is the process that asks it", async () => {
  const pids: number[] = [];
  let last: Prompt | undefined;
  const storm = defineBlock({
    type: "Storm",
    execute() {
      process.kill(pids.at(-1)!, "SIGKILL");
      return success({});
    },
  });
  const log = defineBlock({ type: "Log", execute: () => success({}) });
  const good = scripted(
    [
      use(["1", "tide", { arguments: { day: "Friday" } }]),
      use(["2", "storm", {}]),
      use(["3", "tide", { arguments: { day: "Saturday" } }]),
      use(["4", "log", {}]),
      use(["5", "tide", { arguments: { day: "Sunday" } }]),
      say("On Sunday."),
    ],
    (_, prompt) => {
      last = prompt;
      pids.splice(0, pids.length, ...pidsIn(prompt));
    },
  );
  const store = memoryStore();
  const open = () => {
    const transport = () => new StdioClientTransport({ command: process.execPath, args: [SERVER] });
    const tide = { block: mcpTool({ servers: { tides: { transport } } }), inputs: { server: "tides", tool: "tide" }, approval: false };
    const tools = { tide, storm: { block: storm }, log: { block: log, approval: true } };
    return createExecutor({ store, workflows: [FLOW], blocks: agentBlocks({ tools }), grants: { models: { good } } });
  };
  const first = open();
  const { pauses } = await (await first.start(FLOW)).settled();
  const [friday, saturday] = pidsIn(last);
  await first.close();
  const second = open();
  expect((await second.answer(pauses![0]!.id, { decision: "approve" })).outputs).toEqual({ text: "On Sunday." });
  const [, , sunday] = pidsIn(last);
  await second.close();
  expect(new Set([friday, saturday, sunday]).size, "each was asked of another process").toBe(3);
});
