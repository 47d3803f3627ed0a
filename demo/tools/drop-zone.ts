import { html, type TemplateResult } from "lit-html";

interface DropZoneProps {
  readonly label: string;
  readonly hint: string;
  /** What a file chooser offers at first, as an `accept` attribute says it. */
  readonly accept: string;
  take(file: File): void;
}

/** A place to drop a file on; with a keyboard, or a finger, the same file is chosen. */
export function dropZone({ label, hint, accept, take }: DropZoneProps): TemplateResult {
  const choose = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    // The same file may be chosen again.
    input.value = "";
    if (file) take(file);
  };
  const over = (event: DragEvent): void => {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    event.preventDefault();
    (event.currentTarget as HTMLElement).dataset["over"] = "true";
  };
  const leave = (event: DragEvent): void => {
    delete (event.currentTarget as HTMLElement).dataset["over"];
  };
  const drop = (event: DragEvent): void => {
    leave(event);
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    take(file);
  };
  return html`<label class="drop-zone" @dragover=${over} @dragleave=${leave} @drop=${drop}>
    <span class="drop-zone-label">${label}</span>
    <span class="quiet">${hint}</span>
    <input type="file" accept=${accept} @change=${choose} />
  </label>`;
}
