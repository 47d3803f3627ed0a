import type { Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";

/** The outputs that a block gives, by its id; nothing where they cannot be known before it runs. */
export type DeclaredOutputs = (block: string) => { readonly type: string; readonly names: ReadonlySet<string> } | undefined;

/**
 * What block types declare in a JSON Schema that requires some outputs, with those that blocks leave in files. A type that requires none, such as one
 * that gives the outputs of another workflow, may give any; with `for_each` there are results instead.
 */
export function declaredOutputs(workflow: Workflow, blockTypes: ReadonlyMap<string, BlockType> | undefined): DeclaredOutputs {
  const blocks = new Map(workflow.blocks.map((block) => [block.id, block]));
  return (id) => {
    const block = blocks.get(id);
    const outputs = block && blockTypes?.get(block.type)?.outputs;
    if (!outputs || block.forEach !== undefined || !("jsonSchema" in outputs)) return undefined;
    const { properties, required, additionalProperties = false } = outputs.jsonSchema;
    if (!properties || !required?.length || additionalProperties !== false) return undefined;
    return { type: block.type, names: new Set([...Object.keys(properties), ...Object.keys(block.outputs ?? {})]) };
  };
}
