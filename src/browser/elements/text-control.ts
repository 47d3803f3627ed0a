import { html, nothing, type TemplateResult } from "lit-html";
import type { Entry } from "./typed-entry.ts";
import { kindOf } from "./field-kind.ts";
import type { Field, FormContext } from "./form-context.ts";
import { currencySymbol } from "../../core/model/typed-number.ts";
import { dayOfLimit } from "../../core/model/day-limit.ts";

/** What a control needs beside its form. */
export interface ControlProps {
  readonly id: string;
  readonly field: Field;
  readonly described: string | typeof nothing;
  readonly invalid: string | typeof nothing;
  set(entry: Entry, focus?: string): void;
}

/** The first and the last day that a browser offers. */
interface DayLimits {
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

/**
 * Names of fields that browsers fill in, as HTML calls them, so that people need not type again what the browser knows. WCAG 2.2, 1.3.5
 * and 3.3.7.
 */
const KNOWN_NAMES =
  "|name|given-name|family-name|email|tel|organization|street-address|address-line1|address-line2|postal-code|address-level2|country-name|bday|url|username|";

/** A line. */
function textControl({ isSensitive }: FormContext, control: ControlProps, limits: DayLimits = {}): TemplateResult {
  const { id, field, described, invalid, set } = control;
  const { schema, entry, isRequired, labelledBy, path } = field;
  const kind = kindOf(schema, isRequired);
  const format = kind === "text" ? schema.format : undefined;
  // A form that is filled in at a sitting is private as a whole; someone has to see what they write in it.
  const isHidden = format === "password" || (isSensitive && path.length === 0);
  const mode =
    kind === "number"
      ? schema.type === "integer" && schema.currency === undefined && (schema.minimum ?? -1) >= 0
        ? "numeric"
        : "decimal"
      : MODES[format!];
  // In a form that is read from the right, `+49 30` and `-5` would else end with their sign.
  return html`<input
    part="control"
    type=${isHidden ? "password" : inputType(format, schema.default)}
    inputmode=${mode ?? nothing}
    dir=${mode ? "ltr" : nothing}
    id=${id}
    autocomplete=${isHidden || isSensitive ? "off" : (schema.autocomplete ?? autocompleteOf(path, format))}
    autocapitalize=${mode ? "none" : nothing}
    autocorrect=${mode || schema.pattern ? "off" : nothing}
    aria-labelledby=${labelledBy ?? nothing}
    aria-describedby=${described}
    aria-invalid=${invalid}
    aria-required=${isRequired}
    min=${limits.min ?? nothing}
    max=${limits.max ?? nothing}
    .value=${String(entry ?? "")}
    @input=${(event: Event) => set((event.target as HTMLInputElement).value)}
  />`;
}

const MODES: { readonly [format: string]: string | undefined } = { email: "email", uri: "url", tel: "tel" };

/** Texts but for days and times: the other kinds hide from the page what was typed where it does not fit them, or write it anew. */
function inputType(format: string | undefined, preset: unknown): string {
  if (format === "date" || format === "time" || format === "month") return format;
  // With a time zone, a day and a time are more than the browser's own field takes.
  return format === "date-time" && !/(?:Z|[+-]\d\d:\d\d)$/.test(String(preset)) ? "datetime-local" : "text";
}

/** What the browser may fill in where the field does not say it: by its name, but not in a list, where it is about other people. */
function autocompleteOf(path: Field["path"], format: string | undefined): string | typeof nothing {
  if (path.some((part) => typeof part === "number")) return nothing;
  const name = String(path.at(-1) ?? "")
    .replaceAll("_", "-")
    .toLowerCase();
  return KNOWN_NAMES.includes(`|${name}|`) ? name : format === "email" || format === "tel" ? format : nothing;
}

/** A line with limits of days, or with what a number counts behind it: a unit, or a currency. */
export function lineTemplate(context: FormContext, control: ControlProps): TemplateResult {
  const { id, field, described } = control;
  const { format, minDate, maxDate, currency } = field.schema;
  const unit = currency === undefined ? field.schema.unit : currencySymbol(currency, context.locale.tag);
  const limit = (day: string | undefined, time: string): string | undefined =>
    day === undefined ? undefined : `${dayOfLimit(day, Date.now())}${format === "date-time" ? time : ""}`;
  const limits = { min: limit(minDate, "T00:00"), max: limit(maxDate, "T23:59") };
  if (unit === undefined) return textControl(context, control, limits);
  const of = `${id}-unit`;
  return html`<div part="measure">
    ${textControl(context, { ...control, described: described === nothing ? of : `${String(described)} ${of}` })}<span part="unit" id=${of}
      >${unit}</span
    >
  </div>`;
}
