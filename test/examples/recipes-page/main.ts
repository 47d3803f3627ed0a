import { createExecutor, type Run } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { renderJsonForms } from "../../../examples/recipes/json-forms.tsx";
import { renderRjsf } from "../../../examples/recipes/rjsf.tsx";
import { renderSurveyJs } from "../../../examples/recipes/survey-js.ts";
import { CLUB } from "./club.ts";

const RECIPES = new Map([
  ["rjsf", renderRjsf],
  ["json-forms", renderJsonForms],
  ["survey-js", renderSurveyJs],
]);

const executor = createExecutor({ store: indexedDbStore({ name: "recipes" }), workflows: [CLUB] });
const [last] = (await executor.runs.list({ limit: 1 })).items;
const run: Run = last ? await executor.open(last.id) : await executor.start("club");
const render = RECIPES.get(location.hash.slice(1))!;

let shown: string | undefined;
let dispose = (): void => {};
run.subscribe(({ pauses: [pause], outputs }) => {
  document.querySelector("output")!.textContent = outputs ? JSON.stringify(outputs) : "";
  if (pause?.id === shown) return;
  shown = pause?.id;
  dispose();
  // A root of React's is used once.
  const place = document.createElement("div");
  document.querySelector("main")!.replaceChildren(place);
  dispose = pause ? render(place, { run, pause: pause.id }) : () => {};
});
// What a test asks whether a draft is kept.
Object.assign(globalThis, { keptDraft: () => JSON.stringify(run.getSnapshot().pauses[0]?.draft ?? null) });
