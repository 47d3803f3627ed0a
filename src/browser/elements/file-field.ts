import { html, nothing, type TemplateResult } from "lit-html";
import { bytesText } from "./value-text.ts";
import type { FormContext } from "./form-context.ts";
import type { ControlProps } from "./text-control.ts";
import { wordsOf } from "./wizard-messages.ts";

/** A file: picked or dropped, then shown with its name and its size until it is removed. */
export function fileField({ messages, locale }: FormContext, { id, field, described, invalid, set }: ControlProps): TemplateResult {
  const { remove, removeFile, fileHint } = wordsOf(messages);
  const file = field.entry as { readonly name: string; readonly size: number } | undefined;
  if (file) {
    return html`<p part="picked">
      <span>${file.name} <span part="size">${bytesText(file.size, locale)}</span></span>
      <button type="button" part="button remove" id=${id} aria-label=${remove(file.name)} @click=${() => set(undefined, id)}>
        ${removeFile}
      </button>
    </p>`;
  }
  const take = (files: FileList | null | undefined): void => {
    if (files?.[0]) set(files[0], id);
  };
  return html`<div
    part="drop"
    @dragover=${(event: DragEvent) => event.preventDefault()}
    @drop=${(event: DragEvent) => {
      event.preventDefault();
      take(event.dataTransfer?.files);
    }}
  >
    <input
      type="file"
      part="control"
      id=${id}
      accept=${field.schema.contentMediaType ?? nothing}
      aria-labelledby=${field.labelledBy ?? nothing}
      aria-describedby=${described}
      aria-invalid=${invalid}
      aria-required=${field.isRequired}
      @change=${(event: Event) => take((event.target as HTMLInputElement).files)}
    />
    <span part="hint">${fileHint}</span>
  </div>`;
}
