import { confirmDialog } from "./dialog.ts";
import type { RunsFilter } from "./route.ts";
import { runStatusText } from "./status.ts";

/** Asks whether to cancel a run. Gives the reason, which may be empty; nothing where the person does not want to. */
export function confirmCancel(root: HTMLElement, workflow: string): Promise<string | undefined> {
  return confirmDialog(root, {
    title: "Cancel this run?",
    text: `${workflow} ends for good; what was done is kept.`,
    action: "Cancel the run",
    reason: "Reason (kept with the run)",
  });
}

/** Asks whether to delete a run. */
export async function confirmDelete(root: HTMLElement, workflow: string): Promise<boolean> {
  const sure = await confirmDialog(root, {
    title: "Delete this run?",
    text: `${workflow}, with its answers, outputs and checkpoints. This cannot be undone.`,
    action: "Delete the run",
  });
  return sure !== undefined;
}

/** The runs that an action on many runs is about, in words. */
export function aboutPicked(count: number): string {
  return `The ${count === 1 ? "run" : `${count} runs`} that you picked.`;
}

/** The same for all runs that a filter finds. */
export function aboutAll({ workflow, status, find }: RunsFilter): string {
  const of = workflow ? ` of ${workflow}` : "";
  const that = status ? ` that are ${runStatusText({ status }).toLowerCase()}` : "";
  return `All runs${of}${that}${find ? ` and match “${find}”` : ""}, on this page and on all others.`;
}
