import type { Block, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import type { Grants } from "../../ports/grants.ts";
import type { ChannelReducers } from "../../ports/reducer.ts";
import type { CheckedGraph } from "./check-graph.ts";
import type { ProblemList } from "./problem-list.ts";
import type { WrittenText } from "./read-texts.ts";

/** What is known beside the workflow. */
export interface CheckContext {
  /** The block types that will run it, by name. Default: types are not looked at. */
  readonly blockTypes?: ReadonlyMap<string, BlockType>;
  /** The reducers of channels that the host gives, by name. Default: which reducer a channel names is not looked at. */
  readonly reducers?: ChannelReducers;
  /** What the host grants. Default: grants are not looked at. */
  readonly grants?: Grants;
  /** A loaded workflow by its name. Default: what called workflows declare is not looked at. */
  readonly findWorkflow?: (name: string) => Workflow | undefined;
}

/** A definition whose shape is right, with its graph planned and its texts read. */
export interface Checked extends CheckContext {
  readonly workflow: Workflow;
  readonly graph: CheckedGraph;
  readonly texts: readonly WrittenText[];
  readonly problems: ProblemList;
}

/** Reports one kind of mistake. */
export type Rule = (checked: Checked) => void;

/** The blocks of a workflow by their ids. */
export function blocksOf({ blocks }: Workflow): ReadonlyMap<string, Block> {
  return new Map(blocks.map((block) => [block.id, block]));
}

/** The outputs that a block gives, by its id; nothing where they cannot be known before it runs. */
export type DeclaredOutputs = (block: string) => { readonly type: string; readonly names: ReadonlySet<string> } | undefined;

/**
 * What block types declare in a JSON Schema that requires some outputs, with those that blocks leave in files. A type that requires none, such as one
 * that gives the outputs of another workflow, may give any; with `for_each` there are results instead.
 */
export function declaredOutputs({ workflow, blockTypes }: Checked): DeclaredOutputs {
  const blocks = blocksOf(workflow);
  return (id) => {
    const block = blocks.get(id);
    const outputs = block && blockTypes?.get(block.type)?.outputs;
    if (!outputs || block.forEach !== undefined || !("jsonSchema" in outputs)) return undefined;
    const { properties, required, additionalProperties = false } = outputs.jsonSchema;
    if (!properties || !required?.length || additionalProperties !== false) return undefined;
    return { type: block.type, names: new Set([...Object.keys(properties), ...Object.keys(block.outputs ?? {})]) };
  };
}
