import { WorkflowError } from "../../model/errors.ts";
import { parseFilePath, withoutScratch } from "../../model/file-path.ts";
import { isName } from "../../model/ids.ts";
import { checkJson } from "../../model/check-json.ts";
import { MAX_ITEMS } from "../../model/limits.ts";
import type { JsonSchema } from "../../model/json-schema.ts";
import { adviseName } from "../../model/suggestions.ts";
import { isRecord } from "../../model/value.ts";
import { showValue, withArticle } from "../../model/value-type.ts";
import { type Block, CALLING_TYPES, DEFAULT_MAX_DELAY_MS } from "../../model/workflow.ts";
import { type BlockType, neededBy } from "../../ports/block.ts";
import type { Capability } from "../../ports/grants.ts";
import { memberPath } from "../compile-value.ts";
import type { ProblemList } from "./problem-list.ts";
import { holdsReference, walkTexts, wholeReference } from "./read-texts.ts";
import type { Checked } from "./rule.ts";

const ENDS = ["fail", "skip"];
/** For who wrote a block type, and forgot to say so. */
const OF_ONES_OWN = " One of your own goes into the `blocks` of createExecutor.";

/** Reports what the keys of a block say that cannot be meant, each by itself and beside its type. */
export function checkBlocks({ workflow, graph: { plan }, blockTypes, grants, problems }: Checked): void {
  for (const [i, block] of workflow.blocks.entries()) {
    if (problems.isFull) return;
    const path = `blocks[${i}]`;
    checkKeys(block, path, problems);
    if (block.join !== undefined && plan && plan.dependencyStart[i] === plan.dependencyStart[i + 1]) {
      const message = `Block "${block.id}" depends on nothing, so there is nothing to join. Add what comes before it, or remove this key.`;
      problems.error("SCHEMA_INVALID", `${path}.join`, message);
    }
    checkFiles(block, path, problems);
    if (blockTypes === undefined) continue;
    const type = blockTypes.get(block.type);
    if (type === undefined) {
      const { sentence, details } = adviseName(block.type, blockTypes.keys());
      const message = `There is no block type "${block.type.slice(0, 128)}".${details.suggestion ? "" : OF_ONES_OWN}${sentence}`;
      problems.error("BLOCK_TYPE_UNKNOWN", `${path}.type`, message, details);
      continue;
    }
    if (type.within !== undefined && type.within !== workflow.name) {
      const message = `Block type "${block.type}" is a part of "${type.within}", and stands in no other workflow. Use the block type that calls it.`;
      problems.error("BLOCK_TYPE_UNKNOWN", `${path}.type`, message);
      continue;
    }
    checkQuestions(block, type, path, problems);
    if (type.inputs !== undefined && "jsonSchema" in type.inputs) checkLiterals(block, type.inputs.jsonSchema, `${path}.inputs`, problems);
    if (grants === undefined) continue;
    const missing = neededBy(type, block.inputs).find((capability) => grants[capability] === undefined);
    if (missing) problems.caught(missingGrant(block.id, type, missing), `${path}.type`);
    else if (block.outputs && !grants.files) problems.caught(missingGrant(block.id, type, "files"), `${path}.outputs`);
  }
}

