import { normalizeReference, type Names } from "../../expression/normalize-reference.ts";
import { parseCondition } from "../../expression/parse-condition.ts";
import { parseTemplate } from "../../expression/parse-template.ts";
import { conditionReferences } from "../../expression/references.ts";
import { isReference } from "../../expression/scope.ts";
import type { Reference } from "../../expression/syntax.ts";
import { type Block, CALLING_TYPES, type Workflow } from "../../model/workflow.ts";
import { isWorkflowError, WorkflowError } from "../../model/errors.ts";
import { isRecord, type Value } from "../../model/value.ts";
import type { BlockType } from "../../ports/block.ts";
import { memberPath } from "../compile-value.ts";
import { listProblems, type ProblemList } from "./problem-list.ts";
import { walkTexts } from "./walk-texts.ts";

/** What is known beside the workflow. */
export interface SecretCheck {
  /** By name; where they are not known, inputs of blocks are not looked at. */
  readonly blockTypes?: ReadonlyMap<string, BlockType>;
  /** A workflow that can be called, by its name. Default: what called workflows declare is not looked at. */
  readonly findWorkflow?: (name: string) => Workflow | undefined;
  readonly problems: ProblemList;
}

/** What may stand in a place: no secret, any, or only those of the workflow's own inputs. */
type Allowed = "none" | "all" | "inputs";

/**
 * Reports secrets that stand where their value could be kept: `${secrets.NAME}` and secret inputs may only be used in inputs of blocks whose type
 * lists them. A secret input may also be passed on to a secret input of another workflow.
 */
export function checkSecrets(workflow: Workflow, check: SecretCheck): void {
  const inputs = Object.entries(workflow.inputs ?? {}).filter(([, { secret }]) => secret === true);
  if (inputs.length === 0 && !mentionsSecrets(workflow)) return;
  for (const [name, { type }] of inputs) {
    if (type === "string") continue;
    check.problems.error("SCHEMA_INVALID", `${memberPath("inputs", name)}.type`, `Input "${name}" is secret, so its type must be string.`);
  }
  const walk: SecretWalk = {
    ...check,
    secretInputs: new Set(inputs.map(([name]) => name)),
    names: { inputs: new Map(Object.entries(workflow.inputs ?? {})), blocks: new Set(workflow.blocks.map(({ id }) => id)), each: true },
  };
  workflow.blocks.forEach((block, i) => checkBlock(block, `blocks[${i}]`, walk));
  checkValue(workflow.label ?? null, "label", "none", walk);
  for (const [name, output] of Object.entries(workflow.outputs ?? {})) {
    const path = memberPath("outputs", name);
    if (typeof output === "string") checkValue(output, path, "none", walk);
    else checkValue(output.value, `${path}.value`, "none", walk);
  }
}

/** Throws the first problem of {@link checkSecrets}, for a definition that was checked elsewhere. */
export function assertSecretPlaces(workflow: Workflow, blockTypes: ReadonlyMap<string, BlockType>): void {
  const problems = listProblems();
  checkSecrets(workflow, { blockTypes, problems });
  const [first] = problems.problems;
  if (first) throw new WorkflowError(first.code, first.message, { place: first.path === undefined ? {} : { path: first.path } });
}

interface SecretWalk extends SecretCheck {
  readonly secretInputs: ReadonlySet<string>;
  readonly names: Names;
}

function mentionsSecrets(value: unknown): boolean {
  if (typeof value === "string") return value.includes("${") && value.includes("secrets");
  return typeof value === "object" && value !== null && Object.values(value).some(mentionsSecrets);
}

