import { html, nothing } from "lit-html";
import { openDialog } from "./dialog.ts";

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
