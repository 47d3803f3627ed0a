import { html, nothing, type TemplateResult } from "lit-html";
import type { JsonSchema } from "../../core/model/run.ts";
import { kindOf, nameText } from "./field-kind.ts";
import { fieldId, type FieldPath, type FormContext } from "./form-context.ts";
import { wordsOf } from "./wizard-messages.ts";

interface SummaryProps {
  readonly schema: JsonSchema;
  /** What is wrong beside the fields. */
  readonly problem: string | undefined;
}

/** What is wrong, in one place that takes the focus; each line leads to its field. */
export function errorSummary(context: FormContext, { schema, problem }: SummaryProps): TemplateResult | typeof nothing {
  const { id, errors } = context;
  const messages = wordsOf(context.messages);
  if (errors.size === 0 && problem === undefined) return nothing;
  return html`<div part="summary" role="group" tabindex="-1" aria-labelledby="${id}-summary">
    <p part="summary-title" id="${id}-summary">${problem ?? messages.problems(errors.size)}</p>
    <ul>
      ${[...errors].map(([pointer, error]) => {
        const { path, label } = findField(context, schema, pointer);
        const target = fieldId(context, path);
        const go = (event: Event): void => {
          event.preventDefault();
          ((event.target as Element).getRootNode() as Document | ShadowRoot).getElementById(target)?.focus();
        };
        return html`<li><a href="#${target}" @click=${go}>${messages.fieldSentence(label, error)}</a></li>`;
      })}
    </ul>
  </div>`;
}

/** The field at a place in an answer, or the nearest one around it, with its name. */
function findField(
  { messages, locale }: FormContext,
  schema: JsonSchema,
  pointer: string,
): { readonly path: FieldPath; readonly label: string } {
  let [of, label] = [schema, ""];
  const path: (string | number)[] = [];
  for (const written of pointer.split("/").slice(1)) {
    const part = written.replaceAll("~1", "/").replaceAll("~0", "~");
    const kind = kindOf(of, true);
    const member = kind === "group" && Object.hasOwn(of.properties!, part) ? of.properties![part]! : undefined;
    if (member) label = (label && path.some((one) => typeof one === "number") ? `${label}, ` : "") + (member.title ?? nameText(part));
    else if (kind === "list") label = wordsOf(messages).item(of.items!.title ?? label, locale.number(Number(part) + 1));
    else break;
    path.push(kind === "list" ? Number(part) : part);
    of = member ?? of.items!;
  }
  return { path, label };
}
