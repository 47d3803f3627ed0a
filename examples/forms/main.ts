// Shows one of the forms: `?form=phq-9`, with `&theme=compact` or `gov`, and `&lang=ar`.
import { createExecutor } from "wavepoint";
import { applyTheme, define, en } from "wavepoint/elements";
import { allowHosts } from "wavepoint/network";
import { indexedDbStore } from "wavepoint/store/indexeddb";
import { loadWorkflow } from "wavepoint/yaml";
import { FORMS } from "./forms.ts";

const wanted = new URLSearchParams(location.search);
const name = wanted.get("form") ?? "phq-9";
const language = wanted.get("lang") ?? "en";
const theme = wanted.get("theme");

const load = FORMS[name];
document.querySelector("nav")!.append(...Object.keys(FORMS).map(linkTo));
document.documentElement.lang = language;
document.documentElement.dir = language === "ar" ? "rtl" : "ltr";
document.title = name;
if (theme === "gov") applyTheme((await import("wavepoint/elements/gov")).gov);
if (theme === "compact") applyTheme((await import("wavepoint/elements/compact")).compact);
if (load) await show(await load());

async function show({ default: text }: { readonly default: string }): Promise<void> {
  const workflow = loadWorkflow(text);
  const executor = createExecutor({
    store: indexedDbStore({ name: "forms" }),
    workflows: [workflow],
    grants: { network: allowHosts([location.origin]) },
  });
  // The list that a service would give lies beside the page.
  const inputs = workflow.inputs?.["address"] ? { address: new URL("harbours.json", location.href).href } : {};
  const [last] = (await executor.runs.list({ workflow: name, limit: 1 })).items;
  const goesOn = last?.status === "running" || last?.status === "paused";
  const run = goesOn ? await executor.open(last.id) : await executor.start(name, inputs);
  if (goesOn) run.resume().catch(reportError);
  const element = document.querySelector("wavepoint-run")!;
  element.messages = language === "ar" ? (await import("wavepoint/elements/ar")).ar : en;
  element.run = run;
  define();
}

function linkTo(form: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = `?form=${form}`;
  link.textContent = form;
  if (form === name) link.setAttribute("aria-current", "page");
  return link;
}
