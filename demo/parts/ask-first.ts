import { html, render } from "lit-html";

interface AskFirstOptions {
  readonly title: string;
  readonly text: string;
  /** The word on the button that goes ahead. */
  readonly action: string;
}

/** Asks before something that cannot be undone. Escape and "Keep" mean no; the focus returns to where it was. */
export function askFirst({ title, text, action }: AskFirstOptions): Promise<boolean> {
  const dialog = document.createElement("dialog");
  dialog.className = "ask-first card";
  dialog.setAttribute("aria-labelledby", "ask-first-title");
  dialog.setAttribute("aria-describedby", "ask-first-text");
  render(
    html`<form method="dialog">
      <h2 id="ask-first-title">${title}</h2>
      <p id="ask-first-text">${text}</p>
      <div class="answers">
        <button class="button" value="keep" autofocus>Keep</button>
        <button class="button danger" value="go">${action}</button>
      </div>
    </form>`,
    dialog,
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "go");
    });
  });
}
