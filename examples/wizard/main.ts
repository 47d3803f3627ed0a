import { createExecutor } from "wavepoint";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import yaml from "./sign-up.yaml?raw";

const executor = createExecutor({ store: indexedDbStore({ name: "sign-up" }), workflows: [loadWorkflow(yaml)] });

// Go on with the last run if it has not ended, else start one.
const [last] = (await executor.runs.list({ workflow: "sign-up", limit: 1 })).items;
const goesOn = last?.status === "running" || last?.status === "paused";
const run = goesOn ? await executor.open(last.id) : await executor.start("sign-up", { plan: "team" });
if (goesOn) run.resume().catch(reportError);

const element = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector)!;
const form = element<HTMLFormElement>("form");
const answer = element<HTMLInputElement>("#answer");

run.subscribe(({ pauses, outputs }) => {
  form.hidden = outputs !== undefined;
  element("#question").textContent = pauses[0]?.prompt ?? "";
  element("#letter").textContent = String(outputs?.["letter"] ?? "");
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [pause] = run.getSnapshot().pauses;
  if (!pause) return;
  const result = await run.answer(pause.id, answer.value);
  element("#problem").textContent = result.status === "failure" ? result.error.message : "";
  if (result.status !== "failure") answer.value = "";
});
