import { convertOutput } from "../expression/convert-output.ts";
import { compilePattern } from "../expression/pattern.ts";
import { isWorkflowError, WorkflowError } from "../model/errors.ts";
import { showPath, withoutScratch } from "../model/file-path.ts";
import { MAX_VALUE_LENGTH } from "../model/limits.ts";
import { decodeUtf8 } from "../model/utf8.ts";
import type { Value, Values } from "../model/value.ts";
import type { FileOutput } from "../model/workflow.ts";
import type { FileContent } from "../ports/files.ts";
import { compileValue, failuresOf, memberPath, resolveValue } from "../definition/definition.ts";
import type { StepContext } from "./step-context.ts";

/**
 * Reads the outputs that a block left in files. Errors name the output: the codes of
 * files, `FILE_ENCODING`, `LIMIT_EXCEEDED`, `PATTERN_INVALID` and `OUTPUT_INVALID`.
 */
export async function readFileOutputs(step: StepContext, declared: { readonly [name: string]: FileOutput }): Promise<Values> {
  const read: [name: string, value: Value][] = [];
  for (const [name, output] of Object.entries(declared)) {
    try {
      read.push([name, await readOutput(step, name, output)]);
    } catch (thrown) {
      throw ofOutput(thrown, step, name);
    }
  }
  return Object.fromEntries(read);
}

async function readOutput(
  step: StepContext,
  name: string,
  { path, type, validation, required = true, unsafe = false }: FileOutput,
): Promise<Value> {
  const file = await readIfThere(step, resolvePath(step, path), { required, unsafe });
  if (file === undefined) return null;
  const text = textOf(file);
  if (validation !== undefined && !(await compilePattern(validation)).matchesStart(text)) {
    throw new WorkflowError(
      "OUTPUT_INVALID",
      `${showPath(file.path)} does not begin with what matches ${validation}. Correct what is written there.`,
    );
  }
  return convertOutput(text, type ?? "string", name);
}

function resolvePath(step: StepContext, path: string): string {
  const { scope, compiled } = step;
  const { workflow, plan } = compiled;
  const each = step.definition.forEach !== undefined;
  const failures = failuresOf(plan, step.unit.block);
  const names = { inputs: new Map(Object.entries(workflow.inputs ?? {})), blocks: plan.index, each, failures };
  const resolved = resolveValue(compileValue(path, names), scope);
  if (typeof resolved === "string") return resolved;
  throw new WorkflowError("PATH_FORBIDDEN", "Its path is no text. Refer to a text in it.");
}

async function readIfThere(
  step: StepContext,
  path: string,
  { required, unsafe }: { readonly required: boolean; readonly unsafe: boolean },
): Promise<FileContent | undefined> {
  const inScratch = withoutScratch(path);
  try {
    if (inScratch !== undefined) return await (await step.scratchFolder()).read(inScratch);
    // A block with such outputs is refused at load where no files are granted; a run that was begun elsewhere is refused here.
    if (step.place.services.grants.files === undefined)
      throw new WorkflowError("CAPABILITY_MISSING", "It needs files. Grant them to createExecutor.");
    return await step.place.services.grants.files.read(path, { unsafe });
  } catch (thrown) {
    if (!required && isWorkflowError(thrown) && thrown.code === "FILE_MISSING") return undefined;
    throw thrown;
  }
}

/** The text of a file, without the line ends that programs put behind it. */
function textOf({ path, bytes }: FileContent): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new WorkflowError("FILE_ENCODING", `${showPath(path)} is no text in UTF-8. Write it as one.`);
  let end = text.length;
  while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
  if (end <= MAX_VALUE_LENGTH) return text.slice(0, end);
  throw new WorkflowError(
    "LIMIT_EXCEEDED",
    `${showPath(path)} has ${end} characters; ${MAX_VALUE_LENGTH} are allowed. Give its path instead.`,
    {
      details: { length: end, limit: MAX_VALUE_LENGTH },
    },
  );
}

function ofOutput(thrown: unknown, { unit }: StepContext, name: string): unknown {
  if (!isWorkflowError(thrown)) return thrown;
  return new WorkflowError(thrown.code, `Its output "${name}" could not be read. ${thrown.message}`, {
    place: { path: memberPath(`blocks[${unit.block}].outputs`, name) },
    details: { ...thrown.details, output: name },
    cause: thrown,
  });
}
