import { compileMatcher } from "../../expression/pattern.ts";
import { errorData, type ErrorData } from "../../model/errors.ts";
import { findFormatProblems } from "../../model/json-format.ts";
import { checkJson, schemaPatterns, type ValueProblem } from "../../model/json-schema.ts";
import { MAX_ANSWER_LENGTH } from "../../model/limits.ts";
import { isRecord, type Value } from "../../model/value.ts";
import type { AnsweredQuestion } from "../../ports/block.ts";
import type { ReadyType } from "../ready-type.ts";
import type { Services } from "../services.ts";
import type { PauseState, RunState } from "../state.ts";
import { lengthBesideBytes } from "../values/encoded-length.ts";

/** What is wrong with an answer to a pause of a run, as `RESPONSE_REQUIRED` or `RESPONSE_INVALID`; nothing where it will do. Changes nothing. */
export async function findPauseProblem(
  services: Services,
  state: RunState,
  pause: PauseState,
  response: Value,
): Promise<ErrorData | undefined> {
  const { prompt, schema, child, about } = pause.entry;
  const { id, type: name } = state.compiled.workflow.blocks[pause.block]!;
  const type = services.types.get(name);
  const asks = child === undefined && about === undefined ? type : undefined;
  const problem = await findAnswerProblem({ prompt, schema, metadata: pause.metadata }, response, asks);
  return problem ?? (about ? findOutcomeProblem(type, id, response) : undefined);
}

/** What is wrong with an answer to a question; `type` is that of the block that asks, where it is known. */
export async function findAnswerProblem(
  pause: AnsweredQuestion,
  response: unknown,
  type: Pick<ReadyType, "checkAnswer" | "validateAnswer"> | undefined,
): Promise<ErrorData | undefined> {
  const { prompt, schema } = pause;
  if (response === undefined) {
    return { code: "RESPONSE_REQUIRED", message: `An answer is needed. The question was: ${prompt}` };
  }
  const length = lengthBesideBytes(response);
  if (length > MAX_ANSWER_LENGTH) {
    return wrong(`The answer takes ${length} characters; ${MAX_ANSWER_LENGTH} are allowed.`, { length, limit: MAX_ANSWER_LENGTH });
  }
  const problems = checkJson(schema, response, { matches: await compileMatcher(schemaPatterns(schema)) });
  // What is not of the right kind need not have the right form.
  const found = problems.length > 0 ? problems : findFormatProblems(schema, response);
  if (found.length > 0) return describeProblems(found);
  try {
    const own = await type?.validateAnswer?.(response);
    if (own?.issues) return describeProblems(own.issues);
    const problem = await type?.checkAnswer?.({ response, pause });
    return problem && invalid(problem.message, problem.details);
  } catch (thrown) {
    // Nobody knows whether it would do, so it does not; the store has nothing to do with it.
    return invalid(`The answer could not be checked: ${messageOf(thrown)} Nothing was recorded; try again.`);
  }
}

function messageOf(thrown: unknown): string {
  const { message } = errorData(thrown, "BLOCK_FAILED");
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** A block that somebody calls done has the outputs that its type promises. */
async function findOutcomeProblem(type: ReadyType | undefined, block: string, response: Value): Promise<ErrorData | undefined> {
  if (!isRecord(response) || response["outcome"] !== "done") return undefined;
  try {
    await type?.validateOutputs?.(response["outputs"] ?? {}, block);
    return undefined;
  } catch (error) {
    const { message, details } = errorData(error, "OUTPUT_INVALID");
    return wrong(`What is done has outputs. ${message}`, details);
  }
}

/** What is wrong with the fields of an answer, as one error. */
export function describeProblems(problems: readonly ValueProblem[]): ErrorData {
  const fields = new Map<string, string>();
  // Of several problems with one value the first is the plainest.
  for (const { path, message } of problems) if (!fields.has(path)) fields.set(path, message);
  const errors = problems.map(({ path: _path, ...error }) => error);
  const text = problems.map(({ path, message }) => (path ? `${path}: ${message}` : `It ${message}`)).join("; ");
  return wrong(`The answer does not fit the question. ${text}.`, { fields: Object.fromEntries(fields), errors });
}

/** What a block type says of an answer as a whole, unless it names fields. */
function invalid(message: string, details?: ErrorData["details"]): ErrorData {
  return wrong(message, { errors: [{ instancePath: "", code: "invalid", message }], ...details });
}

function wrong(message: string, details?: ErrorData["details"]): ErrorData {
  return { code: "RESPONSE_INVALID", message, ...(details ? { details } : {}) };
}
