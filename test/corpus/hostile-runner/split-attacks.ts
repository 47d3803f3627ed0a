import type { Block, Workflow } from "wavepoint";
import { isWorkflowError } from "wavepoint";
import { loadWorkflow } from "wavepoint/yaml";
import type { HostileInput } from "./verdict.ts";

/** Codes of the manifest for what one block or one variable attacks: where several stand in a workflow, each must be refused by itself. */
const SEPARATE = new Set(["E_PATH_ESCAPE", "E_PATH_RESERVED", "E_FILE_KIND", "E_ENCODING", "E_SCHEMA", "E_ENV_FORBIDDEN"]);

/** The workflows to try: one for each block and each variable of the environment, if the refusal of one could hide that others come through. */
export function splitAttacks({ expect: { outcome, code } }: HostileInput, text: string): readonly (() => Workflow)[] {
  const whole = (): Workflow => loadWorkflow(text);
  if (!outcome.startsWith("reject-") || outcome.includes("-or-") || !SEPARATE.has(code)) return [whole];
  let workflow: Workflow;
  try {
    workflow = whole();
  } catch (thrown) {
    if (!isWorkflowError(thrown)) throw thrown;
    return [whole];
  }
  if (workflow.blocks.some(({ dependsOn = [] }) => dependsOn.length > 0)) return [whole];
  const alone = workflow.blocks.flatMap(splitBlock).map((block) => ({ ...workflow, blocks: [block] }));
  return [whole, ...alone.map((one) => () => one)];
}

function splitBlock(block: Block): readonly Block[] {
  const env = block.inputs?.["env"];
  if (typeof env !== "object" || env === null) return [block];
  return Object.entries(env).map(([name, value]): Block => ({ ...block, inputs: { ...block.inputs, env: { [name]: value } } }));
}
