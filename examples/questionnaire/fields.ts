import type { Answer, JsonChoice, JsonSchema, Pause, Value, Values } from "wavepoint";
import { askedOf, choicesOf } from "wavepoint/browser";

/** A control of a question. */
export interface Field {
  /** Empty where the question has one control only. */
  readonly name: string;
  readonly label: string;
  readonly control: "text" | "number" | "date" | "checkbox" | "choice";
  readonly choices: readonly JsonChoice<string>[];
  /** Where its value stands in the answer, as messages about it say. */
  readonly instancePath: string;
}

/** The controls of a question, in their order. */
export function fieldsOf(pause: Pause): readonly Field[] {
  const { heading, schema, order } = askedOf(pause);
  const { properties } = schema;
  if (!properties) return [fieldOf("", heading, schema)];
  return (order ?? Object.keys(properties)).map((name) => fieldOf(name, properties[name]!.title ?? name, properties[name]!));
}

function fieldOf(name: string, label: string, schema: JsonSchema<string>): Field {
  const { type, format } = schema;
  const choices = choicesOf(schema);
  const byType = type === "boolean" ? "checkbox" : type === "integer" || type === "number" ? "number" : "text";
  const control = choices.length > 0 ? "choice" : format === "date" ? "date" : byType;
  return { name, label, control, choices, instancePath: name && `/${name}` };
}

/** What stands in a control: what was typed, else what the question proposes, else the field's default. */
export function valueOf({ name }: Field, pause: Pause, draft: Answer | undefined): Value | undefined {
  // Nothing that is asked here is a file.
  const shown = (draft ?? pause.prefill) as Value | undefined;
  if (name === "") return shown;
  const { properties } = askedOf(pause).schema;
  return (shown as Values | undefined)?.[name] ?? properties?.[name]?.default;
}

/** The draft with another value in one control. The first one starts from what the question proposes. */
export function changed({ name }: Field, pause: Pause, draft: Answer | undefined, value: Value): Value {
  return name === "" ? value : { ...((draft ?? pause.prefill) as Values | undefined), [name]: value };
}

/** The answer that the controls hold. What was left empty is left out; what is no number is sent as it is, and refused with a message. */
export function answerOf(pause: Pause, draft: Answer | undefined): Value {
  const given = fieldsOf(pause).flatMap((field): [string, Value][] => {
    const value = valueOf(field, pause, draft);
    if (value === undefined || (value === "" && field.name !== "")) return [];
    return [[field.name, meantBy(field, value)]];
  });
  return askedOf(pause).schema.properties ? Object.fromEntries(given) : (given[0]?.[1] ?? "");
}

/** Controls hold texts: the number, or the choice, that one means. */
function meantBy({ control, choices }: Field, value: Value): Value {
  if (control === "number") return Number.isNaN(Number(value)) ? value : Number(value);
  return choices.find((choice) => String(choice.const) === value)?.const ?? value;
}

/** Whether what stands in the controls was typed, and is in the store by now. */
export function isKept(pause: Pause, draft: Answer | undefined): boolean {
  return draft !== undefined && JSON.stringify(draft) === JSON.stringify(pause.draft);
}
