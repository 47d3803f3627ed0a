import { isEqual } from "../expression/compare.ts";
import { errorData, WorkflowError } from "../model/errors.ts";
import { MAX_VALUE_DEPTH, MAX_VALUE_LENGTH } from "../model/limits.ts";
import { adviseName } from "../model/suggestions.ts";
import { FORBIDDEN_KEYS, isPlain, type Value, type Values } from "../model/value.ts";
import type { InputDeclaration, Workflow } from "../model/workflow.ts";
import { hasType, showValue, withArticle } from "../model/value-type.ts";

/** Unknown names, and choices, that one error lists. */
const MAX_LISTED = 100;

/**
 * The inputs of a run: what is given, then the defaults, then null for what is not required. What is given is never converted; 0, "" and
 * false count as given, and so does null where the input has a default or is not required.
 * Throws one `INPUT_INVALID` that names every input that is missing, unknown or of another type; `details.problems` maps names to reasons.
 */
export function resolveInputs(workflow: Workflow, given: Values | undefined): Values {
  const declared = new Map(Object.entries(workflow.inputs ?? {}));
  const problems = new Map<string, string>();
  const resolved: [string, Value][] = [];
  const values: unknown = given ?? {};
  // A Promise without its `await`, a Map and the like have no members: they would pass for no inputs at all.
  if (!isPlain(values)) throw new WorkflowError("INPUT_INVALID", "The inputs of a run must be a plain object of names and values.");

  const unknown = Object.keys(values).filter((name) => !declared.has(name));
  for (const name of unknown.slice(0, MAX_LISTED)) {
    problems.set(name, `is no input of this workflow.${adviseName(name, declared.keys()).sentence}`);
  }
  for (const [name, declaration] of declared) {
    if (Object.hasOwn(values, name) && values[name] !== undefined) {
      const reason = tryInput(values[name], declaration);
      if (reason === undefined) resolved.push([name, values[name] as Value]);
      else problems.set(name, reason);
    } else if (declaration.default !== undefined) {
      resolved.push([name, declaration.default]);
    } else if (declaration.required !== false) {
      problems.set(name, `is required: give ${withArticle(declaration.type)}.`);
    } else {
      resolved.push([name, null]);
    }
  }

  if (problems.size > 0) throw inputError(workflow.name, problems, unknown.length - MAX_LISTED);
  return Object.fromEntries(resolved);
}

/** Getters and proxies may throw when they are read. */
function tryInput(value: unknown, declaration: InputDeclaration): string | undefined {
  try {
    return checkInput(value, declaration);
  } catch (error) {
    return `cannot be read: ${errorData(error, "INPUT_INVALID").message}. Give plain data.`;
  }
}

/** Why a value does not do for an input, as the end of a sentence; nothing if it does. */
export function checkInput(value: unknown, declaration: InputDeclaration): string | undefined {
  if (value === null && (declaration.required === false || declaration.default !== undefined)) return undefined;
  if (!hasType(value, declaration.type)) {
    return `must be ${withArticle(declaration.type)}${declaration.secret === true ? "" : `, not ${showValue(value)}`}.`;
  }
  if (declaration.enum !== undefined && !declaration.enum.some((allowed) => isEqual(allowed, value))) {
    const { enum: choices } = declaration;
    return `must be one of ${choices.length > MAX_LISTED ? `${choices.length} choices` : choices.map(showValue).join(", ")}, not ${showValue(value)}.`;
  }
  return checkSize(value);
}

function checkSize(value: unknown): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let length = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    length += typeof next.value === "string" ? next.value.length + 2 : 1;
    if (length > MAX_VALUE_LENGTH) return `is longer than ${MAX_VALUE_LENGTH} characters. Give less.`;
    // Bytes are counted where they are stored.
    if (typeof next.value !== "object" || next.value === null || ArrayBuffer.isView(next.value)) continue;
    if (next.depth === MAX_VALUE_DEPTH) return `is nested deeper than ${MAX_VALUE_DEPTH} levels. Flatten it.`;
    for (const key of Object.keys(next.value)) {
      if (FORBIDDEN_KEYS.has(key)) return `holds the key "${key}", which cannot name data. Rename it.`;
      if (!Array.isArray(next.value)) length += key.length + 3;
      open.push({ value: (next.value as { readonly [key: string]: unknown })[key], depth: next.depth + 1 });
    }
  }
  return undefined;
}

function inputError(workflow: string, problems: ReadonlyMap<string, string>, more: number): WorkflowError {
  const sentences = [...problems].map(([name, reason]) => `"${name}" ${reason}`);
  if (more > 0) sentences.push(`${more} more names are unknown.`);
  return new WorkflowError("INPUT_INVALID", `Workflow "${workflow}" cannot start: ${sentences.join(" ")}`, {
    details: { problems: Object.fromEntries(problems) },
  });
}
