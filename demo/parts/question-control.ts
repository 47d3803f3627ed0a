import type { nothing, TemplateResult } from "lit-html";
import type { Value } from "wavepoint";
import { choiceControl } from "./choice-control.ts";
import { confirmControl } from "./confirm-control.ts";
import { fieldsOf } from "../form-fields.ts";
import { formControl } from "./form-control.ts";
import { jsonControl } from "./json-control.ts";
import type { QuestionIds, QuestionProps } from "./question.ts";
import { textControl } from "./text-control.ts";

/** The part of a question someone acts on. */
export interface Control {
  readonly body: TemplateResult | typeof nothing;
  readonly buttons: TemplateResult;
  /** The heading, where it is not the question itself. */
  readonly legend?: string;
  /** Whether the body says what is wrong; else one message stands below it. */
  readonly showsErrors?: boolean;
  /** Reads the answer from the form that was sent, or says why there is none. */
  read(event: SubmitEvent): { readonly response: Value } | { readonly refused: string };
}

/** Picks the control for a question: by the type of block that asks, else by the schema of the answer. */
export function controlFor(props: QuestionProps, ids: QuestionIds): Control {
  const { type, schema, metadata } = props.pause;
  if (type === "ConfirmOperation") return confirmControl(props, { yes: "yes", no: "no" });
  if (type === "AskChoice" && Array.isArray(metadata.choices)) return choiceControl(props, ids, metadata.choices);
  if (type === "GetInput") return textControl(props, ids, "text");
  if (schema.enum) return choiceControl(props, ids, schema.enum);
  if (schema.type === "boolean") return confirmControl(props, { yes: true, no: false });
  if (schema.type === "integer" || schema.type === "number") return textControl(props, ids, "number");
  const fields = fieldsOf(props.pause);
  if (fields.length > 0) return formControl(props, ids, fields);
  if (schema.type === "object" || schema.type === "array") return jsonControl(props, ids);
  return textControl(props, ids, "text");
}
