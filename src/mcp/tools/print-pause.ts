import { executeWorkflowBlock } from "../../core/blocks/execute-workflow.ts";
import { choicesOf } from "../../core/model/choices.ts";
import { type JsonSchema } from "../../core/model/json-schema.ts";
import { localizeSchema } from "../../core/model/localize-schema.ts";
import type { Pause } from "../../core/model/run.ts";
import type { Workflow } from "../../core/model/workflow.ts";

/**
 * A question as clients without controls print it: which called workflow asks, the author's words, the numbered choices, and how to answer.
 * `workflow` is the one whose run the pause belongs to.
 */
export function printPause({ path, prompt, schema, metadata }: Pause, workflow: Workflow | undefined): string {
  return callerOf(path, workflow) + printQuestion(prompt, schema, metadata["kind"]);
}

function printQuestion(prompt: string, schema: JsonSchema, kind: unknown): string {
  const choices = choicesOf(localizeSchema(schema));
  if (kind === "confirm")
    return `Confirm operation: ${prompt}\n\nRespond with '${String(choices[0]?.const)}' or '${String(choices[1]?.const)}'`;
  if (kind !== "choice") return prompt;
  const lines = choices.map((choice, index) => `${index + 1}. ${choice.title ?? String(choice.const)}`);
  return `${prompt}\n\nChoices:\n${lines.join("\n")}\n\nRespond with the number of your choice.`;
}

function callerOf([first, ...deeper]: readonly string[], workflow: Workflow | undefined): string {
  if (first === undefined || deeper.length === 0) return "";
  const block = workflow?.blocks.find(({ id }) => id === first.replace(/\[\d+\]$/, ""));
  // What an agent asks is no question of a workflow that was called.
  if (block && block.type !== executeWorkflowBlock.type) return "";
  const called = block?.inputs?.["workflow"];
  return typeof called === "string" && !called.includes("${") ? `[Child workflow '${called}'] ` : "[Child workflow] ";
}
