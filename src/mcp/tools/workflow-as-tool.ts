import * as z from "zod/mini";
import type { InputDeclaration, Workflow } from "../../core/model/workflow.ts";
import { allows } from "./access.ts";
import { RUN_REPORT } from "./run-report.ts";
import { startRun } from "./run-tools.ts";
import { MOVES, type Tool, type ToolHost } from "./tool.ts";

/**
 * The workflows that the host wants as tools of their own, named like them, with their inputs, of those that clients may start.
 * One that has the name of another tool is left to execute_workflow.
 */
export function workflowsAsTools(host: ToolHost, taken: readonly Tool[]): readonly Tool[] {
  const { workflowTools: wanted } = host;
  const names = new Set(taken.map(({ name }) => name));
  return [...host.workflows.values()]
    .filter((workflow) => (typeof wanted === "boolean" ? wanted : wanted.some((tag) => workflow.tags?.includes(tag))))
    .filter((workflow) => allows(host.access, "read", workflow) && allows(host.access, "start", workflow) && !names.has(workflow.name))
    .map((workflow) => asTool(host, workflow));
}

function asTool(host: ToolHost, workflow: Workflow): Tool {
  const { name, description = `Runs the workflow "${name}".`, inputs = {} } = workflow;
  const given = Object.entries(inputs).filter(([, { secret }]) => !secret);
  return {
    name,
    title: name,
    description: `${description}\n\nIt may pause with a question: then call resume_workflow with checkpoint_id and the answer.`,
    hints: MOVES,
    moves: true,
    input: z.strictObject(Object.fromEntries(given.map(([input, declared]) => [input, schemaOf(declared)]))),
    output: RUN_REPORT,
    call: (input, call) => startRun(host, workflow, { inputs: input as Readonly<Record<string, unknown>> }, call),
  };
}

const TYPES: { readonly [type in InputDeclaration["type"]]: () => z.ZodMiniType } = {
  string: () => z.string(),
  integer: () => z.int(),
  number: () => z.number(),
  boolean: () => z.boolean(),
  array: () => z.array(z.unknown()),
  object: () => z.record(z.string(), z.unknown()),
};

function schemaOf({ type, description, required, default: preset, enum: values }: InputDeclaration): z.ZodMiniType {
  const plain: z.ZodMiniType = values ? z.union(values.map((value) => z.literal(value as string))) : TYPES[type]();
  const texts = [description, preset === undefined ? undefined : `Default: ${JSON.stringify(preset)}.`].filter(
    (part) => part !== undefined,
  );
  const told = texts.length > 0 ? plain.check(z.describe(texts.join(" "))) : plain;
  return (required ?? preset === undefined) ? told : z.optional(told);
}
