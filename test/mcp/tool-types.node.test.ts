import { expect, expectTypeOf, test } from "vitest";
import { createExecutor, defineWorkflow, type Workflow } from "wavepoint";
import { mcpTool } from "wavepoint/mcp/client";
import { memoryStore } from "wavepoint/store/memory";

/** As a file has it that was written from what `readTools` gives. */
const ticketTools = [
  {
    name: "comment",
    inputSchema: { type: "object", properties: { ticket: { type: "integer" }, text: { type: "string" } }, required: ["ticket", "text"] },
    outputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
  },
] as const;
const transport = () => Promise.reject(new Error("Nothing is called here."));
const blocks = [mcpTool({ servers: { tickets: { transport, tools: ticketTools } } })] as const;

test("TypeScript knows what the tools of a known server take and give", async () => {
  const flow = defineWorkflow(
    {
      name: "flow",
      blocks: [{ id: "call", type: "McpTool", inputs: { server: "tickets", tool: "comment", arguments: { ticket: 7, text: "Done." } } }],
      outputs: { url: "${blocks.call.outputs.result}" },
    },
    { blocks },
  );
  const wrong = defineWorkflow(
    {
      name: "wrong",
      blocks: [
        // @ts-expect-error -- a ticket is a number
        { id: "call", type: "McpTool", inputs: { server: "tickets", tool: "comment", arguments: { ticket: "7", text: "Done." } } },
      ],
    },
    { blocks },
  );
  const executor = createExecutor({ store: memoryStore(), workflows: [flow], blocks });
  await expect(executor.start(wrong as unknown as Workflow)).rejects.toMatchObject({ code: "BLOCK_INPUT_INVALID" });
  const result = await (await executor.start(flow, {})).settled();
  if (result.status === "success") expectTypeOf(result.outputs.url).toEqualTypeOf<{ readonly url: string }>();
  expect(result).toMatchObject({ status: "failure", error: { message: expect.stringContaining("Nothing is called here.") as string } });
  await executor.close();
});
