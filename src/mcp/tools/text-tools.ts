import * as z from "zod/mini";
import { builtinBlocks } from "../../core/blocks/builtin.ts";
import { executeWorkflowBlock } from "../../core/blocks/execute-workflow.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import { checkWorkflow, loadWorkflow, workflowSchema } from "../../yaml/index.ts";
import type { Block, Workflow } from "../../core/model/workflow.ts";
import { allows, asBrought, notAllowed } from "./access.ts";
import type { Line } from "./table.ts";
import { plainJson } from "../../core/model/plain-json.ts";
import { RUN_REPORT } from "./run-report.ts";
import { startRun, visibleWorkflow } from "./run-tools.ts";
import { defineTool, MOVES, READS, text, type BindTool, type ToolHost } from "./tool.ts";

const getWorkflowSchema: BindTool = defineTool({
  name: "get_workflow_schema",
  title: "The language of workflows",
  description:
    "Gives the JSON Schema of workflow files in YAML, with all block types and their inputs. Read it before you write a workflow.",
  hints: READS,
  moves: false,
  input: z.strictObject({}),
  output: z.object({ schema: z.record(z.string(), z.unknown()) }),
  handle: async ({ blocks }) => plainJson({ schema: { ...workflowSchema([...builtinBlocks, ...blocks]) } }),
});

const validateWorkflowYaml: BindTool = defineTool({
  name: "validate_workflow_yaml",
  title: "Check a workflow",
  description: "Checks the text of a workflow and reports everything that is wrong with it, with line and column. Runs and stores nothing.",
  hints: READS,
  moves: false,
  input: z.strictObject({ yaml_content: text("The workflow, in YAML.") }),
  output: z.object({
    valid: z.boolean(),
    name: z.optional(z.string()),
    errors: z.array(z.record(z.string(), z.unknown())),
    warnings: z.array(z.record(z.string(), z.unknown())),
    block_types_used: z.array(z.string()),
  }),
  async handle({ blocks }, { yaml_content }) {
    const { workflow, problems } = await checkWorkflow(yaml_content, { blocks });
    const told = problems.map(({ severity, ...problem }) => ({ severity, problem: { ...problem } }));
    const errors = told.filter(({ severity }) => severity === "error").map(({ problem }) => problem);
    return plainJson({
      valid: errors.length === 0,
      ...(workflow ? { name: workflow.name } : {}),
      errors,
      warnings: told.filter(({ severity }) => severity === "warning").map(({ problem }) => problem),
      block_types_used: [...new Set(workflow?.blocks.map(({ type }) => type))].toSorted(),
    });
  },
});

const executeInlineWorkflow: BindTool = defineTool({
  name: "execute_inline_workflow",
  title: "Execute a workflow of your own",
  description:
    "Executes a workflow that you write, once, without keeping it as a file. Check it with validate_workflow_yaml first. Else as execute_workflow: it may pause, and its run is kept.",
  hints: MOVES,
  moves: true,
  input: z.strictObject({
    workflow_yaml: text("The workflow, in YAML."),
    inputs: z.optional(z.record(z.string(), z.unknown()).check(z.describe("Values of its inputs, by name."))),
    run_id: z.optional(text("A name of your own for the run, as in execute_workflow.")),
  }),
  output: RUN_REPORT,
  async handle(host, { workflow_yaml, inputs, run_id }, call) {
    const workflow = loadWorkflow(workflow_yaml, { blocks: [...builtinBlocks, ...host.blocks] });
    // What the host lets clients do with a workflow of its own goes by the name.
    if (host.workflows.has(workflow.name)) {
      const message = `There is a workflow named "${workflow.name}" already. Choose another name for yours.`;
      throw new WorkflowError("WORKFLOW_DUPLICATE", message, { details: { workflow: workflow.name } });
    }
    for (const block of workflow.blocks) assertMayCall(host, workflow, block);
    return startRun(host, asBrought(workflow), { inputs, runId: run_id }, call);
  },
});

/**
 * A workflow of a client's own is the client's: it sees all that comes of it and answers all that it asks. So it calls only what the client could start and answer
 * itself. Throws `WORKFLOW_NOT_FOUND`, and `CAPABILITY_MISSING` for what the client may only see and for a name that is not known before the run.
 */
function assertMayCall(host: ToolHost, own: Workflow, { id, type, inputs }: Block): void {
  if (type !== executeWorkflowBlock.type) return;
  const name = inputs?.["workflow"];
  if (typeof name !== "string" || name.includes("${")) {
    const message = `Block "${id}" calls a workflow whose name is not known before the run. Write the name of the workflow in it.`;
    throw new WorkflowError("CAPABILITY_MISSING", message, { details: { block: id } });
  }
  if (name === own.name) return;
  const called = visibleWorkflow(host, name);
  for (const action of ["start", "answer"] as const) if (!allows(host.access, action, called)) throw notAllowed(action, name);
}

/** They stand behind the others. */
export const TEXT_TOOLS: readonly Line[] = [
  [getWorkflowSchema, "read"],
  [validateWorkflowYaml, "read"],
  [executeInlineWorkflow, "read", "start", "inline"],
];
