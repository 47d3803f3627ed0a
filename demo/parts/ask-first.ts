import { html } from "lit-html";
import { showDialog } from "../dialog.ts";

interface AskFirstOptions {
  readonly title: string;
  readonly text: string;
  /** The word on the button that goes ahead. */
  readonly action: string;
}

/** Asks before something that cannot be undone. Escape and "Keep" mean no; the focus returns to where it was. */
export async function askFirst({ title, text, action }: AskFirstOptions): Promise<boolean> {
  const { returnValue } = await showDialog(
    html`<form method="dialog">
      <h2 id="ask-first-title">${title}</h2>
      <p id="ask-first-text">${text}</p>
      <div class="answers">
        <button class="button" value="keep" autofocus>Keep</button>
        <button class="button danger" value="go">${action}</button>
      </div>
    </form>`,
    { labelledBy: "ask-first-title", describedBy: "ask-first-text" },
  );
  return returnValue === "go";
}
