import type { TemplateResult } from "lit-html";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import type { FieldError } from "../pause-form.ts";
import type { Entry } from "./typed-entry.ts";
import type { Locale } from "./locale.ts";
import type { Messages } from "./messages.ts";

/** What all fields of a form have in common. */
export interface FormContext {
  /** Begins the ids of the form. */
  readonly id: string;
  readonly messages: Messages;
  readonly locale: Locale;
  /** What is wrong, by JSON Pointer. */
  readonly errors: ReadonlyMap<string, FieldError>;
  readonly isSensitive: boolean;
  /** What is not asked now, by JSON Pointer. */
  readonly hidden: ReadonlySet<string>;
  /** The kinds of files that a field takes, as people call them; nothing where it takes any, or none. */
  kindsOf(schema: ShownSchema): string | undefined;
  /** Puts something else into a field; the focus goes to the element with the id, once that is drawn. */
  set(path: FieldPath, entry: Entry, focus?: string): void;
  /** Puts the items of a list into another order, by the indexes at which they stand; what is not among them goes. What is wrong with an item goes with it. */
  rearrange(path: FieldPath, order: readonly number[], focus?: string): void;
}

export type FieldPath = readonly (string | number)[];

/** A value that a form asks for. */
export interface Field {
  readonly schema: ShownSchema;
  readonly path: FieldPath;
  readonly entry: Entry;
  readonly isRequired: boolean;
  readonly label: string;
  /** The id of what stands above and names it, in place of a label of its own. */
  readonly labelledBy?: string | undefined;
  /** Where it is the whole answer: the names of its members, in their order. */
  readonly order?: readonly string[] | undefined;
}

/** Draws a field in another one. */
export type DrawField = (context: FormContext, field: Field) => TemplateResult;

/** A place in an answer as a JSON Pointer (RFC 6901). */
export function pointerOf(path: FieldPath): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** The id of the control of a field; those of its hint and its message are made from it. */
export function fieldId({ id }: Pick<FormContext, "id">, path: FieldPath): string {
  // No blank may stand in an id that others refer to.
  return `${id}-${encodeURIComponent(pointerOf(path))}`;
}
