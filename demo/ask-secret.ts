import { html } from "lit-html";
import { showDialog } from "./dialog.ts";

/**
 * Asks for a secret that a run needs to go on: the page keeps none, so it is gone after a reload. Gives nothing if the person declines.
 */
export async function askSecret(name: string): Promise<string | undefined> {
  const dialog = await showDialog(
    html`<form method="dialog" autocomplete="off">
      <h2 id="ask-secret-title">A run needs “${name}” to go on</h2>
      <p id="ask-secret-text">It is secret, so it was kept nowhere.</p>
      <label for="ask-secret">${name}</label>
      <input class="field" id="ask-secret" type="password" autocomplete="off" aria-describedby="ask-secret-text" autofocus />
      <div class="answers">
        <button class="button primary" value="give">Go on</button>
        <button class="button" value="later">Not now</button>
      </div>
    </form>`,
    { labelledBy: "ask-secret-title" },
  );
  const { value } = dialog.querySelector("input")!;
  return dialog.returnValue === "give" && value !== "" ? value : undefined;
}
