import { html, nothing, type TemplateResult } from "lit-html";
import { currencySymbol } from "../../core/model/typed-money.ts";
import { dayOfLimit } from "../../core/model/day-limit.ts";
import type { FormContext } from "./form-context.ts";
import { textControl, type ControlProps } from "./text-control.ts";

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