function checkKeys(
  { id, forEach, maxParallel, retry, onTimeout, onEvent, next, onFailure }: Block,
  path: string,
  problems: ProblemList,
): void {
  if (forEach === undefined && maxParallel !== undefined) {
    const message = `Block "${id}" has no for_each, so there are no items to run at the same time. Add for_each, or remove this key.`;
    problems.error("SCHEMA_INVALID", `${path}.maxParallel`, message);
  }
  if (onFailure !== undefined && next?.some((entry) => onFailure === (typeof entry === "string" ? entry : entry.to))) {
    const message = `Block "${id}" leads to "${onFailure}" where it fails and where it does not. Let "${onFailure}" depend on it, with continue_on_error here.`;
    problems.error("SCHEMA_INVALID", `${path}.onFailure`, message);
  }
  const { delayMs = 0, maxDelayMs = DEFAULT_MAX_DELAY_MS } = retry ?? {};
  if (delayMs > maxDelayMs) {
    const message = `Block "${id}" waits ${delayMs} ms before its first retry, and at most ${maxDelayMs} ms before any. Lower delay_ms, or raise max_delay_ms.`;
    problems.error("SCHEMA_INVALID", `${path}.retry.delayMs`, message);
  }
  if (onTimeout !== undefined) checkConsequence(onTimeout, { key: `on_timeout of block "${id}"`, at: `${path}.onTimeout`, problems });
  for (const [event, follows] of Object.entries(onEvent ?? {})) {
    checkConsequence(follows, { key: `on_event of block "${id}"`, at: memberPath(`${path}.onEvent`, event), problems });
  }
}

/** What follows where a question has no answer. */
function checkConsequence(
  follows: NonNullable<Block["onTimeout"]>,
  { key, at, problems }: { readonly key: string; readonly at: string; readonly problems: ProblemList },
): void {
  if (typeof follows === "string") {
    if (ENDS.includes(follows)) return;
    const { details } = adviseName(follows, ENDS);
    const message = `The ${key} must be "fail", "skip" or { answer: … }, not "${String(follows).slice(0, 100)}".`;
    return problems.error("SCHEMA_INVALID", at, message, details);
  }
  const message = `The answer in the ${key} is taken as it is written, and holds a reference. Write the answer itself.`;
  const visit = (text: string, place: string): void => void (text.includes("${") && problems.error("SCHEMA_INVALID", place, message));
  walkTexts(follows.answer, `${at}.answer`, { problems, visit });
}

/** Names and paths of outputs from files. */
function checkFiles({ outputs = {} }: Block, blockPath: string, problems: ProblemList): void {
  for (const [name, { path, unsafe = false }] of Object.entries(outputs)) {
    const at = memberPath(`${blockPath}.outputs`, name);
    if (!isName(name)) {
      const message = `${showValue(name)} is not a valid name of an output. Use 1 to 128 letters (a to z), digits, "_" or "-".`;
      problems.error("ID_INVALID", at, message, { isKey: true });
    }
    if (holdsReference(path)) continue;
    const inScratch = withoutScratch(path);
    try {
      parseFilePath(inScratch ?? path, { absolute: unsafe && inScratch === undefined });
    } catch (thrown) {
      problems.caught(thrown, `${at}.path`);
    }
  }
}

/** What is said of the questions of a block that asks none. */
function checkQuestions(
  { id, type, answerTimeoutMs, onTimeout, onEvent, skippable, declinable }: Block,
  { resume }: BlockType,
  path: string,
  problems: ProblemList,
): void {
  if ((answerTimeoutMs ?? onTimeout) !== undefined && !resume) {
    const key = answerTimeoutMs === undefined ? "onTimeout" : "answerTimeoutMs";
    const message = `Block "${id}" of type ${type} asks nothing, so no answer can come too late. Remove this key, or limit its work by timeout_ms.`;
    problems.error("BLOCK_NOT_INTERACTIVE", `${path}.${key}`, message);
  }
  if (onEvent && !resume) {
    const message = `Block "${id}" of type ${type} asks nothing, so there is no question that an event could end. Let a Wait block wait for the event.`;
    problems.error("BLOCK_NOT_INTERACTIVE", `${path}.onEvent`, message);
  }
  if (resume && !CALLING_TYPES.has(type)) return;
  for (const [key, use] of [
    ["skippable", skippable],
    ["declinable", declinable],
  ] as const) {
    if (!use) continue;
    const message = `Block "${id}" of type ${type} asks nothing itself, so it cannot be ${key}. Say it of the block that asks.`;
    problems.error("BLOCK_NOT_INTERACTIVE", `${path}.${key}`, message);
  }
}

