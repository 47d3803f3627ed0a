import { render, type TemplateResult } from "lit-html";

/** A modal dialog that is drawn again as what it shows changes. */
export interface Dialog {
  draw(): void;
  close(): void;
  readonly closed: Promise<void>;
}

/** Opens a dialog within an element. Escape closes it unless `mayClose` says no. */
export function openDialog(root: HTMLElement, template: () => TemplateResult, mayClose: () => boolean = () => true): Dialog {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-labelledby", "dialog-title");
  const draw = (): void => void render(template(), dialog);
  root.append(dialog);
  draw();
  dialog.showModal();
  dialog.addEventListener("cancel", (event) => {
    if (!mayClose()) event.preventDefault();
  });
  const closed = new Promise<void>((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve();
    });
  });
  return { draw, close: () => dialog.close(), closed };
}
