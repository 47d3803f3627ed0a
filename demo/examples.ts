import { loadWorkflow } from "wavepoint/yaml";
import type { Workflow } from "wavepoint";
import coffeeSubscription from "./workflows/coffee-subscription.yaml?raw";
import dinnerParty from "./workflows/dinner-party.yaml?raw";
import expenseApproval from "./workflows/expense-approval.yaml?raw";
import firstDay from "./workflows/first-day.yaml?raw";
import seaForecast from "./workflows/sea-forecast.yaml?raw";
import setUpDesk from "./workflows/set-up-desk.yaml?raw";
import workshopSeat from "./workflows/workshop-seat.yaml?raw";

/** A workflow of the demo beside the text it was read from. */
export interface Example {
  readonly workflow: Workflow;
  readonly source: string;
  /** Whether only other workflows call it, so that the page offers no start. */
  readonly called: boolean;
}

/** Every workflow of the demo, in the order the page shows them. */
export function loadExamples(): readonly Example[] {
  return [
    load(coffeeSubscription, "coffee-subscription.yaml"),
    load(dinnerParty, "dinner-party.yaml"),
    load(workshopSeat, "workshop-seat.yaml"),
    load(expenseApproval, "expense-approval.yaml"),
    load(firstDay, "first-day.yaml"),
    load(seaForecast, "sea-forecast.yaml"),
    load(setUpDesk, "set-up-desk.yaml", { called: true }),
  ];
}

function load(source: string, file: string, options: { called: boolean } = { called: false }): Example {
  return { workflow: loadWorkflow(source, { source: file }), source, called: options.called };
}
