import { render, type TemplateResult, html, nothing } from "lit-html";

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

interface ConfirmOptions {
  readonly title: string;
  readonly text: string;
  /** The word on the button. */
  readonly action: string;
  /** Asks for a reason, too: the name of its field. */
  readonly reason?: string;
}

/** Asks before something that cannot be undone. Gives the reason, empty where there is none; nothing where the person would rather not. */
export async function confirmDialog(root: HTMLElement, { title, text, action, reason }: ConfirmOptions): Promise<string | undefined> {
  let answer: string | undefined;
  const submit = (event: Event): void => {
    event.preventDefault();
    answer = String(new FormData(event.currentTarget as HTMLFormElement).get("reason") ?? "").trim();
    dialog.close();
  };
  const dialog = openDialog(
    root,
    () =>
      html`<form @submit=${submit}>
        <h2 id="dialog-title">${title}</h2>
        <p>${text}</p>
        ${
          reason === undefined
            ? nothing
            : html`<label class="field"><span>${reason}</span><input name="reason" maxlength="500" autocomplete="off" /></label>`
        }
        <div class="buttons">
          <button type="submit" class="danger">${action}</button>
          <button type="button" @click=${() => dialog.close()}>Leave it as it is</button>
        </div>
      </form>`,
  );
  await dialog.closed;
  return answer;
}
