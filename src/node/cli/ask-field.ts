import { readySchema } from "../../core/expression/ready-schema.ts";
import { isFileValue } from "../../core/model/file-value.ts";
import { choicesOf } from "../../core/model/choices.ts";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import type { FieldError } from "../../core/model/value-problem.ts";
import { isRecord } from "../../core/model/value.ts";
import { createLocale } from "../../browser/elements/locale.ts";
import { fieldError } from "../../browser/elements/field-errors.ts";
import { isWorkflowError, pickText, type Answer, type Value } from "../../index.ts";
import { type Field, fieldQuestion, fieldValue, labelOf, otherQuestions, ownLanguage, picksOther } from "./form-fields.ts";
import { plainLine, plainText } from "./plain-text.ts";
import { note, type PersonAnswer, type Terminal } from "./terminal.ts";

/** A person's value for a field; without a value they left it out. */
export interface GivenValue {
  readonly value: Answer | undefined;
}

/** Asks a person, and keeps the part of the answer that they have given so far. */
export interface Asking {
  readonly terminal: Terminal;
  keep(value: Answer): Promise<void>;
}

/**
 * Asks for a field: a group member by member, a list item by item, an order place by place, anything else at once, until the answer is valid. `before` is the
 * earlier value. Returns nothing if the person cancels.
 */
export async function askField(field: Field, before: Answer | undefined, asking: Asking): Promise<GivenValue | undefined> {
  const { schema } = field;
  if (schema.type === "array" && isGroup(schema.items)) return askList(field, before, asking);
  if (schema.format === "ranking") return askOrder(field, before, asking);
  if (isGroup(schema)) return askGroup(field, before, asking);
  const { terminal } = asking;
  let held = before;
  for (;;) {
    const given = await untilGiven(terminal, async () => {
      const answer = await terminal.ask(fieldQuestion(field, held));
      if (answer === undefined) return undefined;
      if (picksOther(answer, schema)) return askOther(field, answer, held, terminal);
      return { value: answer === "" && isFileValue(held) ? held : fieldValue(answer, field) };
    });
    if (!given) return undefined;
    const problem = await problemOf(given.value, field, terminal);
    if (problem === undefined) return given;
    note(terminal, terminal.err.paint("red", plainText(problem)));
    held = isFileValue(given.value) ? undefined : given.value;
  }
}

/** Asks for a value that is not in a list of choices, in place of its line or beside the others. */
async function askOther(field: Field, picked: PersonAnswer, held: Answer | undefined, terminal: Terminal): Promise<GivenValue | undefined> {
  const texts: string[] = [];
  for (const question of otherQuestions(field, held)) {
    const text = await terminal.ask(question);
    if (typeof text !== "string") return undefined;
    texts.push(text);
  }
  return { value: Array.isArray(picked) ? [...(fieldValue(picked, field) as readonly Answer[]), ...texts] : texts[0] };
}

/** Returns why a field's value is invalid, as text for people. */
async function problemOf(value: Answer | undefined, { name, schema, required }: Field, { now }: Terminal): Promise<string | undefined> {
  const label = labelOf({ name, schema });
  const say = (error: FieldError): string => fieldError(error, { label, schema, locale: createLocale(ownLanguage()) });
  if (value === undefined) return required ? say({ instancePath: "", code: "required", message: "is required" }) : undefined;
  // Whether it is asked at all is decided by the form.
  const { showIf: _, ...own } = schema;
  const [problem] = (await readySchema(own)).check(value, { formats: true, now: now() }).problems;
  return problem && (problem.text === undefined ? say(problem) : pickText(problem.text, ownLanguage()));
}

/** The members of a schema as fields, in the order in which they are asked. */
export function fieldsIn({ properties = {}, required = [], layout = [] }: ShownSchema, order: readonly unknown[] = []): readonly Field[] {
  const names = new Set([...order, ...layout, ...Object.keys(properties)].filter((name) => typeof name === "string"));
  return [...names].flatMap((name) =>
    Object.hasOwn(properties, name) ? [{ name, schema: properties[name]!, required: required.includes(name) }] : [],
  );
}

function isGroup(schema: ShownSchema | undefined): schema is ShownSchema {
  return schema?.properties !== undefined && schema.format !== "file";
}

