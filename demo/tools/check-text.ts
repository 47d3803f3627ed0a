import type { Problem, Workflow } from "wavepoint";
import { builtinBlocks } from "wavepoint/blocks";
import { checkWorkflow, workflowSchema } from "wavepoint/yaml";
import { agentEquipment } from "../agent/equipment.ts";
import { demoBlockTypes } from "../engine/block-types.ts";
import { openEffects } from "../engine/effects.ts";
import type { EditorSchema } from "./complete-yaml.ts";

/** What a text says: a workflow, or what is wrong with it. */
export interface CheckedText {
  readonly problems: readonly Problem[];
  /** Present where nothing is wrong that would keep it from running. */
  readonly workflow?: Workflow;
}

const effects = openEffects();
const blocks = [...demoBlockTypes(effects), ...agentEquipment(effects).blocks];

/** The form of workflow files, with the block types that the page has. */
export const SCHEMA = workflowSchema([...builtinBlocks, ...blocks]) as EditorSchema;

/** Checks a workflow with the block types that the page has. Never rejects for what the text says. */
export function checkText(text: string): Promise<CheckedText> {
  return checkWorkflow(text, { blocks });
}
