import { isRecord } from "../../core/model/value.ts";
import type { ErrorData, Pause, Value, Values } from "../../index.ts";
import { fieldQuestion, fieldValue, type Field } from "./field-question.ts";
import { personQuestion, responseOf } from "./person-question.ts";
import { plainText } from "./plain-text.ts";
import { note, type Terminal } from "./terminal.ts";

/** An answer to the same question that did not do. */
export interface RefusedAnswer {
  readonly response: Value;
  readonly error: ErrorData;
}

/**
 * Asks a person and gives the answer to the pause: a form field by field, anything else at once. After a refusal only the fields are asked
 * again that were wrong. Gives nothing where the person would rather not answer now.
 */
export async function askPause(pause: Pause, terminal: Terminal, refused?: RefusedAnswer): Promise<Value | undefined> {
  const fields = fieldsOf(pause);
  if (fields.length > 0) return askForm(pause, fields, terminal, refused);
  const answer = await terminal.ask(personQuestion(pause));
  return answer === undefined ? undefined : responseOf(answer, pause);
}

async function askForm(
  { prompt }: Pause,
  fields: readonly Field[],
  terminal: Terminal,
  refused: RefusedAnswer | undefined,
): Promise<Value | undefined> {
  const before = refused && isRecord(refused.response) ? new Map(Object.entries(refused.response as Values)) : new Map<string, Value>();
  const wrong = refused ? wrongFields(refused.error, fields) : new Set(fields.map(({ name }) => name));
  if (!refused) note(terminal, terminal.err.paint("bold", plainText(prompt)));
  const response = new Map<string, Value>();
  for (const field of fields) {
    let value = before.get(field.name);
    if (wrong.has(field.name)) {
      const answer = await terminal.ask(fieldQuestion(field, value));
      if (answer === undefined) return undefined;
      value = fieldValue(answer, field);
    }
    if (value !== undefined) response.set(field.name, value);
  }
  return Object.fromEntries(response);
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