async function askGroup(
  { schema, required, ...named }: Field,
  before: Answer | undefined,
  { terminal, keep }: Asking,
): Promise<GivenValue | undefined> {
  const label = labelOf({ schema, ...named });
  const held = new Map(Object.entries(isRecord(before) ? (before as { readonly [name: string]: Answer }) : {}));
  if (!required) {
    const wanted = await confirm(`Fill in ${label}?`, terminal, { initial: held.size > 0 });
    if (!wanted) return wanted === undefined ? undefined : { value: undefined };
  }
  note(terminal, terminal.err.paint("bold", plainText(label)));
  const members = new Map<string, Answer>();
  const keepWith = (name: string, value: Answer): Promise<void> => keep(Object.fromEntries([...held, ...members, [name, value]]));
  for (const field of fieldsIn(schema)) {
    const given = await askField(field, held.get(field.name), { terminal, keep: (value) => keepWith(field.name, value) });
    if (!given) return undefined;
    held.delete(field.name);
    if (given.value === undefined) continue;
    members.set(field.name, given.value);
    await keepWith(field.name, given.value);
  }
  return { value: Object.fromEntries(members) };
}

async function askList(
  { name, schema, required }: Field,
  before: Answer | undefined,
  { terminal, keep }: Asking,
): Promise<GivenValue | undefined> {
  const { items, minItems = 0, maxItems = Infinity } = schema;
  const whole = labelOf({ name, schema });
  const label = items!.title ?? whole;
  const list: Answer[] = [];
  const askItem = async (held?: Answer): Promise<boolean> => {
    const item = { name, schema: { ...items!, title: `${label} ${list.length + 1}` }, required: true };
    const given = await askGroup(item, held, { terminal, keep: (value) => keep([...list, value]) });
    if (given) list.push(given.value!);
    return given !== undefined;
  };
  const earlier: readonly Answer[] = Array.isArray(before) ? before : [];
  if (earlier.length > 0) {
    const wanted = await terminal.ask({
      kind: "choice",
      text: plainLine(`${whole}: ${earlier.length} given before`),
      choices: [...EARLIER],
    });
    if (wanted === undefined) return undefined;
    const way = EARLIER[wanted as number];
    for (const item of way === "Start again" ? [] : earlier) {
      if (way === "Keep them" && isWhole(item, items!)) list.push(item);
      else if (!(await askItem(item))) return undefined;
    }
  }
  while (list.length < maxItems) {
    if (!required || list.length >= minItems) {
      const wanted = await confirm(list.length === 0 ? `Add to ${whole}?` : `Add another one to ${whole}?`, terminal);
      if (wanted === undefined) return undefined;
      if (!wanted) break;
    }
    if (!(await askItem())) return undefined;
  }
  return { value: list.length > 0 || required ? list : undefined };
}

/** The actions on earlier items of a list. */
const EARLIER = ["Keep them", "Go through them", "Start again"] as const;

/** Whether an item was given to its end. */
function isWhole(item: Answer, { required = [] }: ShownSchema): boolean {
  return isRecord(item) && required.every((name) => Object.hasOwn(item, name));
}

/** Asks for the first place, then the second, and so on: the last item takes the last place. */
async function askOrder(field: Field, before: Answer | undefined, { terminal }: Asking): Promise<GivenValue | undefined> {
  const { schema, required } = field;
  if (!required) {
    const wanted = await confirm(`Fill in ${labelOf(field)}?`, terminal, { initial: before !== undefined });
    if (!wanted) return wanted === undefined ? undefined : { value: undefined };
  }
  let left = choicesOf(schema.items!);
  const order: Value[] = [];
  while (left.length > 1) {
    const text = plainLine(`${labelOf(field)}: place ${order.length + 1}`);
    const held = Array.isArray(before) ? left.findIndex((choice) => choice.const === before[order.length]) : -1;
    const place = await terminal.ask({
      kind: "choice",
      text,
      choices: left.map(({ title, const: value }) => plainLine(title ?? String(value))),
      ...(held < 0 ? {} : { initial: held }),
    });
    if (typeof place !== "number") return undefined;
    order.push(left[place]!.const);
    left = left.toSpliced(place, 1);
  }
  return { value: [...order, ...left.map((choice) => choice.const)] };
}

async function confirm(
  text: string,
  terminal: Terminal,
  { initial = false }: { readonly initial?: boolean } = {},
): Promise<boolean | undefined> {
  const answer = await terminal.ask({ kind: "confirm", text: plainLine(text), choices: [], initial });
  return typeof answer === "boolean" ? answer : undefined;
}

/** Asks again until the file that was named can be read. */
export async function untilGiven<T>(terminal: Terminal, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isWorkflowError(error) || error.code !== "COMMAND_INVALID") throw error;
      note(terminal, terminal.err.paint("red", plainText(error.message)));
    }
  }
}
