import { parseTemplate } from "../../expression/parse-template.ts";
import { MAX_ITEMS } from "../../model/limits.ts";
import { isRecord, type Value } from "../../model/value.ts";
import type { InputDeclaration, Workflow } from "../../model/workflow.ts";
import { showValue, withArticle } from "../value-type.ts";
import type { ProblemList } from "./problem-list.ts";

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
