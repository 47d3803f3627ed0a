import { parseTemplate } from "../../expression/parse-template.ts";
import { MAX_ITEMS } from "../../model/limits.ts";
import { isRecord, type Value } from "../../model/value.ts";
import { CALLING_TYPES, type InputDeclaration, type Workflow } from "../../model/workflow.ts";
import { showValue, withArticle } from "../../model/value-type.ts";
import type { ProblemList } from "./problem-list.ts";
import { adviseName } from "../../model/suggestions.ts";
import type { BlockType } from "../../ports/block.ts";
import { walkTexts } from "./walk-texts.ts";

/** Reports a `for_each` that can never give items, and a `max_parallel` without one. */
export function checkEach(workflow: Workflow, problems: ProblemList): void {
  for (const [i, block] of workflow.blocks.entries()) {
    const { id, forEach, maxParallel } = block;
    if (forEach !== undefined) {
      const reason = refuseItems(forEach, workflow);
      if (reason !== undefined) problems.error("EACH_INVALID", `blocks[${i}].forEach`, `The for_each of block "${id}" ${reason}`);
    } else if (maxParallel !== undefined) {
      const message = `Block "${id}" has no for_each, so there are no items to run at the same time. Add for_each, or remove this key.`;
      problems.error("SCHEMA_INVALID", `blocks[${i}].maxParallel`, message);
    }
  }
}

/** Why a value as it is written gives no items, as the end of a sentence; nothing if it may. */
function refuseItems(forEach: Value, workflow: Workflow): string | undefined {
  if (typeof forEach === "string") return refuseText(forEach, workflow);
  const count = Array.isArray(forEach) ? forEach.length : isRecord(forEach) ? Object.keys(forEach).length : undefined;
  if (count === undefined) return `must be a list, an object or a reference to one, not ${showValue(forEach)}.`;
  return count > MAX_ITEMS ? `has ${count} items, of ${MAX_ITEMS} allowed. Split them.` : undefined;
}

function refuseText(text: string, { inputs }: Workflow): string | undefined {
  let parts: ReturnType<typeof parseTemplate>["parts"];
  try {
    ({ parts } = parseTemplate(text));
  } catch {
    // What is wrong with the text itself is reported by those who read all texts.
    return undefined;
  }
  const [only, ...more] = parts;
  if (more.length > 0 || typeof only !== "object") return "is a text. Give a list, an object or one reference to it: ${inputs.name}.";
  const [root, name] = only.path;
  const declared = root === "inputs" && typeof name === "string" && only.path.length === 2 ? inputOf(inputs, name) : undefined;
  if (declared === undefined || declared.type === "array" || declared.type === "object") return undefined;
  return `refers to an input that is ${withArticle(declared.type)}. It must be an array or an object.`;
}

function inputOf(inputs: Workflow["inputs"], name: string): InputDeclaration | undefined {
  return inputs && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
}

/** The longest delay of a policy that names none; `RetryPolicy.maxDelayMs`. */
const DEFAULT_MAX_DELAY_MS = 60_000;

/** Reports delays between attempts that are longer than the longest one. */
export function checkRetry({ blocks }: Workflow, problems: ProblemList): void {
  for (const [i, { id, retry }] of blocks.entries()) {
    const { delayMs = 0, maxDelayMs } = retry ?? {};
    if (delayMs <= (maxDelayMs ?? DEFAULT_MAX_DELAY_MS)) continue;
    const bound = maxDelayMs === undefined ? `${DEFAULT_MAX_DELAY_MS}, the longest delay unless another is given` : String(maxDelayMs);
    const message = `The first delay of block "${id}" is ${delayMs} ms, more than ${bound}. Give a longer longest delay, or a shorter first one.`;
    problems.error("SCHEMA_INVALID", `blocks[${i}].retry.delayMs`, message);
  }
}

const ENDS = ["fail", "skip"];

/** Reports what is said about the questions of blocks and cannot be meant: ends that there are not, and time limits of blocks that ask nothing. */
export function checkQuestions(
  { blocks }: Workflow,
  { blockTypes, problems }: { readonly blockTypes: ReadonlyMap<string, BlockType> | undefined; readonly problems: ProblemList },
): void {
  for (const [i, { id, type, answerTimeoutMs, onTimeout, skippable }] of blocks.entries()) {
    const path = `blocks[${i}].onTimeout`;
    if (typeof onTimeout === "string" && !ENDS.includes(onTimeout)) {
      const { details } = adviseName(onTimeout, ENDS);
      const message = `The on_timeout of block "${id}" must be "fail", "skip" or { answer: … }, not "${String(onTimeout).slice(0, 100)}".`;
      problems.error("SCHEMA_INVALID", path, message, details);
    } else if (typeof onTimeout === "object") {
      const message = `The answer in the on_timeout of block "${id}" is taken as it is written, and holds a reference. Write the answer itself.`;
      const visit = (text: string, at: string): void => void (text.includes("${") && problems.error("SCHEMA_INVALID", at, message));
      walkTexts(onTimeout.answer, `${path}.answer`, { problems, visit });
    }
    const blockType = blockTypes?.get(type);
    if (!blockType) continue;
    if ((answerTimeoutMs ?? onTimeout) !== undefined && !blockType.resume) {
      const key = answerTimeoutMs === undefined ? "onTimeout" : "answerTimeoutMs";
      const message = `Block "${id}" of type ${type} asks nothing, so no answer can come too late. Remove this key, or limit its work by timeout_ms.`;
      problems.error("BLOCK_NOT_INTERACTIVE", `blocks[${i}].${key}`, message);
    }
    if (!skippable || (blockType.resume && !CALLING_TYPES.has(type))) continue;
    const message = `Block "${id}" of type ${type} asks nothing itself, so there is no question to leave out. Say it of the block that asks.`;
    problems.error("BLOCK_NOT_INTERACTIVE", `blocks[${i}].skippable`, message);
  }
}
