import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createExecutor, type RunResult } from "wavepoint";
import { mcpTool } from "wavepoint/mcp/client";
import { indexedDbStore } from "wavepoint/store/indexeddb";

/** What a test can call in a page whose blocks call tools of a server. */
export interface CallingPage {
  start(server: string): Promise<RunResult>;
  /** Goes on with the run of an earlier load. */
  answer(server: string, pause: string, answer: object): Promise<RunResult>;
  readonly violations: readonly string[];
}

declare global {
  var calling: CallingPage;
}

const violations: string[] = [];
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  violations.push(`${violatedDirective} ${blockedURI}`),
);

function executorFor(server: string) {
  const deploy = {
    name: "page",
    blocks: [
      {
        id: "call",
        type: "McpTool",
        inputs: { server: "wp", tool: "execute_workflow", arguments: { workflow: "deploy", inputs: { service: "shop" } } },
      },
    ],
    outputs: { result: "${blocks.call.outputs.result}" },
  };
  const wp = {
    transport: () => new StreamableHTTPClientTransport(new URL(server), { requestInit: { headers: { authorization: "Bearer sesame" } } }),
  };
  return createExecutor({ store: indexedDbStore({ name: "calling" }), workflows: [deploy], blocks: [mcpTool({ servers: { wp } })] });
}

globalThis.calling = {
  start: async (server) => (await executorFor(server).start("page")).settled(),
  answer: async (server, pause, answer) => executorFor(server).answer(pause, answer as never),
  violations,
};
document.title = "ready";
