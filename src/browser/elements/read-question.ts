import type { Pause } from "../../core/model/run.ts";
import { localizeSchema, type ShownSchema } from "../../core/model/localize-schema.ts";
import { isRecord, type Value, type Values } from "../../core/model/value.ts";

/** A question as a form shows it. */
export interface Asked {
  readonly heading: string;
  /** What stands below the heading. */
  readonly lead: string;
  /** What the controls are drawn from. */
  readonly schema: ShownSchema;
  /** The names of the fields, where the question says in which order they stand. */
  readonly order?: readonly string[] | undefined;
  /** What is to be confirmed. */
  readonly details?: Values | undefined;
  /** The two answers of a question that is answered by one of two buttons. */
  readonly answers?: readonly [yes: Value, no: Value] | undefined;
}

/** Reads what a question says of itself, in a language (a BCP 47 tag; default: English, where it has that). */
export function askedOf(pause: Pick<Pause, "title" | "prompt" | "schema" | "metadata">, language?: string): Asked {
  const { kind, details, fields } = pause.metadata;
  const whole = localizeSchema(pause.schema, language);
  // What the schema says in several languages is what the question says in one.
  const title = isRecord(pause.schema.title) ? whole.title : pause.title;
  const { description, ...rest } = whole;
  const [prompt, schema] = isRecord(pause.schema.description) ? [description!, rest] : [pause.prompt, whole];
  if (kind === "confirm") {
    return {
      ...texts(title, prompt),
      schema,
      details: isRecord(details) ? (details as Values) : undefined,
      answers: ["yes", "no"],
    };
  }
  return {
    ...texts(title, prompt),
    schema,
    ...(schema.type === "boolean" && schema.enum === undefined ? { answers: [true, false] as const } : {}),
    order: Array.isArray(fields) ? (fields as readonly Value[]).map(String) : undefined,
  };
}

/** Without a title the first paragraph is one. */
function texts(title: string | undefined, prompt: string): Pick<Asked, "heading" | "lead"> {
  if (title !== undefined) return { heading: title, lead: title === prompt ? "" : prompt };
  const [heading = "", ...rest] = prompt.split("\n\n");
  return { heading, lead: rest.join("\n\n") };
}
