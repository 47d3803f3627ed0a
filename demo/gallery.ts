import type { Values, Workflow } from "wavepoint";
import * as ciPipeline from "../examples/ci-pipeline/ci-pipeline.yaml?workflow";
import * as configWizard from "../examples/config-wizard/config-wizard.yaml?workflow";
import * as deploymentApproval from "../examples/deployment-approval/deployment-approval.yaml?workflow";
import * as followUpForm from "../examples/follow-up-form/follow-up-form.yaml?workflow";
import * as bodyMass from "../examples/forms/body-mass.yaml?workflow";
import * as developer from "../examples/forms/developer.yaml?workflow";
import * as equipment from "../examples/forms/equipment.yaml?workflow";
import * as feedback from "../examples/forms/feedback.yaml?workflow";
import * as fishingLicence from "../examples/forms/fishing-licence.yaml?workflow";
import * as harbour from "../examples/forms/harbour.yaml?workflow";
import harbours from "../examples/forms/harbours.json?url";
import * as medicalHistory from "../examples/forms/medical-history.yaml?workflow";
import * as musicCamp from "../examples/forms/music-camp.yaml?workflow";
import * as phq9 from "../examples/forms/phq-9.yaml?workflow";
import * as waterDamage from "../examples/forms/water-damage.yaml?workflow";
import * as httpRetry from "../examples/http-retry/http-retry.yaml?workflow";
import tides from "../examples/http-retry/tides.json?url";
import * as letterFiles from "../examples/letter-files/letter-files.yaml?workflow";
import * as parallelSurvey from "../examples/parallel-survey/parallel-survey.yaml?workflow";
import * as projectCheck from "../examples/project-check/project-check.yaml?workflow";
import * as qualityCheck from "../examples/project-check/quality-check.yaml?workflow";
import * as toolCheck from "../examples/project-check/tool-check.yaml?workflow";
import * as reminder from "../examples/reminder/reminder.yaml?workflow";
import * as stateDocument from "../examples/state-document/state-document.yaml?workflow";
import * as runTool from "../examples/tool-catalogue/run-tool.yaml?workflow";
import * as countLines from "../examples/tool-catalogue/tools/count-lines.yaml?workflow";
import * as berthApplication from "./workflows/berth-application.yaml?workflow";
import * as coffeeSubscription from "./workflows/coffee-subscription.yaml?workflow";
import * as dinnerParty from "./workflows/dinner-party.yaml?workflow";
import * as expenseApproval from "./workflows/expense-approval.yaml?workflow";
import * as firstBox from "./workflows/first-box.yaml?workflow";
import * as firstDay from "./workflows/first-day.yaml?workflow";
import * as harbourDesk from "./workflows/harbour-desk.yaml?workflow";
import * as landTheCatch from "./workflows/land-the-catch.yaml?workflow";
import * as seaForecast from "./workflows/sea-forecast.yaml?workflow";
import * as setUpDesk from "./workflows/set-up-desk.yaml?workflow";
import * as soundALine from "./workflows/sound-a-line.yaml?workflow";
import * as stampLetters from "./workflows/stamp-letters.yaml?workflow";
import * as stormReport from "./workflows/storm-report.yaml?workflow";
import * as takeSoundings from "./workflows/take-soundings.yaml?workflow";
import * as workshopSeat from "./workflows/workshop-seat.yaml?workflow";

/** The shelves of the gallery; `own` holds what was written or changed in this browser. */
export type Shelf = "own" | "answer" | "form" | "watch" | "node";

/** A workflow that comes with the page. */
export interface Shipped {
  readonly shelf: Shelf;
  readonly file: WorkflowFile;
  /** How long it takes, in words. */
  readonly takes: string;
  /** The workflows that it calls. */
  readonly called?: readonly WorkflowFile[];
  /** Inputs that its start form holds at first, which only the page knows. */
  readonly presets?: Values;
  /** The line that runs it where a page cannot. */
  readonly command?: string;
}

interface WorkflowFile {
  readonly workflow: Workflow;
  /** Gives its text, which a page loads for those who read it. */
  readSource(): Promise<string>;
}

export const GALLERY: readonly Shipped[] = [
  { shelf: "answer", file: coffeeSubscription, takes: "a minute" },
  { shelf: "answer", file: firstBox, takes: "twenty seconds" },
  { shelf: "answer", file: berthApplication, takes: "three minutes" },
  { shelf: "answer", file: stormReport, takes: "two minutes" },
  { shelf: "answer", file: dinnerParty, takes: "half a minute" },
  { shelf: "answer", file: workshopSeat, takes: "a minute" },
  { shelf: "answer", file: expenseApproval, takes: "half a minute" },
  { shelf: "answer", file: firstDay, called: [setUpDesk], takes: "half a minute" },
  { shelf: "answer", file: configWizard, takes: "a minute" },
  { shelf: "answer", file: followUpForm, takes: "a minute" },
  { shelf: "form", file: fishingLicence, takes: "a minute" },
  { shelf: "form", file: waterDamage, takes: "three minutes" },
  { shelf: "form", file: musicCamp, takes: "two minutes" },
  { shelf: "form", file: medicalHistory, takes: "two minutes" },
  { shelf: "form", file: phq9, takes: "a minute" },
  { shelf: "form", file: bodyMass, takes: "half a minute" },
  { shelf: "form", file: equipment, takes: "a minute" },
  { shelf: "form", file: harbour, presets: { address: new URL(harbours, location.href).href }, takes: "half a minute" },
  { shelf: "form", file: developer, takes: "two minutes" },
  { shelf: "form", file: feedback, takes: "a minute" },
  { shelf: "watch", file: harbourDesk, takes: "half a minute" },
  { shelf: "watch", file: seaForecast, takes: "six seconds" },
  { shelf: "watch", file: takeSoundings, called: [soundALine], takes: "half a minute" },
  { shelf: "watch", file: stampLetters, takes: "ten seconds" },
  { shelf: "watch", file: parallelSurvey, takes: "a few seconds" },
  { shelf: "watch", file: landTheCatch, takes: "half a minute" },
  { shelf: "watch", file: reminder, takes: "as long as you like" },
  { shelf: "watch", file: httpRetry, presets: { address: new URL(tides, location.href).href }, takes: "a few seconds" },
  { shelf: "watch", file: letterFiles, takes: "a second" },
  { shelf: "watch", file: stateDocument, takes: "a second" },
  {
    shelf: "node",
    file: deploymentApproval,
    takes: "a minute",
    command: "npx wavepoint run deployment-approval.yaml --allow-shell . --input environment=production",
  },
  { shelf: "node", file: ciPipeline, takes: "a minute", command: "npx wavepoint run ci-pipeline.yaml --allow-shell ." },
  {
    shelf: "node",
    file: projectCheck,
    called: [qualityCheck, toolCheck],
    takes: "a minute",
    command: "npx wavepoint run project-check.yaml --allow-shell .",
  },
  {
    shelf: "node",
    file: runTool,
    called: [countLines],
    takes: "a second",
    command: "npx wavepoint run run-tool.yaml --workflows tools --allow-shell project --input tool=count-lines",
  },
];
