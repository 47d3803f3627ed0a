import { pickText } from "../../core/model/localized-text.ts";
import type { FieldError } from "../pause-form.ts";
import type { NamedField } from "./field-error-texts.ts";
import type { FormContext } from "./form-context.ts";
import { wordsOf } from "./wizard-messages.ts";

/** What to do about a field, as a sentence: as its author wrote it, else in words of the elements. */
export function errorText({ messages, locale, kindsOf }: FormContext, error: FieldError, field: Omit<NamedField, "locale">): string {
  return error.text === undefined
    ? wordsOf(messages).fieldError(error, { ...field, locale, kinds: kindsOf(field.schema) })
    : pickText(error.text, locale.tag);
}
