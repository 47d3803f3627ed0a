import { isWorkflowError, type Executor, type Run, type Values } from "wavepoint";
import { dropDraft, keepDraft, readDraft, type Draft } from "./drafts.ts";
import type { Example } from "./examples.ts";
import { fieldErrorsOf } from "./form-fields.ts";

/** What happens to the start forms of workflows: drafts, runs on their way, and why inputs did not do. */
export interface Starting {
  stateOf(example: Example): StartState;
}

/** How the start form of a workflow stands, and what can be done with it. */
export interface StartState extends Draft {
  readonly sending: boolean;
  start(inputs: Values): void;
}

/** What is wrong with the inputs, and nothing else. */
const REFUSALS: ReadonlySet<string> = new Set(["INPUT_INVALID", "SECRET_TOO_SHORT"]);

interface StartingOptions {
  readonly executor: Executor;
  onStarted(run: Run): void;
  /** A message appeared in the form. */
  onRefused(): void;
  onProblem(thrown: unknown): void;
  draw(): void;
}

/** Makes the part of the page that starts runs. */
export function createStarting({ executor, onStarted, onRefused, onProblem, draw }: StartingOptions): Starting {
  const sending = new Set<string>();
  const errors = new Map<string, { readonly message: string; readonly fields: ReadonlyMap<string, string> }>();
  return {
    stateOf: ({ workflow: { name } }) => ({
      draft: readDraft(draftOf(name)),
      error: errors.get(name)?.message,
      fieldErrors: errors.get(name)?.fields,
      sending: sending.has(name),
      keepDraft: (text) => keepDraft(draftOf(name), text),
      start: (inputs) => void start(name, inputs),
    }),
  };

  async function start(workflow: string, inputs: Values): Promise<void> {
    if (sending.has(workflow)) return;
    sending.add(workflow);
    errors.delete(workflow);
    draw();
    try {
      const run = await executor.start(workflow, inputs);
      dropDraft(draftOf(workflow));
      onStarted(run);
    } catch (thrown) {
      if (isWorkflowError(thrown) && REFUSALS.has(thrown.code)) {
        errors.set(workflow, { message: thrown.message, fields: fieldErrorsOf(thrown.details["problems"]) });
        onRefused();
      } else onProblem(thrown);
    } finally {
      sending.delete(workflow);
      draw();
    }
  }
}

function draftOf(workflow: string): string {
  return `start:${workflow}`;
}
