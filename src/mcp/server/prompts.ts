import type { GetPromptResult, McpServer } from "@modelcontextprotocol/server";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { allowsAny } from "../tools/access.ts";
import type { ToolHost } from "../tools/tool.ts";

/** Offers what people start a conversation with: run a workflow, and go on with what waits for them. */
export function addPrompts(server: McpServer, { access }: ToolHost): void {
  if (!allowsAny(access, "read")) return;
  if (allowsAny(access, "start")) {
    server.registerPrompt(
      "run-workflow",
      {
        title: "Run a workflow",
        description: "Runs a workflow with you: asks for its inputs and puts its questions to you.",
        argsSchema: fromJsonSchema<{ workflow: string }>({
          type: "object",
          properties: { workflow: { type: "string", description: "The name of the workflow." } },
          required: ["workflow"],
        }),
      },
      ({ workflow }) =>
        said(
          `Run the workflow ${JSON.stringify(workflow)} with me. Look at it with get_workflow_info, ask me for the inputs that it requires, then call execute_workflow. Whenever it pauses, put its question to me in its own words, wait for what I say, and call resume_workflow with that. At the end tell me what came out.`,
        ),
    );
  }
  if (!allowsAny(access, "answer")) return;
  server.registerPrompt(
    "what-waits-for-me",
    { title: "What waits for me", description: "Shows the open questions of all runs, and takes your answers." },
    () =>
      said(
        "Call list_runs with status paused. Show me the open questions, by workflow, the newest first, and ask which one I want to answer. Then put it to me in its own words and call resume_workflow with what I say.",
      ),
  );
}

function said(text: string): GetPromptResult {
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}
