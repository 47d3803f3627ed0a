import type { Value } from "../core/model/value.ts";
import type { LocalizedText } from "../core/model/localized-text.ts";
import type { OutputDeclaration, ValueType } from "../core/model/workflow.ts";
import { type Plan, planWaves } from "../core/definition/definition.ts";
import { sourceMember, type Registered } from "./registered.ts";

/** One line of a list of workflows. */
export interface WorkflowSummary {
  readonly name: string;
  readonly description?: string;
  readonly version?: string;
  readonly author?: string;
  readonly tags: readonly string[];
  /** The file, the address or another name it was added under. */
  readonly source?: string;
  readonly totalBlocks: number;
  readonly totalWaves: number;
}

/** All there is to know about a workflow without running it. */
export interface WorkflowInfo extends WorkflowSummary {
  readonly inputs: readonly InputInfo[];
  /** In the order of the definition. */
  readonly blocks: readonly BlockInfo[];
  /** The ids of the blocks that run together, wave by wave. */
  readonly waves: readonly (readonly string[])[];
  readonly outputs: readonly OutputInfo[];
}

/** An input as a list of workflows tells it. */
export interface InputInfo {
  readonly name: string;
  readonly type: ValueType;
  readonly description?: string;
  /** Whether a run must be given it. */
  readonly required: boolean;
  readonly default?: Value;
  readonly enum?: readonly Value[];
  readonly secret: boolean;
}

/** A block as a list of workflows tells it. */
export interface BlockInfo {
  readonly id: string;
  readonly type: string;
  readonly description?: string;
  readonly dependsOn: readonly { readonly block: string; readonly required: boolean }[];
  readonly condition?: string | boolean;
  /** What it runs once for each item of. */
  readonly forEach?: Value;
  /** Counted from 0; -1 for a block that only undoes another one. */
  readonly wave: number;
}

/** An output as a list of workflows tells it. */
export interface OutputInfo {
  readonly name: string;
  readonly title?: LocalizedText;
  readonly type?: ValueType;
  readonly description?: string;
  readonly value: Value;
}

/** The line of a valid workflow in a list. */
export function summarizeWorkflow(registered: Registered): WorkflowSummary {
  return summarize(registered, planWaves(registered.workflow.blocks));
}

/**
 * Everything about a valid workflow, its waves included, without running it. What it calls and refers to is not checked. Throws `ID_DUPLICATE`,
 * `DEPENDENCY_UNKNOWN` and `DEPENDENCY_CYCLE` for one whose blocks have no order.
 */
export function describeWorkflow(registered: Registered): WorkflowInfo {
  const { workflow } = registered;
  const plan = planWaves(workflow.blocks);
  return {
    ...summarize(registered, plan),
    inputs: Object.entries(workflow.inputs ?? {}).map(([name, { required, secret, ...declared }]) => ({
      name,
      ...declared,
      required: required ?? declared.default === undefined,
      secret: secret ?? false,
    })),
    blocks: workflow.blocks.map(({ id, type, description, dependsOn = [], condition, forEach }, index) => ({
      id,
      type,
      ...(description === undefined ? {} : { description }),
      dependsOn: dependsOn.map((dependency) =>
        typeof dependency === "string"
          ? { block: dependency, required: true }
          : { block: dependency.block, required: dependency.required ?? true },
      ),
      ...(condition === undefined ? {} : { condition }),
      ...(forEach === undefined ? {} : { forEach }),
      wave: plan.waveOf[index]!,
    })),
    waves: plan.waves.map((wave) => wave.map((block) => plan.ids[block]!)),
    outputs: Object.entries(workflow.outputs ?? {}).map(([name, output]) => ({ name, ...declaredOutput(output) })),
  };
}

function summarize({ workflow, source }: Registered, plan: Plan): WorkflowSummary {
  const { name, description, version, author, tags = [] } = workflow;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(version === undefined ? {} : { version }),
    ...(author === undefined ? {} : { author }),
    tags,
    ...sourceMember(source),
    totalBlocks: plan.ids.length,
    totalWaves: plan.waves.length,
  };
}

function declaredOutput(output: string | OutputDeclaration): OutputDeclaration {
  return typeof output === "string" ? { value: output } : output;
}
