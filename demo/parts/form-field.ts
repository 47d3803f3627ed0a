import { html, nothing, type TemplateResult } from "lit-html";
import type { Value } from "wavepoint";
import { controlName, type Entry, type FormField } from "../form-fields.ts";

/** A list of choices longer than this becomes a menu. */
const MAX_RADIOS = 6;

interface FieldProps {
  readonly field: FormField;
  readonly entry: Entry;
  /** Of the control; the others in the page are made from it. */
  readonly id: string;
  readonly error: string | undefined;
}

/** A field of a form: its label, its hint, its control and what is wrong with it. */
export function formField(props: FieldProps): TemplateResult {
  const { field, id, error } = props;
  const hint = field.schema.description ? html`<p class="field-hint" id=${`${id}-hint`}>${field.schema.description}</p>` : nothing;
  const message = error ? html`<p class="field-error" id=${`${id}-error`}>${error}</p>` : nothing;
  if (field.kind === "choices" || isRadios(field)) {
    return html`<fieldset class="form-field" aria-describedby=${describedBy(props)} data-field=${field.name}>
      <legend>${field.label}${optional(field)}</legend>
      ${hint}${message}
      <div class="choices" ?data-invalid=${error}>${field.choices.map((choice, index) => option(props, choice, index))}</div>
    </fieldset>`;
  }
  if (field.kind === "checkbox") {
    return html`<div class="form-field" data-field=${field.name}>
      <label class="choice">${control(props)}<span>${field.label}</span></label>
      ${hint}${message}
    </div>`;
  }
  return html`<div class="form-field" data-field=${field.name}>
    <label for=${id}>${field.label}${optional(field)}</label>
    ${hint}${message}${control(props)}
  </div>`;
}

function isRadios({ kind, choices }: FormField): boolean {
  return kind === "choice" && choices.length <= MAX_RADIOS;
}

function optional({ required }: FormField): TemplateResult | typeof nothing {
  return required ? nothing : html` <span class="quiet">(optional)</span>`;
}

function describedBy({ field, id, error }: FieldProps): string | typeof nothing {
  const ids = [field.schema.description ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return ids === "" ? nothing : ids;
}

function option({ field: { name, kind }, entry, id }: FieldProps, choice: Value, index: number): TemplateResult {
  const place = String(index);
  return html`<label class="choice">
    <input
      type=${kind === "choices" ? "checkbox" : "radio"}
      name=${controlName(name)}
      id=${index === 0 ? id : `${id}-${index}`}
      value=${place}
      .checked=${Array.isArray(entry) ? entry.includes(place) : entry === place}
    />
    <span>${choiceText(choice)}</span>
  </label>`;
}

function control(props: FieldProps): TemplateResult {
  const { field, entry, id, error } = props;
  const described = describedBy(props);
  const invalid = error ? "true" : "false";
  const required = field.required ? "true" : "false";
  switch (field.kind) {
    case "checkbox":
      return html`<input
        type="checkbox"
        id=${id}
        name=${controlName(field.name)}
        value="yes"
        aria-describedby=${described}
        aria-invalid=${invalid}
        .checked=${entry === true}
      />`;
    case "choice":
      return html`<select
        class="field"
        id=${id}
        name=${controlName(field.name)}
        aria-describedby=${described}
        aria-invalid=${invalid}
        aria-required=${required}
      >
        <option value="" .selected=${entry === ""}>Choose…</option>
        ${field.choices.map((choice, index) => html`<option value=${index} .selected=${entry === String(index)}>${choiceText(choice)}</option>`)}
      </select>`;
    case "json":
      return longText(props);
    default:
      if (field.schema.format === "multiline") return longText(props);
      return html`<input
        class="field"
        type=${inputType(field)}
        inputmode=${inputMode(field)}
        autocomplete=${field.schema.format === "password" ? "new-password" : "off"}
        id=${id}
        name=${controlName(field.name)}
        aria-describedby=${described}
        aria-invalid=${invalid}
        aria-required=${required}
        .value=${String(entry)}
      />`;
  }
}

function longText(props: FieldProps): TemplateResult {
  const { field, entry, id, error } = props;
  return html`<textarea
    class=${field.kind === "json" ? "field code" : "field"}
    id=${id}
    name=${controlName(field.name)}
    rows=${field.kind === "json" ? 8 : 4}
    spellcheck=${field.kind === "json" ? "false" : "true"}
    placeholder=${field.kind === "json" ? "JSON" : nothing}
    aria-describedby=${describedBy(props)}
    aria-invalid=${error ? "true" : "false"}
    aria-required=${field.required ? "true" : "false"}
    .value=${String(entry)}
  ></textarea>`;
}

/** The keyboard that a phone shows. */
function inputMode({ kind, schema: { format } }: FormField): string | typeof nothing {
  if (kind === "number") return "decimal";
  return format === "email" ? "email" : format === "uri" ? "url" : nothing;
}

/** Texts but for days and times: the other kinds hide from the page what was typed where it does not fit them, or write it anew. */
function inputType({ schema: { format, default: preset = "" } }: FormField): string {
  if (format === "date" || format === "password") return format;
  // With a time zone, a day and a time are more than the browser's own field takes.
  return format === "date-time" && !/(?:Z|[+-]\d\d:\d\d)$/.test(String(preset)) ? "datetime-local" : "text";
}

function choiceText(choice: Value): string {
  return typeof choice === "string" ? choice : JSON.stringify(choice);
}
