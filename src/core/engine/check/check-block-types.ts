import { checkJson } from "../../model/json-schema.ts";
import { adviseName } from "../../model/nearest.ts";
import type { JsonSchema } from "../../model/run.ts";
import type { Block, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import { memberPath } from "../compile-value.ts";
import { withArticle } from "../value-type.ts";
import { holdsReference } from "./holds-reference.ts";
import type { ProblemList } from "./problem-list.ts";

/** For who wrote a block type, and forgot to say so. */
const OF_ONES_OWN = " One of your own goes into the `blocks` of createExecutor.";

/** Reports unknown block types, and inputs written without references that a block type's JSON Schema refuses. Patterns are left to the block. */
export function checkBlockTypes(workflow: Workflow, blockTypes: ReadonlyMap<string, BlockType>, problems: ProblemList): void {
  for (const [i, block] of workflow.blocks.entries()) {
    if (problems.isFull) return;
    const blockType = blockTypes.get(block.type);
    if (blockType === undefined) {
      const advice = adviseName(block.type, blockTypes.keys());
      problems.error(
        "BLOCK_TYPE_UNKNOWN",
        `blocks[${i}].type`,
        `There is no block type "${block.type}".${advice.details.suggestion ? "" : OF_ONES_OWN}${advice.sentence}`,
        advice.details,
      );
    } else if (blockType.inputs !== undefined && "jsonSchema" in blockType.inputs) {
      checkLiterals(block, blockType.inputs.jsonSchema, { path: `blocks[${i}].inputs`, problems });
    }
  }
}

function checkLiterals(block: Block, schema: JsonSchema, at: { readonly path: string; readonly problems: ProblemList }): void {
  const given = new Map(Object.entries(block.inputs ?? {}));
  const known = new Map(Object.entries(schema.properties ?? {}));
  const report = (name: string, message: string, more = {}): void =>
    at.problems.error("BLOCK_INPUT_INVALID", memberPath(at.path, name), `${block.type} "${block.id}": ${message}`, more);

  const misspelt = new Set<string>();
  for (const [name, value] of given) {
    const member = known.get(name);
    if (member === undefined && schema.additionalProperties === false) {
      const { sentence, details } = adviseName(name, known.keys());
      report(name, `"${name}" is no input of this block type.${sentence}`, { isKey: true, ...details });
      if (details.suggestion !== undefined) misspelt.add(details.suggestion);
    } else if (member !== undefined && !holdsReference(value)) {
      for (const issue of checkJson(member, value, { matches: () => true })) {
        const path = issue.path === "" ? name : issue.path.startsWith("[") ? `${name}${issue.path}` : `${name}.${issue.path}`;
        report(name, `the input "${path}" ${issue.message}.`);
      }
    }
  }
  for (const name of schema.required ?? []) {
    const type = known.get(name)?.type;
    if (given.has(name) || misspelt.has(name)) continue;
    report(name, `the input "${name}" is missing. Give ${typeof type === "string" ? withArticle(type) : "it"}.`);
  }
}
