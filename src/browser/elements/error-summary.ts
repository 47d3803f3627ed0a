import { html, nothing, type TemplateResult } from "lit-html";
import type { ErrorData } from "../../core/model/errors.ts";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import { errorText } from "./error-text.ts";
import { kindOf, nameText, namesOf } from "./field-kind.ts";
import { fieldId, type FieldPath, type FormContext } from "./form-context.ts";
import { wordsOf } from "./wizard-messages.ts";

interface SummaryProps {
  readonly schema: ShownSchema;
  /** The names of the fields, where the question says in which order they stand. */
  readonly order: readonly string[] | undefined;
  /** What is wrong beside the fields. */
  readonly problem: ErrorData | undefined;
}

interface Found {
  readonly path: FieldPath;
  readonly schema: ShownSchema;
  readonly label: string;
  /** The groups around it: `Driver 2`. */
  readonly groups: readonly string[];
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
  return html`<div part="summary" role="group" tabindex="-1" id="${id}-problems" aria-labelledby="${id}-summary">
    <p part="summary-title" id="${id}-summary">${problem ? messages.error(problem) : messages.problems(errors.size)}</p>
    <ul>
      ${found.map(({ path, schema: of, label, groups, error }) => {
        const target = fieldId(context, path);
        const go = (event: Event): void => {
          event.preventDefault();
          const root = (event.target as Element).getRootNode() as Document | ShadowRoot;
          (root.getElementById(`${target}-other`) ?? root.getElementById(target))?.focus();
        };
        return html`<li><a href="#${target}" @click=${go}>${within(groups, errorText(context, error, { schema: of, label }))}</a></li>`;
      })}
    </ul>
  </div>`;
}

/** What to do, with where it is to be done: `Driver 2: Enter …`. */
function within(groups: readonly string[], sentence: string): string {
  return groups.reduceRight((text, group) => `${group}${/[?!؟]$/.test(group) ? "" : ":"} ${text}`, sentence);
}

/** The field at a place in an answer, or the nearest one around it, with its name and where it stands in the form. */
function findField({ messages, locale }: FormContext, schema: ShownSchema, order: readonly string[] | undefined, pointer: string): Found {
  let [of, label] = [schema, ""];
  const groups: string[] = [];
  const path: (string | number)[] = [];
  const place: number[] = [];
  for (const written of pointer.split("/").slice(1)) {
    const part = written.replaceAll("~1", "/").replaceAll("~0", "~");
    const kind = kindOf(of, true);
    const names = kind === "group" ? namesOf(of, path.length === 0 ? order : undefined) : [];
    if (names.includes(part)) {
      const member = of.properties![part]!;
      // The rows of a matrix are questions themselves, and many.
      if (label !== "" && of.format !== "matrix") groups.push(label);
      label = member.title ?? nameText(part);
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
  return { path, schema: of, label, groups, place };
}

/** Which of two fields stands before the other. */
function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((index, i) => index !== other[i]);
  return at < 0 ? one.length - other.length : one[at]! - (other[at] ?? -1);
}
