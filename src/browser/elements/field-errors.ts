import type { FieldError } from "../pause-form.ts";
import { fieldErrorIn, type NamedField } from "./field-error-texts.ts";

/** What to do about a field, in English. */
export const fieldError: (error: FieldError, field: NamedField) => string = fieldErrorIn({
  // “Your name” needs no quotation marks: “Enter your name.”
  name: (sentence, label) =>
    /^(?:Your|The) \p{Ll}/u.test(label)
      ? sentence.replace(/\[[^[]*?\]%|%/, (found) => (found === "%" ? ` for “${label}”` : `${label[0]!.toLowerCase()}${label.slice(1)}`))
      : sentence.replace(/[[\]]/g, "").replace("%", () => label && ` for “${label}”`),
  wanted: {
    text: "Enter [an answer]%.",
    number: "Enter [a number]%, like #.",
    integer: "Enter a whole number%.",
    money: "Enter [an amount]%, like #.",
    email: "Enter [an e-mail address]%, like name@example.com.",
    uri: "Enter [an address]%, like https://example.com.",
    date: "Enter [a date]%, like #.",
    "date-time": "Enter [a date and a time]%, like #.",
    time: "Enter [a time]%, like #.",
    month: "Enter [a month]%, like #.",
    choice: "Choose an answer%.",
    choices: "Choose at least one answer%.",
    tick: "Tick the box%.",
    file: "Choose [a file]%.",
    signature: "Sign in the box%.",
    list: "Add at least one entry%.",
  },
  unmet: {
    pattern: "Check how the answer% is written.",
    const: "Answer% with #.",
    minLength: "Enter at least # characters%.",
    maxLength: (limit) => `Enter at most # character${limit > 1 ? "s" : ""}%.`,
    fileSize: "Choose a file of at most #%.",
    minimum: "Enter # or more%.",
    maximum: "Enter # or less%.",
    exclusiveMinimum: "Enter more than #%.",
    exclusiveMaximum: "Enter less than #%.",
    multipleOf: "Enter a multiple of #%.",
    minDate: "Enter # or later%.",
    maxDate: "Enter # or earlier%.",
    minItems: "Give at least # answers%.",
    maxItems: (limit) => `Give at most # answer${limit > 1 ? "s" : ""}%.`,
    uniqueItems: "Give each answer only once%.",
    exclusive: "Choose either “#” or other answers%.",
    contentMediaType: "Choose another kind of file%: #.",
    additionalProperties: "Leave out the answer%: it is not asked for.",
    json: "Check quotes, commas and brackets%: this is not JSON yet.",
  },
  other: "Check the answer%.",
});
