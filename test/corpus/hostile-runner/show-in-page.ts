import { define } from "wavepoint/elements";
import type { ShowPrompt } from "./judge-prompt.ts";

/** Elements that a question is drawn with; anything else came out of a prompt. */
const OWN = new Set(["FORM", "FIELDSET", "LEGEND", "LABEL", "INPUT", "TEXTAREA", "BUTTON", "H2", "P", "DIV", "SPAN", "DETAILS", "SUMMARY"]);

/** Shows a question in `<wavepoint-prompt>`; the page must show the prompt's characters and make nothing of them. */
export const showInPage: ShowPrompt = async (pause, run) => {
  define();
  const element = document.createElement("wavepoint-prompt");
  element.run = run;
  document.body.append(element);
  try {
    while (!element.querySelector("form")) await new Promise(requestAnimationFrame);
    const strange = [...element.querySelectorAll("*")].find(({ tagName }) => !OWN.has(tagName));
    if (strange !== undefined) return `the prompt became an element: ${strange.outerHTML}`;
    // A first paragraph becomes the heading.
    const shown = [...element.querySelectorAll("[part=heading], [part=lead]")].map(({ textContent }) => textContent).join("\n\n");
    return shown === pause.prompt ? undefined : `the page says ${JSON.stringify(shown)}`;
  } finally {
    element.remove();
  }
};
