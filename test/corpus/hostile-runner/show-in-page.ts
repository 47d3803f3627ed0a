import "../../demo/expect-lit-in-dev-mode.ts";
import { render } from "lit-html";
import type { Pause } from "wavepoint";
import { question } from "../../../demo/parts/question.ts";

/** Elements that a question is drawn with; anything else came out of a prompt. */
const OWN = new Set(["FORM", "FIELDSET", "LEGEND", "LABEL", "INPUT", "TEXTAREA", "BUTTON", "P", "DIV", "SPAN"]);

/** Shows a question as the demo does; the page must show the prompt's characters and make nothing of them. */
export async function showInPage(pause: Pause): Promise<string | undefined> {
  const place = document.createElement("div");
  document.body.append(place);
  try {
    render(question({ pause, draft: "", sending: false, keepDraft: () => {}, answer: () => {}, refuse: () => {} }), place);
    const strange = [...place.querySelectorAll("*")].find(({ tagName }) => !OWN.has(tagName));
    if (strange !== undefined) return `the prompt became an element: ${strange.outerHTML}`;
    return place.textContent.includes(pause.prompt) ? undefined : `the page says ${JSON.stringify(place.textContent)}`;
  } finally {
    place.remove();
  }
}
