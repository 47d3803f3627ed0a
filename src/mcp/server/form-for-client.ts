import { choicesOf, otherOf } from "../../core/model/choices.ts";
import { type JsonChoice, type JsonSchema } from "../../core/model/json-schema.ts";
import type { ElicitRequestFormParams } from "@modelcontextprotocol/server";
import { decimalAmount } from "../../core/model/money.ts";
import { readMoney } from "../../core/model/typed-number.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import { isForModels, plainSchema } from "../../core/model/question-for-models.ts";
import type { Pause } from "../../core/model/run.ts";

/** Under which member an answer stands that is no object: clients draw objects alone. */
const ANSWER = "answer";

type FormSchema = ElicitRequestFormParams["requestedSchema"];

/** A question as clients of MCP draw it. */
export interface ClientForm {
  readonly message: string;
  readonly requestedSchema: FormSchema;
}

/**
 * The form for a question: one flat object of texts, numbers, truth values and choices. Nothing where clients cannot draw it: then its schema goes to the
 * model. What a form leaves out of the schema, the engine checks.
 */
export function formFor(pause: Pause): ClientForm | undefined {
  if (!isForModels(pause)) return undefined;
  const { title, prompt } = pause;
  const schema = plainSchema(pause.schema);
  const asked: JsonSchema = schema.type === "object" ? schema : { type: "object", properties: { [ANSWER]: schema }, required: [ANSWER] };
  const properties = Object.entries(asked.properties ?? {}).map(([name, part]) => [name, fieldFor(part)] as const);
  if (properties.length === 0 || properties.some(([, field]) => field === undefined)) return undefined;
  return {
    message: [title, prompt].filter((text) => text !== undefined && text !== "").join("\n"),
    requestedSchema: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(asked.required && asked.required.length > 0 ? { required: [...asked.required] } : {}),
    } as FormSchema,
  };
}

/** The keywords that clients know, by the type of the field. */
const KEYWORDS: ReadonlyMap<string, readonly (keyof JsonSchema)[]> = new Map([
  ["string", ["title", "description", "default", "minLength", "maxLength"]],
  ["number", ["title", "description", "default", "minimum", "maximum"]],
  ["integer", ["title", "description", "default", "minimum", "maximum"]],
  ["boolean", ["title", "description", "default"]],
]);
const FORMATS: ReadonlySet<string | undefined> = new Set(["email", "uri", "date", "date-time"]);

function fieldFor(schema: JsonSchema): object | undefined {
  const choices = choicesOf(schema);
  const { title, description } = schema;
  const texts = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) };
  if (otherOf(schema)) {
    // Clients have lists, and lines of text: a line takes the name of a choice too.
    const names = choices.map((choice) => String(choice.title ?? choice.const)).join(", ");
    return {
      type: "string",
      ...texts,
      description: `${description === undefined ? "" : `${description} `}One of these, or another text: ${names}.`,
    };
  }
  if (choices.length > 0) {
    return {
      type: "string",
      ...texts,
      oneOf: choices.map((choice) => ({ const: nameOf(choice.const), title: String(choice.title ?? nameOf(choice.const)) })),
    };
  }
  if (schema.currency !== undefined) return amountField(schema, schema.currency, texts);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.find((one) => KEYWORDS.has(one));
  const kept = type === undefined ? undefined : KEYWORDS.get(type);
  if (!kept) return undefined;
  const members = kept.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]] as const);
  return { type, ...Object.fromEntries(members), ...(type === "string" && FORMATS.has(schema.format) ? { format: schema.format } : {}) };
}

/** People write an amount with its decimals. */
function amountField(schema: JsonSchema, currency: string, texts: { readonly description?: unknown }): object {
  const limits = (["default", "minimum", "maximum"] as const).flatMap((keyword) => {
    const amount = schema[keyword];
    return typeof amount === "number" ? [[keyword, Number(decimalAmount(amount, currency))] as const] : [];
  });
  const description = texts.description === undefined ? currency : `${String(texts.description)} (${currency})`;
  return { type: "number", ...texts, description, ...Object.fromEntries(limits) };
}

/** Choices of clients are texts. */
function nameOf(choice: Value): string {
  return typeof choice === "string" ? choice : JSON.stringify(choice);
}

/** The answer in what a client's form gave: choices as the values that they stand for. */
export function answerFrom(content: Readonly<Record<string, unknown>>, { schema }: Pick<Pause, "schema">): unknown {
  if (schema.type !== "object") return valueOf(content[ANSWER], schema);
  const { properties = {} } = schema;
  return Object.fromEntries(
    Object.entries(content).map(([name, given]) => [name, Object.hasOwn(properties, name) ? valueOf(given, properties[name]!) : given]),
  );
}

function valueOf(given: unknown, schema: JsonSchema): unknown {
  if (schema.currency !== undefined && typeof given === "number") return readMoney(String(given), schema.currency, "en") ?? given;
  const isMeant = (choice: JsonChoice): boolean => nameOf(choice.const) === given || (other !== undefined && choice.title === given);
  const other = otherOf(schema);
  const chosen = typeof given === "string" ? choicesOf(schema).find(isMeant) : undefined;
  return chosen ? chosen.const : given;
}

/** Whether a value is what a form of a client gives. */
export function isFormContent(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value);
}
