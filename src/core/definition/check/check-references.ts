import { ITEM_METADATA } from "../../expression/normalize-reference.ts";
import { formatPath } from "../../expression/walk-path.ts";
import type { JsonSchema } from "../../model/json-schema.ts";
import type { Block } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import { describeSchema } from "../../ports/lower-schema.ts";
import { schemaAt, wantsText } from "../wanted-text.ts";
import { type WrittenReference, wholeReference } from "./read-texts.ts";
import { blocksOf, type Checked } from "./rule.ts";

/** Reports references to blocks that need not have finished by then, and to what a block with or without `for_each` does not have. */
export function checkOrder({ workflow, graph: { plan, tangled }, texts, problems }: Checked): void {
  const blocks = blocksOf(workflow);
  const undone = new Map([...(plan?.compensations ?? [])].map(([block, by]) => [by, block]));
  /** How early a reader comes: what undoes a block comes after it, and knows it and what was before it. */
  const isSettled = (target: number, reader: number): boolean => {
    const of = undone.get(reader);
    return of === target || plan!.waveOf[target]! < plan!.waveOf[of ?? reader]!;
  };
  for (const { path: at, block: own, section, references } of texts) {
    // What is looked at once the block has completed sees the block itself.
    const self = section === "writes" || section === "repeatWhile" ? workflow.blocks[own!]!.id : undefined;
    for (const { path, column } of references) {
      const [root, id, part, field] = path;
      if (root !== "blocks" || typeof id !== "string") continue;
      if (id === self) continue;
      const isRepeated = blocks.get(id)?.forEach !== undefined;
      if (part === "metadata" && ITEM_METADATA.includes(String(field)) && !isRepeated) {
        const message = `Block "${id}" has no for_each, so it has no "${String(field)}" of items.`;
        problems.error("REFERENCE_UNKNOWN", at, message, { column });
      }
      if (part === "files" && section !== "inputs" && section !== "outputs" && holdsBytes(path)) {
        const message = `The bytes of a file of block "${id}" are given to inputs and outputs alone. Refer to its name, type, size or hash.`;
        problems.error("REFERENCE_FORBIDDEN", at, message, { column });
      }
      if (part === "inputs" && isRepeated) {
        const message = `Block "${id}" has other inputs for each item. Refer to its outputs: \${blocks.${id}.outputs.results}.`;
        problems.error("REFERENCE_UNKNOWN", at, message, { column });
      }
      if (own === undefined || plan === undefined || isSettled(plan.index.get(id)!, own)) continue;
      const reader = workflow.blocks[own]!.id;
      // What is next is chosen once the block has come to its end.
      if (section === "next" && id === reader) continue;
      if (!tangled.has(id) && !tangled.has(reader)) problems.error("REFERENCE_TOO_EARLY", at, tooEarly(reader, id), { column });
    }
  }
}

/** Whether a reference leads to a whole file, or to its bytes. */
function holdsBytes(path: readonly unknown[]): boolean {
  return path.length === 4 || path[4] === "bytes";
}

function tooEarly(block: string, target: string): string {
  if (block === target) return `Block "${block}" refers to itself. It has no outputs before it has run.`;
  return `Block "${block}" refers to "${target}", which need not have finished by then. Add "${target}" to its dependencies.`;
}

/** Reports references to lists and objects where a text is wanted, as far as it is known before a run what they lead to. */
export function checkWantedTexts(checked: Checked): void {
  const { workflow, texts, blockTypes, problems } = checked;
  if (blockTypes === undefined) return;
  const blocks = blocksOf(workflow);
  const schemas = new Map<BlockType, JsonSchema | undefined>();
  const schemaOf = (type: BlockType): JsonSchema | undefined => {
    if (type.inputs && !schemas.has(type)) schemas.set(type, describeSchema(type.inputs));
    return schemas.get(type);
  };
  for (const text of texts) {
    const reference = text.section === "inputs" ? wholeReference(text) : undefined;
    const given = reference && typeOf(reference, checked, blocks);
    if (given !== "array" && given !== "object") continue;
    const { id, type: name } = workflow.blocks[text.block!]!;
    const type = blockTypes.get(name);
    if (!type || !wantsText(schemaAt(schemaOf(type), text.keys), given)) continue;
    const shown = formatPath(reference!.written.path.map((part) => (typeof part === "object" ? "…" : part)));
    const kind = given === "array" ? "a list" : "an object";
    const message = `${name} "${id}" wants a text here, and \${${shown}} is ${kind}. Refer to a member of it, or put it into a text.`;
    problems.error("BLOCK_INPUT_INVALID", text.path, message, { column: reference!.column });
  }
}

/** The type of what a reference leads to, where that is known. */
function typeOf(
  { path }: WrittenReference,
  { workflow, blockTypes }: Checked,
  blocks: ReadonlyMap<string, Block>,
): JsonSchema["type"] | undefined {
  const [root, name, part, field, ...more] = path;
  if (typeof name !== "string" || more.length > 0) return undefined;
  if (root === "inputs") return part === undefined ? workflow.inputs?.[name]?.type : undefined;
  const block = root === "blocks" && part === "outputs" ? blocks.get(name) : undefined;
  if (!block) return undefined;
  if (field === undefined) return "object";
  if (typeof field !== "string") return undefined;
  if (block.forEach !== undefined) return field === "results" || field === "keys" ? "array" : undefined;
  if (block.outputs && Object.hasOwn(block.outputs, field)) return block.outputs[field]!.type ?? "string";
  const outputs = blockTypes?.get(block.type)?.outputs;
  const properties = outputs && "jsonSchema" in outputs ? outputs.jsonSchema.properties : undefined;
  return properties && Object.hasOwn(properties, field) ? properties[field]!.type : undefined;
}
