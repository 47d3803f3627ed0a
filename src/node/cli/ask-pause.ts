import { isRecord } from "../../core/model/value.ts";
import { isWorkflowError, type Answer, type ErrorData, type Pause } from "../../index.ts";
import { type Field, fieldQuestion, fieldValue, personQuestion, responseOf } from "./form-fields.ts";
import { plainText } from "./plain-text.ts";
import { note, type Terminal } from "./terminal.ts";

/** An answer to the same question that did not do. */
export interface RefusedAnswer {
  readonly response: Answer;
  readonly error: ErrorData;
}

/** What a person says to a question: an answer, or that they leave it out. */
export type PersonReply = { readonly response: Answer } | { readonly skips: true };

const ANSWER_IT = "Answer it";
const LEAVE_OUT = "Leave it out";

/**
 * Asks a person and gives what they say to the pause: a form field by field, anything else at once. After a refusal only the fields are asked
 * again that were wrong. Gives nothing where the person would rather not answer now.
 */
export async function askPause(pause: Pause, terminal: Terminal, refused?: RefusedAnswer): Promise<PersonReply | undefined> {
  if (pause.allows.skip && !refused) {
    const wanted = await terminal.ask({ kind: "choice", text: plainText(pause.prompt), choices: [ANSWER_IT, LEAVE_OUT] });
    if (wanted !== 0) return wanted === 1 ? { skips: true } : undefined;
  }
  const fields = fieldsOf(pause);
  const response = fields.length > 0 ? await askForm(pause, fields, terminal, refused) : await askOne(pause, terminal);
  return response === undefined ? undefined : { response };
}

async function askOne(pause: Pause, terminal: Terminal): Promise<Answer | undefined> {
  return untilGiven(terminal, async () => {
    const answer = await terminal.ask(personQuestion(pause));
    return answer === undefined ? undefined : responseOf(answer, pause);
  });
}

async function askForm(
  { prompt }: Pause,
  fields: readonly Field[],
  terminal: Terminal,
  refused: RefusedAnswer | undefined,
): Promise<Answer | undefined> {
  const before = refused && isRecord(refused.response) ? refused.response : {};
  const given = new Map(Object.entries(before as { readonly [name: string]: Answer }));
  const wrong = refused ? wrongFields(refused.error, fields) : new Set(fields.map(({ name }) => name));
  if (!refused) note(terminal, terminal.err.paint("bold", plainText(prompt)));
  const response = new Map<string, Answer>();
  for (const field of fields) {
    let value = given.get(field.name);
    if (wrong.has(field.name)) {
      const answered = await untilGiven(terminal, async () => {
        const answer = await terminal.ask(fieldQuestion(field, value));
        return answer === undefined ? undefined : { value: fieldValue(answer, field) };
      });
      if (!answered) return undefined;
      value = answered.value;
    }
    if (value !== undefined) response.set(field.name, value);
  }
  return Object.fromEntries(response);
}

/** Asks again as long as what was typed names a file that cannot be read. */
async function untilGiven<T>(terminal: Terminal, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isWorkflowError(error) || error.code !== "COMMAND_INVALID") throw error;
      note(terminal, terminal.err.paint("red", plainText(error.message)));
    }
  }
}

/** The fields that a refusal names, or all of them where it names none that is known. */
function wrongFields({ details }: ErrorData, fields: readonly Field[]): ReadonlySet<string> {
  const named = isRecord(details?.["fields"]) ? Object.keys(details["fields"]).map((path) => path.replace(/[.[].*$/s, "")) : [];
  const known = fields.map(({ name }) => name);
  const wrong = new Set(known.filter((name) => named.includes(name)));
  return wrong.size > 0 ? wrong : new Set(known);
}

function fieldsOf({ schema, metadata }: Pause): readonly Field[] {
  const { properties, required = [] } = schema;
  if (schema.type !== "object" || !properties) return [];
  const order = Array.isArray(metadata["fields"]) ? metadata["fields"] : Object.keys(properties);
  return order.flatMap((name) =>
    typeof name === "string" && Object.hasOwn(properties, name)
      ? [{ name, schema: properties[name]!, required: required.includes(name) }]
      : [],
  );
}
