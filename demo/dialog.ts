import { render, type TemplateResult } from "lit-html";

interface DialogLabels {
  readonly labelledBy: string;
  readonly describedBy?: string;
}

/** Shows a form in a modal dialog and gives the dialog once it is closed; `returnValue` is the value of the button, empty after Escape. */
export function showDialog(form: TemplateResult, { labelledBy, describedBy }: DialogLabels): Promise<HTMLDialogElement> {
  const dialog = document.createElement("dialog");
  dialog.className = "ask-first card";
  dialog.setAttribute("aria-labelledby", labelledBy);
  if (describedBy !== undefined) dialog.setAttribute("aria-describedby", describedBy);
  render(form, dialog);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog);
    });
  });
}