/** Inputs written without references that the JSON Schema of the block type refuses. Patterns are left to the block. */
function checkLiterals({ id, type, inputs = {} }: Block, schema: JsonSchema, path: string, problems: ProblemList): void {
  const known = new Map(Object.entries(schema.properties ?? {}));
  const report = (name: string, message: string, more = {}): void =>
    problems.error("BLOCK_INPUT_INVALID", memberPath(path, name), `${type} "${id}": ${message}`, more);

  const misspelt = new Set<string>();
  for (const [name, value] of Object.entries(inputs)) {
    const member = known.get(name);
    if (member === undefined && schema.additionalProperties === false) {
      const { sentence, details } = adviseName(name, known.keys());
      report(name, `"${name}" is no input of this block type.${sentence}`, { isKey: true, ...details });
      if (details.suggestion !== undefined) misspelt.add(details.suggestion);
    } else if (member !== undefined && !holdsReference(value)) {
      for (const issue of checkJson(member, value, { matches: () => true })) {
        const at = issue.path === "" || issue.path.startsWith("[") ? `${name}${issue.path}` : `${name}.${issue.path}`;
        report(name, `the input "${at}" ${issue.message}.`);
      }
    }
  }
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(inputs, name) || misspelt.has(name)) continue;
    const wanted = known.get(name)?.type;
    report(name, `the input "${name}" is missing. Give ${typeof wanted === "string" ? withArticle(wanted) : "it"}.`);
  }
}

function wholeNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** Reports a `for_each` that can never give items. */
export function checkEach({ workflow: { blocks, inputs = {} }, texts, problems }: Checked): void {
  const report = (block: number, reason: string): void =>
    problems.error("EACH_INVALID", `blocks[${block}].forEach`, `The for_each of block "${blocks[block]!.id}" ${reason}`);

  for (const [i, { forEach }] of blocks.entries()) {
    if (forEach === undefined || typeof forEach === "string") continue;
    const count = Array.isArray(forEach) ? forEach.length : isRecord(forEach) ? Object.keys(forEach).length : wholeNumber(forEach);
    if (count === undefined) report(i, `must be a list, an object, a count or a reference to one, not ${showValue(forEach)}.`);
    else if (count > MAX_ITEMS) report(i, `has ${count} items, of ${MAX_ITEMS} allowed. Split them.`);
  }
  for (const text of texts) {
    if (text.section !== "forEach" || text.keys.length > 0 || text.template === undefined) continue;
    const [only, ...more] = text.template.parts;
    if (typeof only !== "object" || more.length > 0) {
      report(text.block!, "is a text. Give a list, an object, a count or one reference to it: ${inputs.name}.");
      continue;
    }
    const [root, name, ...members] = wholeReference(text)?.path ?? [];
    const isInput = root === "inputs" && members.length === 0 && Object.hasOwn(inputs, String(name));
    const declared = isInput ? inputs[String(name)] : undefined;
    if (declared === undefined || !["string", "boolean"].includes(declared.type)) continue;
    report(text.block!, `refers to an input that is ${withArticle(declared.type)}. It must be an array, an object or a number.`);
  }
}

const WHERE_TO_GRANT: { readonly [capability in Capability]: string } = {
  files:
    "Give createExecutor grants: { files }, made by nodeFiles of wavepoint/node in Node or by opfsFiles of wavepoint/browser in a browser.",
  shell: "Commands run in Node only: give createExecutor grants: { shell }, made by nodeShell of wavepoint/node.",
  network: "Give createExecutor grants: { network }, made by allowHosts of wavepoint/network.",
  models: "Give createExecutor grants: { models: { name: model } }.",
};

/** The error for a block whose type needs what the host did not grant: `CAPABILITY_MISSING`. */
export function missingGrant(block: string, { type }: BlockType, capability: Capability): WorkflowError {
  const message = `Block "${block}" of type ${type} needs "${capability}", which this executor was not granted. ${WHERE_TO_GRANT[capability]}`;
  return new WorkflowError("CAPABILITY_MISSING", message, { details: { block, type, capability } });
}
