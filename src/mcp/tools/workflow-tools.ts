import * as z from "zod/mini";
import { graphMermaid } from "../../graph/mermaid.ts";
import { describeWorkflow, summarizeWorkflow } from "../../registry/workflow-info.ts";
import { allows } from "./access.ts";
import { plainJson } from "../../core/model/plain-json.ts";
import { visibleWorkflow } from "./run-tools.ts";
import { defineTool, READS, text, type BindTool } from "./tool.ts";

const SUMMARY = {
  name: z.string(),
  description: z.optional(z.string()),
  version: z.optional(z.string()),
  author: z.optional(z.string()),
  tags: z.array(z.string()),
  total_blocks: z.number(),
  total_waves: z.number(),
};

export const listWorkflows: BindTool = defineTool({
  name: "list_workflows",
  title: "List workflows",
  description:
    "Lists the workflows there are, by name, with what they are for. Then get_workflow_info tells what each needs, and execute_workflow starts it.",
  hints: READS,
  moves: false,
  input: z.strictObject({ tags: z.optional(z.array(z.string()).check(z.describe("Only workflows that have all of these tags."))) }),
  output: z.object({ workflows: z.array(z.object(SUMMARY)), total: z.number() }),
  async handle({ workflows, access }, { tags = [] }) {
    const seen = [...workflows.values()]
      .filter((workflow) => allows(access, "read", workflow) && tags.every((tag) => workflow.tags?.includes(tag)))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return { workflows: seen.map((workflow) => summaryOf(summarizeWorkflow({ workflow }))), total: seen.length };
  },
});

export const getWorkflowInfo: BindTool = defineTool({
  name: "get_workflow_info",
  title: "Look at a workflow",
  description: "Tells all about a workflow without running it: its inputs, its blocks wave by wave, its outputs, and its graph as Mermaid.",
  hints: READS,
  moves: false,
  input: z.strictObject({ workflow: text("The name of the workflow.") }),
  output: z.object({
    ...SUMMARY,
    inputs: z.array(z.record(z.string(), z.unknown())),
    blocks: z.array(z.record(z.string(), z.unknown())),
    waves: z.array(z.array(z.string())),
    outputs: z.array(z.record(z.string(), z.unknown())),
    graph: z.string(),
  }),
  async handle(host, { workflow: name }) {
    const workflow = visibleWorkflow(host, name);
    const info = describeWorkflow({ workflow });
    const { inputs, blocks, waves, outputs } = info;
    return plainJson({
      ...summaryOf(info),
      inputs: inputs.map((input) => ({ ...input })),
      blocks: blocks.map(({ id, type, description, dependsOn, condition, wave }) => ({
        id,
        type,
        description,
        depends_on: dependsOn,
        condition,
        wave,
      })),
      waves: waves.map((wave) => [...wave]),
      outputs: outputs.map((output) => ({ ...output })),
      graph: graphMermaid(workflow),
    });
  },
});

function summaryOf(summary: ReturnType<typeof summarizeWorkflow>) {
  const { name, description, version, author, tags, totalBlocks, totalWaves } = summary;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    ...(author === undefined ? {} : { author }),
    tags: [...tags],
    total_blocks: totalBlocks,
    total_waves: totalWaves,
  };
}
