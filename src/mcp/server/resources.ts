import { ResourceTemplate, ResourceNotFoundError, type McpServer, type ReadResourceResult } from "@modelcontextprotocol/server";
import { isWorkflowError } from "../../core/model/errors.ts";
import { graphMermaid } from "../../graph/mermaid.ts";
import { allows, allowsAny } from "../tools/access.ts";
import { openRun, visibleRuns } from "../tools/held-run.ts";
import { plainJson } from "../../core/model/plain-json.ts";
import { reportView } from "../tools/run-report.ts";
import { visibleWorkflow } from "../tools/run-tools.ts";
import type { ToolHost } from "../tools/tool.ts";

const JSON_TYPE = "application/json";
const GRAPH_TYPE = "text/vnd.mermaid";
/** Runs in the list of resources: those that changed last. */
const LISTED_RUNS = 50;

/** Offers definitions, graphs and runs for reading: `workflow://name`, `workflow://name/graph`, `run://id`. */
export function addResources(server: McpServer, host: ToolHost): void {
  if (!allowsAny(host.access, "read")) return;
  const visible = () => [...host.workflows.values()].filter((workflow) => allows(host.access, "read", workflow));
  const names = (typed: string): string[] => visible().flatMap(({ name }) => (name.startsWith(typed) ? [name] : []));

  server.registerResource(
    "workflow",
    new ResourceTemplate("workflow://{name}", {
      list: () => ({
        resources: visible().map(({ name, description }) => ({
          uri: `workflow://${name}`,
          name,
          mimeType: JSON_TYPE,
          ...(description === undefined ? {} : { description }),
        })),
      }),
      complete: { name: names },
    }),
    { title: "Workflow", description: "The definition of a workflow.", mimeType: JSON_TYPE },
    (uri, { name }) => read(uri, JSON_TYPE, async () => JSON.stringify(plainJson(visibleWorkflow(host, String(name))), null, 1)),
  );
  server.registerResource(
    "workflow-graph",
    new ResourceTemplate("workflow://{name}/graph", { list: undefined, complete: { name: names } }),
    { title: "Graph of a workflow", description: "The blocks of a workflow wave by wave, as a Mermaid flowchart.", mimeType: GRAPH_TYPE },
    (uri, { name }) => read(uri, GRAPH_TYPE, async () => graphMermaid(visibleWorkflow(host, String(name)))),
  );
  server.registerResource(
    "run",
    new ResourceTemplate("run://{id}", {
      list: async () => {
        const { items } = await (await host.executor()).runs.list({ topLevel: true, limit: LISTED_RUNS });
        const seen = await visibleRuns(host, items);
        return {
          resources: seen.map(({ id, workflow, label, status }) => ({
            uri: `run://${id}`,
            name: id,
            title: label ?? workflow,
            description: `${workflow}: ${status}`,
            mimeType: JSON_TYPE,
          })),
        };
      },
    }),
    { title: "Run", description: "How a run stands: its status, blocks, open questions, outputs or error.", mimeType: JSON_TYPE },
    (uri, { id }) =>
      read(uri, JSON_TYPE, async () => {
        const { run, workflow } = await openRun(host, String(id), "read");
        return JSON.stringify(reportView(run.getSnapshot(), workflow), null, 1);
      }),
  );
}

async function read({ href }: URL, mimeType: string, text: () => Promise<string>): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri: href, mimeType, text: await text() }] };
  } catch (error) {
    if (isWorkflowError(error) && error.code.endsWith("_NOT_FOUND")) throw new ResourceNotFoundError(href, error.message);
    throw error;
  }
}
