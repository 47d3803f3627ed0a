import { readySchema } from "../expression/ready-schema.ts";
import { errorData, type ErrorData } from "../model/errors.ts";
import { schemaNeeds } from "../model/check-json-schema.ts";
import { sentenceOf, type ValueProblem } from "../model/value-problem.ts";
import { MAX_ANSWER_LENGTH } from "../model/limits.ts";
import type { JsonSchema } from "../model/json-schema.ts";
import { isRecord, type Value } from "../model/value.ts";
import type { AnsweredQuestion } from "../ports/block.ts";
import type { ReadyType } from "./ready-type.ts";
import type { RunnerServices } from "./services.ts";
import type { PauseState, RunReading } from "../machine/machine.ts";
import { lengthBesideBytes } from "../journal/journal.ts";

/** The part of an answer that counts, without fields that a form does not ask. In an object, since an answer with a `then` would be taken for a promise. */
export async function countedAnswer(schema: JsonSchema, response: Value): Promise<{ readonly value: Value }> {
  if (!schemaNeeds(schema).hasConditions) return { value: response };
  const ready = await readySchema(schema);
  try {
    return { value: ready.check(response).value as Value };
  } catch {
    // Reading it throws: the code that stores answers refuses it, and says why.
    return { value: response };
  }
}

/** What is wrong with an answer to a pause of a run, as `RESPONSE_REQUIRED` or `RESPONSE_INVALID`; nothing where it fits. Changes nothing. */
export async function findPauseProblem(
  services: RunnerServices,
  { compiled, state }: RunReading,
  pause: PauseState,
  response: Value,
): Promise<ErrorData | undefined> {
  const { prompt, schema, child, about, asks } = pause.entry;
  const { id, type: name } = compiled.workflow.blocks[pause.block]!;
  const type = services.types.get(name);
  const problem = await findAnswerProblem({ prompt, schema, metadata: pause.metadata }, response, {
    now: services.host.now(),
    type: judge(),
  });
  const found = problem ?? (about ? await findOutcomeProblem(type, id, response) : undefined);
  return found && (services.guard?.mask(state.id, found) ?? found);

  /** The type that checks the answer beside the schema. For a question of a called run it does so there, unless the schema is not the limit. */
  function judge(): ReadyType | undefined {
    if (about !== undefined) return undefined;
    if (child === undefined) return type;
    const asker = services.types.get(asks ?? "");
    return asker?.judgesAnswers ? asker : undefined;
  }
}

/** When an answer was given, and to a block of which type, where that is known. */
interface Answering {
  readonly now: number;
  readonly type?: Pick<ReadyType, "checkAnswer" | "judgesAnswers" | "validateAnswer"> | undefined;
}

/** What is wrong with an answer to a question. */
export async function findAnswerProblem(
  pause: AnsweredQuestion,
  response: unknown,
  { now, type }: Answering,
): Promise<ErrorData | undefined> {
  const { prompt, schema } = pause;
  if (response === undefined) {
    return { code: "RESPONSE_REQUIRED", message: `An answer is needed. The question was: ${prompt}` };
  }
  const length = lengthBesideBytes(response);
  if (length > MAX_ANSWER_LENGTH) {
    return wrong(`The answer takes ${length} characters; ${MAX_ANSWER_LENGTH} are allowed.`, { length, limit: MAX_ANSWER_LENGTH });
  }
  const found = type?.judgesAnswers ? [] : await findSchemaProblems(schema, response, now);
  try {
    const { issues = [] } = (await type?.validateAnswer?.(response)) ?? {};
    const places = new Set(found.map(({ path }) => path));
    // The schema has said already what is wrong with this value.
    const all = [...found, ...issues.filter(({ path }) => !places.has(path))];
    if (all.length > 0) return describeProblems(all);
    const problem = await type?.checkAnswer?.({ response, pause });
    return problem && invalid(problem.message, problem.details);
  } catch (thrown) {
    // It is unknown whether the answer is valid, so it is refused. The store is not the cause.
    return invalid(`The answer could not be checked: ${messageOf(thrown)} Nothing was recorded; try again.`);
  }
}

async function findSchemaProblems(schema: JsonSchema, response: unknown, now: number): Promise<readonly ValueProblem[]> {
  return (await readySchema(schema)).check(response, { formats: true, now }).problems;
}

function messageOf(thrown: unknown): string {
  const { message } = errorData(thrown, "BLOCK_FAILED");
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** If a person says that a block is done, its outputs must be those that its type promises. */
async function findOutcomeProblem(type: ReadyType | undefined, block: string, response: Value): Promise<ErrorData | undefined> {
  if (!isRecord(response) || response["outcome"] !== "done") return undefined;
  try {
    await type?.validateOutputs?.(response["outputs"] ?? {}, { id: block });
    return undefined;
  } catch (error) {
    const { message, details } = errorData(error, "OUTPUT_INVALID");
    return wrong(`What is done has outputs. ${message}`, details);
  }
}

/** What is wrong with the value of a signal that came at an instant. */
export async function findSignalProblem(
  schema: JsonSchema,
  value: unknown,
  now: number,
): Promise<Pick<ErrorData, "message" | "details"> | undefined> {
  const problems = await findSchemaProblems(schema, value, now);
  return problems.length === 0 ? undefined : describeProblems(problems, "The value does not fit.");
}

/** What is wrong with the fields of an answer, as one error. */
export function describeProblems(problems: readonly ValueProblem[], summary = "The answer does not fit the question."): ErrorData {
  const fields = new Map<string, string>();
  // Of several problems with one value the first is the clearest.
  for (const problem of problems) if (!fields.has(problem.path)) fields.set(problem.path, sentenceOf(problem));
  const errors = problems.map(({ path: _path, ...error }) => error);
  const text = problems.map((problem) => (problem.path && `${problem.path}: `) + sentenceOf(problem)).join(" ");
  return wrong(`${summary} ${text}`, { fields: Object.fromEntries(fields), errors });
}

/** What a block type says of an answer as a whole, unless it names fields. */
function invalid(message: string, details?: ErrorData["details"]): ErrorData {
  return wrong(message, { errors: [{ instancePath: "", code: "invalid", message }], ...details });
}

function wrong(message: string, details?: ErrorData["details"]): ErrorData {
  return { code: "RESPONSE_INVALID", message, ...(details ? { details } : {}) };
}
