import { html, nothing, type TemplateResult } from "lit-html";
import { choicesOf } from "../../../core/model/choices.ts";
import { nameText, namesOf } from "../field-kind.ts";
import { fieldId, pointerOf, type Field, type FormContext } from "../form-context.ts";
import { isSame, memberOf } from "../typed-entry.ts";
import type { ControlProps } from "../text-control.ts";
import { choiceText } from "../value-text.ts";
import { errorText } from "../error-text.ts";

/** Rows on one scale: a table where there is room, else a list of choices a row. Each circle is named by its row and its column. */
export function matrixTemplate(context: FormContext, { schema, path, entry }: Field): TemplateResult {
  const id = fieldId(context, path);
  const names = namesOf(schema);
  const scale = choicesOf(schema.properties![names[0]!]!);
  const row = (name: string): TemplateResult => {
    const of = schema.properties![name]!;
    const rowId = fieldId(context, [...path, name]);
    const error = context.errors.get(pointerOf([...path, name]));
    const isChosen = isSame(memberOf(entry, name));
    // Only the name names the circles; what is wrong describes them, and need not say the name again below it.
    return html`<tr part="matrix-row">
      <th scope="row" part="matrix-name">
        <span id="${rowId}-name">${of.title ?? nameText(name)}</span
        >${error ? html`<p part="error" id="${rowId}-error">${errorText(context, error, { schema: of, label: "" })}</p>` : nothing}
      </th>
      ${choicesOf(of).map(
        (choice, i) =>
          html`<td>
            <label part="option"
              ><input
                type="radio"
                name=${rowId}
                id=${i ? `${rowId}-${i}` : rowId}
                aria-labelledby="${rowId}-name ${id}-scale-${i}"
                aria-describedby=${error ? `${rowId}-error` : nothing}
                .checked=${isChosen(choice.const)}
                @change=${() => context.set([...path, name], choice.const)}
              /><span part="matrix-choice">${choiceText(choice, context)}</span></label
            >
          </td>`,
      )}
    </tr>`;
  };
  return html`<table part="matrix">
    <thead>
      <tr>
        <td></td>
        ${scale.map((choice, i) => html`<th scope="col" id="${id}-scale-${i}">${choiceText(choice, context)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${names.map(row)}
    </tbody>
  </table>`;
}

/** Whole numbers in one row of circles. */
export function ratingTemplate({ locale }: FormContext, { id, field: { schema, entry }, set }: ControlProps): TemplateResult {
  const { minimum = 1, maximum = minimum } = schema;
  const steps = Array.from({ length: maximum - minimum + 1 }, (_, i) => minimum + i);
  return html`<div part="rating">
    ${steps.map(
      (step, i) =>
        html`<label part="option"
          ><input
            type="radio"
            name=${id}
            id=${i ? `${id}-${i}` : id}
            .checked=${entry === String(step)}
            @change=${() => set(String(step))}
          /><span>${locale.number(step)}</span></label
        >`,
    )}
  </div>`;
}
