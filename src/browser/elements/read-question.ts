import type { Pause } from "../../core/model/run.ts";
import type { JsonSchema } from "../../core/model/json-schema.ts";
import { isRecord, type Value, type Values } from "../../core/model/value.ts";

/** A question as a form shows it. */
export interface Asked {
  readonly heading: string;
  /** What stands below the heading. */
  readonly lead: string;
  /** What the controls are drawn from. */
  readonly schema: JsonSchema;
  /** The names of the fields, where the question says in which order they stand. */
  readonly order?: readonly string[] | undefined;
  /** What is to be confirmed. */
  readonly details?: Values | undefined;
  /** The two answers of a question that is answered by one of two buttons. */
  readonly answers?: readonly [yes: Value, no: Value] | undefined;
}

/** Reads what a question says of itself. */
export function askedOf({ title, prompt, schema, metadata }: Pick<Pause, "title" | "prompt" | "schema" | "metadata">): Asked {
  const { kind, details, fields } = metadata;
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
