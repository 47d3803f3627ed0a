import { html } from "lit-html";
import { showDialog } from "../dialog.ts";

/** Asks where to hand over a run. Gives nothing if the person keeps it. */
export async function askDestination(): Promise<string | undefined> {
  const dialog = await showDialog(
    html`<form method="dialog">
      <h2 id="destination-title">Hand this run over?</h2>
      <p id="destination-text">
        It is saved as a file and does not go on here any more, so that it cannot go on twice. Opening the file brings it back.
      </p>
      <label for="destination">Where it goes</label>
      <input class="field" id="destination" value="my other browser" maxlength="100" autofocus />
      <div class="answers">
        <button class="button primary" value="go">Hand it over</button>
        <button class="button" value="keep" formnovalidate>Keep</button>
      </div>
    </form>`,
    { labelledBy: "destination-title", describedBy: "destination-text" },
  );
  const to = dialog.querySelector("input")!.value.trim();
  return dialog.returnValue === "go" && to !== "" ? to : undefined;
}
