import { checkJson } from "../../model/json-schema.ts";
import { adviseName } from "../../model/suggestions.ts";
import type { JsonSchema } from "../../model/run.ts";
import type { Block, Workflow } from "../../model/workflow.ts";
import type { BlockType } from "../../ports/block.ts";
import { memberPath } from "../compile-value.ts";
import { withArticle } from "../../model/value-type.ts";
import { holdsReference } from "./walk-texts.ts";
import type { ProblemList } from "./problem-list.ts";
import { normalizeReference, type Names } from "../../expression/normalize-reference.ts";
import type { Reference } from "../../expression/syntax.ts";
import { formatPath } from "../../expression/walk-path.ts";
import { isWorkflowError, WorkflowError } from "../../model/errors.ts";
import { describeSchema } from "../lower-schema.ts";
import { visitWantedTexts } from "../wanted-text.ts";
import type { Capability, Grants } from "../../ports/grants.ts";

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

interface WantedTextCheck {
  readonly blockTypes: ReadonlyMap<string, BlockType>;
  readonly names: Names;
  readonly problems: ProblemList;
}

/** Reports references to lists and objects where a text is wanted, as far as it is known before a run what they lead to. */
export function checkWantedTexts(workflow: Workflow, { blockTypes, names, problems }: WantedTextCheck): void {
  const blocks = new Map(workflow.blocks.map((block) => [block.id, block]));
  const schemas = new Map<BlockType, JsonSchema | undefined>();
  const schemaOf = (type: BlockType): JsonSchema | undefined => {
    if (type.inputs && !schemas.has(type)) schemas.set(type, describeSchema(type.inputs));
    return schemas.get(type);
  };

  const typeOf = (reference: Reference, inner: Names): string | undefined => {
    const [root, name, part, field, ...more] = canonical(reference, inner)?.path ?? [];
    if (typeof name !== "string" || more.length > 0) return undefined;
    if (root === "inputs") return part === undefined ? workflow.inputs?.[name]?.type : undefined;
    const block = root === "blocks" && part === "outputs" ? blocks.get(name) : undefined;
    if (!block) return undefined;
    if (field === undefined) return "object";
    if (typeof field !== "string") return undefined;
    if (block.forEach !== undefined) return field === "results" || field === "keys" ? "array" : undefined;
    if (block.outputs && Object.hasOwn(block.outputs, field)) return block.outputs[field]!.type ?? "string";
    const outputs = blockTypes.get(block.type)?.outputs;
    const properties = outputs && "jsonSchema" in outputs ? outputs.jsonSchema.properties : undefined;
    const type = properties && Object.hasOwn(properties, field) ? properties[field]!.type : undefined;
    return typeof type === "string" ? type : undefined;
  };

  workflow.blocks.forEach((block, i) => {
    const type = blockTypes.get(block.type);
    const schema = type && schemaOf(type);
    if (!schema || !block.inputs) return;
    const inner = block.forEach === undefined ? names : { ...names, each: true };
    visitWantedTexts(schema, block.inputs, `blocks[${i}].inputs`, (reference, path, refuses) => {
      const given = typeOf(reference, inner);
      if ((given !== "array" && given !== "object") || !refuses(given)) return;
      const shown = formatPath(reference.path.map((part) => (typeof part === "object" ? "…" : part)));
      const kind = given === "array" ? "a list" : "an object";
      const message = `${block.type} "${block.id}" wants a text here, and \${${shown}} is ${kind}. Refer to a member of it, or put it into a text.`;
      problems.error("BLOCK_INPUT_INVALID", path, message, { column: reference.column });
    });
  });
}

function canonical(reference: Reference, names: Names): Reference | undefined {
  try {
    return normalizeReference(reference, names);
  } catch (thrown) {
    // What does not exist is reported where all references are checked.
    if (!isWorkflowError(thrown)) throw thrown;
    return undefined;
  }
}

const ADVICE: { readonly [capability in Capability]: string } = {
  files:
    "Give createExecutor grants: { files }, made by nodeFiles of wavepoint/node in Node or by opfsFiles of wavepoint/browser in a browser.",
  shell: "Commands run in Node only: give createExecutor grants: { shell }, made by nodeShell of wavepoint/node.",
  network: "Give createExecutor grants: { network }, made by allowHosts of wavepoint/network.",
};

/** Reports blocks whose type needs what the host did not grant. */
export function checkGrants(
  workflow: Workflow,
  {
    blockTypes,
    grants,
    problems,
  }: { readonly blockTypes: ReadonlyMap<string, BlockType>; readonly grants: Grants; readonly problems: ProblemList },
): void {
  const report = (path: string, id: string, type: string, capability: Capability): void =>
    problems.error("CAPABILITY_MISSING", path, missingGrant(id, type, capability), { details: { block: id, type, capability } });
  for (const [i, { id, type, outputs }] of workflow.blocks.entries()) {
    const missing = blockTypes.get(type)?.needs?.find((capability) => grants[capability] === undefined);
    if (missing) report(`blocks[${i}].type`, id, type, missing);
    else if (outputs && !grants.files) report(`blocks[${i}].outputs`, id, type, "files");
  }
}

/** Throws `CAPABILITY_MISSING` for a block that runs where its workflow was not checked: a run that was begun elsewhere. */
export function refuseUngranted(id: string, { type }: BlockType, capability: Capability): never {
  throw new WorkflowError("CAPABILITY_MISSING", missingGrant(id, type, capability), { details: { block: id, type, capability } });
}

function missingGrant(id: string, type: string, capability: Capability): string {
  return `Block "${id}" of type ${type} needs "${capability}", which this executor was not granted. ${ADVICE[capability]}`;
}
