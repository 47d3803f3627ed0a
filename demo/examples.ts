import type { Values, Workflow } from "wavepoint";
import { createRegistry } from "wavepoint/registry";
import ciPipeline from "../examples/ci-pipeline/ci-pipeline.yaml?raw";
import configWizard from "../examples/config-wizard/config-wizard.yaml?raw";
import deploymentApproval from "../examples/deployment-approval/deployment-approval.yaml?raw";
import followUpForm from "../examples/follow-up-form/follow-up-form.yaml?raw";
import httpRetry from "../examples/http-retry/http-retry.yaml?raw";
import tides from "../examples/http-retry/tides.json?url";
import letterFiles from "../examples/letter-files/letter-files.yaml?raw";
import parallelSurvey from "../examples/parallel-survey/parallel-survey.yaml?raw";
import projectCheck from "../examples/project-check/project-check.yaml?raw";
import qualityCheck from "../examples/project-check/quality-check.yaml?raw";
import toolCheck from "../examples/project-check/tool-check.yaml?raw";
import reminder from "../examples/reminder/reminder.yaml?raw";
import stateDocument from "../examples/state-document/state-document.yaml?raw";
import runTool from "../examples/tool-catalogue/run-tool.yaml?raw";
import countLines from "../examples/tool-catalogue/tools/count-lines.yaml?raw";
import berthApplication from "./workflows/berth-application.yaml?raw";
import coffeeSubscription from "./workflows/coffee-subscription.yaml?raw";
import dinnerParty from "./workflows/dinner-party.yaml?raw";
import expenseApproval from "./workflows/expense-approval.yaml?raw";
import firstDay from "./workflows/first-day.yaml?raw";
import seaForecast from "./workflows/sea-forecast.yaml?raw";
import setUpDesk from "./workflows/set-up-desk.yaml?raw";
import soundALine from "./workflows/sound-a-line.yaml?raw";
import takeSoundings from "./workflows/take-soundings.yaml?raw";
import workshopSeat from "./workflows/workshop-seat.yaml?raw";

/** A workflow of the demo beside the text it was read from. */
export interface Example {
  readonly workflow: Workflow;
  readonly source: string;
  /** Inputs that its start form holds at first, which only the page knows. */
  readonly presets?: Values;
  /** The line that runs it where a page cannot. */
  readonly command?: string;
  /** The workflows that it calls. */
  readonly called: readonly Workflow[];
  /** Set where somebody wrote or changed it in this browser. */
  readonly isOwn?: true;
}

/** Every workflow of the demo. */
export interface Examples {
  /** Those that the page shows, in its order. */
  readonly shown: readonly Example[];
  /** Those that the page can run, with the ones that only other workflows call. */
  readonly runnable: readonly Workflow[];
  /** Every tag of what is shown, the most frequent first. */
  readonly tags: readonly string[];
  /** Takes workflows that somebody wrote here; one with the name of a shipped one takes its place. What is broken stays out. */
  takeOwn(sources: Iterable<string>): void;
  /** The names of the workflows that have all of these tags. */
  tagged(tags: readonly string[]): ReadonlySet<string>;
  find(workflow: string): Example | undefined;
}

const SHOWN: readonly (Omit<Example, "workflow" | "called"> & { readonly called?: readonly string[] })[] = [
  { source: coffeeSubscription },
  { source: berthApplication },
  { source: dinnerParty },
  { source: workshopSeat },
  { source: parallelSurvey },
  { source: reminder },
  { source: httpRetry, presets: { address: new URL(tides, location.href).href } },
  { source: letterFiles },
  { source: stateDocument },
  { source: expenseApproval },
  { source: firstDay, called: [setUpDesk] },
  { source: configWizard },
  { source: followUpForm },
  { source: seaForecast },
  { source: takeSoundings, called: [soundALine] },
  { source: deploymentApproval, command: "npx wavepoint run deployment-approval.yaml --allow-shell . --input environment=production" },
  { source: ciPipeline, command: "npx wavepoint run ci-pipeline.yaml --allow-shell ." },
  { source: projectCheck, called: [qualityCheck, toolCheck], command: "npx wavepoint run project-check.yaml --allow-shell ." },
  {
    source: runTool,
    called: [countLines],
    command: "npx wavepoint run run-tool.yaml --workflows tools --allow-shell project --input tool=count-lines",
  },
];

/** Reads all workflows of the page. Throws for one that is broken, which a test would have found. */
export function loadExamples(): Examples {
  let all = readExamples([]);
  return {
    get shown() {
      return all.shown;
    },
    get runnable() {
      return all.runnable;
    },
    get tags() {
      return all.tags;
    },
    takeOwn(sources) {
      all = readExamples(sources);
    },
    tagged: (tags) => all.tagged(tags),
    find: (name) => all.find(name),
  };
}

function readExamples(own: Iterable<string>): Omit<Examples, "takeOwn"> {
  const registry = createRegistry();
  const read = (source: string): Workflow => {
    const { loaded, failed } = registry.addText(source);
    const [added] = loaded;
    if (!added) throw new Error(`An example cannot be read: ${failed[0]?.problems[0]?.message}`);
    return registry.get(added.name)!;
  };
  const shown: Example[] = [];
  const runnable: Workflow[] = [];
  for (const { called = [], ...example } of SHOWN) {
    const workflow = read(example.source);
    const others = called.map(read);
    shown.push({ ...example, workflow, called: others });
    if (example.command === undefined) runnable.push(workflow, ...others);
  }
  for (const source of own) {
    const { loaded, overwritten } = registry.addText(source, { onDuplicate: "overwrite" });
    const [added] = [...loaded, ...overwritten];
    if (!added) continue;
    const workflow = registry.get(added.name)!;
    const isOther = (one: Workflow): boolean => one.name !== workflow.name;
    const at = shown.findIndex((example) => !isOther(example.workflow));
    const before = shown[at];
    shown.splice(at < 0 ? 0 : at, at < 0 ? 0 : 1, { called: [], ...before, workflow, source, isOwn: true });
    if (before?.command === undefined) runnable.splice(0, runnable.length, workflow, ...runnable.filter(isOther));
  }
  return {
    shown,
    runnable,
    tags: tagsOf(shown),
    tagged: (tags) => new Set(registry.list({ tags }).map(({ name }) => name)),
    find: (name) => shown.find(({ workflow }) => workflow.name === name),
  };
}

function tagsOf(examples: readonly Example[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { workflow } of examples) for (const tag of workflow.tags ?? []) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([tag]) => tag);
}
