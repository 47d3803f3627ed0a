import { html, nothing, type TemplateResult } from "lit-html";
import type { ErrorData } from "../../core/model/errors.ts";
import type { JsonSchema } from "../../core/model/json-schema.ts";
import { kindOf, nameText, namesOf } from "./field-kind.ts";
import { fieldId, type FieldPath, type FormContext } from "./form-context.ts";
import { wordsOf } from "./wizard-messages.ts";

interface SummaryProps {
  readonly schema: JsonSchema;
  /** The names of the fields, where the question says in which order they stand. */
  readonly order: readonly string[] | undefined;
  /** What is wrong beside the fields. */
  readonly problem: ErrorData | undefined;
}

interface Found {
  readonly path: FieldPath;
  readonly label: string;
  /** The numbers of its members and items, from the outermost on. */
  readonly place: readonly number[];
}

/** What is wrong, in one place that takes the focus; each line leads to its field. */
export function errorSummary(context: FormContext, { schema, order, problem }: SummaryProps): TemplateResult | typeof nothing {
  const { id, errors } = context;
  const messages = wordsOf(context.messages);
  if (errors.size === 0 && problem === undefined) return nothing;
  const found = [...errors]
    .map(([pointer, error]) => ({ ...findField(context, schema, order, pointer), error }))
    .toSorted((one, other) => compare(one.place, other.place));
  return html`<div part="summary" role="group" tabindex="-1" aria-labelledby="${id}-summary">
    <p part="summary-title" id="${id}-summary">${problem ? messages.error(problem) : messages.problems(errors.size)}</p>
    <ul>
      ${found.map(({ path, label, error }) => {
        const target = fieldId(context, path);
        const go = (event: Event): void => {
          event.preventDefault();
          ((event.target as Element).getRootNode() as Document | ShadowRoot).getElementById(target)?.focus();
        };
        return html`<li><a href="#${target}" @click=${go}>${messages.fieldSentence(label, messages.fieldError(error))}</a></li>`;
      })}
    </ul>
  </div>`;
}

/** The field at a place in an answer, or the nearest one around it, with its name and where it stands in the form. */
function findField({ messages, locale }: FormContext, schema: JsonSchema, order: readonly string[] | undefined, pointer: string): Found {
  let [of, label] = [schema, ""];
  const path: (string | number)[] = [];
  const place: number[] = [];
  for (const written of pointer.split("/").slice(1)) {
    const part = written.replaceAll("~1", "/").replaceAll("~0", "~");
    const kind = kindOf(of, true);
    const names = kind === "group" ? namesOf(of, path.length === 0 ? order : undefined) : [];
    if (names.includes(part)) {
      const member = of.properties![part]!;
      const isInItem = typeof path.at(-1) === "number";
      label = `${isInItem ? `${label}, ` : ""}${member.title ?? nameText(part)}`;
      path.push(part);
      place.push(names.indexOf(part));
      of = member;
    } else if (kind === "list") {
      label = wordsOf(messages).item(of.items!.title ?? label, locale.number(Number(part) + 1));
      path.push(Number(part));
      place.push(Number(part));
      of = of.items!;
    } else break;
  }
  return { path, label, place };
}

/** Which of two fields stands before the other. */
function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((index, i) => index !== other[i]);
  return at < 0 ? one.length - other.length : one[at]! - (other[at] ?? -1);
}