function checkBlock(block: Block, path: string, walk: SecretWalk): void {
  const type = walk.blockTypes?.get(block.type);
  for (const [name, value] of Object.entries(block.inputs ?? {})) {
    const at = memberPath(`${path}.inputs`, name);
    if (CALLING_TYPES.has(block.type) && name === "inputs") checkCall(block, value, at, walk);
    else if (type) checkValue(value, at, type.secretInputs?.includes(name) ? "all" : "none", walk);
  }
  if (typeof block.condition === "string") checkCondition(block.condition, `${path}.condition`, walk);
  checkValue(block.forEach ?? null, `${path}.forEach`, "none", walk);
  for (const [name, output] of Object.entries(block.outputs ?? {})) {
    checkValue(output.path, `${memberPath(`${path}.outputs`, name)}.path`, "none", walk);
  }
}

/** What a called workflow is given: secret inputs, where it keeps them secret too. */
function checkCall(block: Block, given: Value, path: string, walk: SecretWalk): void {
  if (!isRecord(given)) return checkValue(given, path, "none", walk);
  const called = block.inputs?.["workflow"];
  const declared = typeof called === "string" ? walk.findWorkflow?.(called)?.inputs : undefined;
  for (const [name, value] of Object.entries(given)) {
    const isOpen = declared && Object.hasOwn(declared, name) && declared[name]!.secret !== true;
    const advice = `Declare the input "${name}" of workflow "${String(called)}" with secret: true.`;
    checkValue(value as Value, memberPath(path, name), isOpen ? "none" : "inputs", isOpen ? { ...walk, advice } : walk);
  }
}

type AdvisedWalk = SecretWalk & { readonly advice?: string };

function checkValue(value: Value, path: string, allowed: Allowed, walk: AdvisedWalk): void {
  const visit = (text: string, at: string): void => {
    if (!text.includes("${")) return;
    try {
      for (const part of parseTemplate(text).parts) if (typeof part !== "string") checkReference(part, at, allowed, walk);
    } catch (thrown) {
      ignoreKnown(thrown);
    }
  };
  // What else is wrong with these values is reported by those who read them.
  walkTexts(value, path, { problems: listProblems(), visit });
}

function checkCondition(text: string, path: string, walk: SecretWalk): void {
  try {
    for (const reference of conditionReferences(parseCondition(text))) checkReference(reference, path, "none", walk);
  } catch (thrown) {
    ignoreKnown(thrown);
  }
}

function checkReference(reference: Reference, path: string, allowed: Allowed, walk: AdvisedWalk): void {
  for (const part of reference.path) if (isReference(part)) checkReference(part, path, "none", walk);
  const written = namedSecret(reference, walk);
  if (written === undefined || allowed === "all" || (allowed === "inputs" && !written.startsWith("secrets"))) return;
  const places = walk.advice ?? describePlaces(walk);
  walk.problems.error(
    "SECRET_MISPLACED",
    path,
    `\${${written}} is secret and cannot stand here, where its value would be kept. ${places}`,
    {
      column: reference.column,
    },
  );
}

/** The secret that a reference names, or could name. */
function namedSecret(reference: Reference, { secretInputs, names }: SecretWalk): string | undefined {
  let path: Reference["path"];
  try {
    ({ path } = normalizeReference(reference, names));
  } catch (thrown) {
    ignoreKnown(thrown);
    return undefined;
  }
  const [root, name] = path;
  if (root === "secrets") return `secrets.${String(name)}`;
  if (root !== "inputs" || secretInputs.size === 0) return undefined;
  if (name !== undefined && isReference(name)) return "inputs.…";
  return secretInputs.has(String(name)) ? `inputs.${String(name)}` : undefined;
}

function describePlaces({ blockTypes }: SecretWalk): string {
  const places: string[] = [];
  for (const { type, secretInputs } of blockTypes?.values() ?? []) {
    for (const input of secretInputs ?? []) places.push(`"${input}" of ${type}`);
  }
  return places.length > 0 ? `Secrets may stand in ${places.join(", ")}.` : "Secrets may stand in inputs of blocks whose type takes them.";
}

/** What cannot be parsed or does not exist is reported where all references are checked. */
function ignoreKnown(thrown: unknown): void {
  if (!isWorkflowError(thrown)) throw thrown;
}
