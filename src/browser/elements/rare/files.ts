import { html, nothing, type TemplateResult } from "lit-html";
import { fieldId, type Field, type FormContext } from "../form-context.ts";
import type { Entry } from "../typed-entry.ts";
import { fileLimits } from "./file-kinds.ts";
import { dropArea, limitsHint, pickedFile, type PickedFile } from "./file.ts";
import { announce, announcer } from "./announce.ts";
import { wordsOf } from "../wizard-messages.ts";
import { fieldWordsOf } from "./words.ts";

/** Several files: picked or dropped, many at once, each in a list with a button that takes it out. */
export function filesTemplate(context: FormContext, { schema, path, entry, label }: Field): TemplateResult {
  const words = fieldWordsOf(context.messages);
  const id = fieldId(context, path);
  const files = (entry as readonly Entry[]).filter((one) => one !== undefined) as readonly PickedFile[];
  const nameAt = (index: number): string => wordsOf(context.messages).item(label, context.locale.number(index + 1));
  const limits = fileLimits(schema, context);
  const isFull = files.length >= (schema.maxItems ?? Infinity);
  const take = (list: FileList | null | undefined): void => {
    const room = (schema.maxItems ?? Infinity) - files.length;
    if (list && list.length > 0 && room > 0) context.set(path, [...(files as readonly Entry[]), ...[...list].slice(0, room)], `${id}-add`);
  };
  const input = html`<input
    type="file"
    part="control"
    multiple
    id="${id}-add"
    ?disabled=${isFull}
    accept=${schema.items!.contentMediaType ?? nothing}
    capture=${schema.items!.capture ?? nothing}
    aria-label=${label || nothing}
    aria-describedby=${limits ? `${id}-limits` : nothing}
    .value=${""}
    @change=${(event: Event) => take((event.target as HTMLInputElement).files)}
  />`;
  return html`<ul part="files">
      ${files.map((file, i) => {
        const out = ({ target }: Event): void => {
          context.rearrange(
            path,
            files.flatMap((_, at) => (at === i ? [] : [at])),
            files.length > 1 ? `${id}-out-${Math.min(i, files.length - 2)}` : `${id}-add`,
          );
          announce(target, id, words.removed(file.name, context.locale.number(files.length - 1)));
        };
        const itemId = fieldId(context, [...path, i]);
        return html`<li part="picked" id=${itemId} tabindex="-1">
          ${pickedFile(context, { file, id: `${id}-out-${i}`, label: nameAt(i), remove: out })}
        </li>`;
      })}
    </ul>
    ${dropArea(context, { input, take, hint: html`<span part="hint">${words.addFiles}</span>${limitsHint(id, limits)}` })} ${announcer(id)}`;
}
