import { readySchema } from "../../core/expression/ready-schema.ts";
import { isRecord } from "../../core/model/value.ts";
import type { Answer, ErrorData, Pause } from "../../index.ts";
import { isFileValue } from "../../core/model/file-value.ts";
import { otherOf } from "../../core/model/choices.ts";
import { askField, type Asking, fieldsIn, untilGiven } from "./ask-field.ts";
import { type Field, inOwnLanguage, personQuestion, responseOf, type ShownPause } from "./form-fields.ts";
import { plainText } from "./plain-text.ts";
import { note } from "./terminal.ts";

/** An answer to the same question that did not do. */
export interface RefusedAnswer {
  readonly response: Answer;
  readonly error: ErrorData;
}

/** A person's reply to a question: an answer, or that they skip it. */
export type PersonReply = { readonly response: Answer } | { readonly skips: true };

const ANSWER_IT = "Answer it";
const LEAVE_OUT = "Leave it out";

/**
 * Asks a person and returns their answer to the pause: a form field by field, anything else at once. Keeps the values given so far as defaults for the next
 * time. After a refusal, asks only the fields that were wrong again. Returns nothing if the person cancels.
 */
export async function askPause(asked: Pause, { terminal, keep }: Asking, refused?: RefusedAnswer): Promise<PersonReply | undefined> {
  const pause = inOwnLanguage(asked);
  if (pause.allows.skip && !refused) {
    const wanted = await terminal.ask({ kind: "choice", text: plainText(pause.prompt), choices: [ANSWER_IT, LEAVE_OUT] });
    if (wanted !== 0) return wanted === 1 ? { skips: true } : undefined;
  }
  const fields = fieldsOf(pause);
  const response = fields.length > 0 ? await askForm(pause, fields, { terminal, keep }, refused) : await askOne(pause, { terminal, keep });
  return response === undefined ? undefined : { response };
}

async function askOne(pause: ShownPause, asking: Asking): Promise<Answer | undefined> {
  const { prompt, schema } = pause;
  const { terminal } = asking;
  if (otherOf(schema.items ?? schema)) {
    const field = { name: "answer", schema: { ...schema, title: prompt }, required: true };
    return (await askField(field, pause.draft, asking))?.value;
  }
  return untilGiven(terminal, async () => {
    const answer = await terminal.ask(personQuestion(pause));
    // A review without a declaration is answered by going on.
    if (pause.metadata["kind"] === "review") return answer === true ? {} : undefined;
    return answer === undefined ? undefined : responseOf(answer, pause);
  });
}

async function askForm(
  { prompt, schema, draft, sensitive }: ShownPause,
  fields: readonly Field[],
  { terminal, keep }: Asking,
  refused: RefusedAnswer | undefined,
): Promise<Answer | undefined> {
  const before = refused ? refused.response : draft;
  const given = new Map(Object.entries(isRecord(before) ? (before as { readonly [name: string]: Answer }) : {}));
  const wrong = refused ? wrongFields(refused.error, fields) : new Set(fields.map(({ name }) => name));
  if (!refused) note(terminal, terminal.err.paint("bold", plainText(prompt)));
  if (!refused && given.size > 0) note(terminal, terminal.err.paint("dim", "Your earlier values are filled in: Enter keeps them."));
  const response = new Map<string, Answer>();
  const keepWith = async (name: string, value: Answer): Promise<void> => {
    if (sensitive) return;
    await keep(Object.fromEntries([...given, ...response, [name, value]]));
  };
  const ready = await readySchema(schema);
  const isAsked = ({ name }: Field): boolean => !ready.check(Object.fromEntries(response)).hidden.has(`/${name}`);
  const waiting = new Set(fields);
  // A later field may decide about one before it.
  for (let field = fields.find(isAsked); field; field = fields.find((one) => waiting.has(one) && isAsked(one))) {
    waiting.delete(field);
    let value = given.get(field.name);
    // One with a condition may be asked only now.
    if (wrong.has(field.name) || (value === undefined && field.schema.showIf !== undefined)) {
      const { name } = field;
      // A file that was refused is none to keep.
      const held = refused && isFileValue(value) ? undefined : value;
      const answered = await askField(field, held, { terminal, keep: (part) => keepWith(name, part) });
      if (!answered) return undefined;
      value = answered.value;
      given.delete(name);
      if (value !== undefined) await keepWith(name, value);
    }
    if (value !== undefined) response.set(field.name, value);
  }
  return Object.fromEntries(response);
}

/** Returns the fields that a refusal names, or all fields if it names none of them. */
function wrongFields({ details }: ErrorData, fields: readonly Field[]): ReadonlySet<string> {
  const named = isRecord(details?.["fields"]) ? Object.keys(details["fields"]).map((path) => path.replace(/[.[].*$/s, "")) : [];
  const known = fields.map(({ name }) => name);
  const wrong = new Set(known.filter((name) => named.includes(name)));
  return wrong.size > 0 ? wrong : new Set(known);
}

function fieldsOf({ schema, metadata }: ShownPause): readonly Field[] {
  if (schema.type !== "object" || !schema.properties) return [];
  return fieldsIn(schema, Array.isArray(metadata["fields"]) ? metadata["fields"] : []);
}
