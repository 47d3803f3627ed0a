import { html, nothing, type TemplateResult } from "lit-html";
import { bytesText } from "../measure-text.ts";
import type { FormContext } from "../form-context.ts";
import type { ControlProps } from "../text-control.ts";
import { wordsOf } from "../wizard-messages.ts";
import { fileLimits } from "./file-kinds.ts";
import { pictureTemplate } from "./picture.ts";

/** A file that was picked: its picture, its name and its size, with a button that takes it out. `label` names the picture. */
export function pickedFile(
  { messages, locale }: FormContext,
  {
    file,
    id,
    label,
    remove,
  }: { readonly file: PickedFile; readonly id: string; readonly label: string; readonly remove: (event: Event) => void },
): TemplateResult {
  const { remove: removeText, removeFile } = wordsOf(messages);
  return html`${pictureTemplate(file, label)}<span><bdi>${file.name}</bdi> <bdi part="size">${bytesText(file.size, locale.tag)}</bdi></span>
    <button type="button" part="button remove" id=${id} aria-label=${removeText(file.name)} @click=${remove}>${removeFile}</button>`;
}

/** Where files are dropped or picked: an input, with what stands around it. */
export function dropArea(
  { messages }: FormContext,
  {
    input,
    hint,
    take,
  }: { readonly input: TemplateResult; readonly hint: TemplateResult; readonly take: (files: FileList | undefined) => void },
): TemplateResult {
  return html`<div
    part="drop"
    @dragover=${(event: DragEvent) => event.preventDefault()}
    @drop=${(event: DragEvent) => {
      event.preventDefault();
      take(event.dataTransfer?.files);
    }}
  >
    <span part="choose" aria-hidden="true">${wordsOf(messages).chooseFile}</span>
    ${input} ${hint}
  </div>`;
}

/** Which files are taken, below where they are picked. */
export function limitsHint(id: string, limits: string): TemplateResult | typeof nothing {
  return limits ? html`<span part="hint" id="${id}-limits">${limits}</span>` : nothing;
}

/** What is shown of a file. */
export interface PickedFile {
  readonly name: string;
  readonly size: number;
}

/** A file: picked or dropped, then shown with its name and its size until it is removed. */
export function fileField(context: FormContext, { id, field, described, invalid, set }: ControlProps): TemplateResult {
  const file = field.entry as PickedFile | undefined;
  if (file) return html`<p part="picked">${pickedFile(context, { file, id, label: field.label, remove: () => set(undefined, id) })}</p>`;
  const take = (files: FileList | null | undefined): void => {
    if (files?.[0]) set(files[0], id);
  };
  const limits = fileLimits(field.schema, context);
  const input = html`<input
    type="file"
    part="control"
    id=${id}
    accept=${field.schema.contentMediaType ?? nothing}
    capture=${field.schema.capture ?? nothing}
    aria-labelledby=${field.labelledBy ?? nothing}
    aria-describedby=${[described === nothing ? "" : described, limits && `${id}-limits`].filter(Boolean).join(" ") || nothing}
    aria-invalid=${invalid}
    aria-required=${field.isRequired}
    @change=${(event: Event) => take((event.target as HTMLInputElement).files)}
  />`;
  return dropArea(context, {
    input,
    take,
    hint: html`<span part="hint drop-hint" aria-hidden="true">${wordsOf(context.messages).fileHint}</span>${limitsHint(id, limits)}`,
  });
}
