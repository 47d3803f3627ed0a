import type { Run } from "wavepoint";
import type { PauseForm } from "wavepoint/browser";
import { hasAgents } from "./agent/talk.ts";
import type { Engine } from "./engine.ts";
import type { Example } from "./examples.ts";
import { problemText } from "./problem-text.ts";
import { createStartQuestions } from "./start-questions.ts";

/** How runs of the examples begin. */
export interface Starts {
  /** Starts a run, or shows the form with what it is to be given. */
  start(example: Example): void;
  /** The form with what a run is to be given. */
  formOf(example: Example): PauseForm;
  /** What the engine said to a workflow that this page cannot run. */
  refusalOf(workflow: string): string | undefined;
  /** Lets the engine say why a workflow cannot run in this page. */
  tryHere(example: Example): Promise<void>;
  /** Gives the engine what a workflow needs before it is executed. */
  equipFor(example: Example | undefined): void;
}

interface StartsOptions {
  readonly engine: Engine;
  attempt(act: () => Promise<unknown>): Promise<unknown>;
  onStarted(run: Run): void;
  /** Shows the page of a workflow, and its form. */
  showForm(workflow: string): void;
  onChange(): void;
}

export function createStarts({ engine, attempt, onStarted, showForm, onChange }: StartsOptions): Starts {
  const { executor } = engine;
  const questions = createStartQuestions({ executor, onStarted });
  const refusals = new Map<string, string>();

  return {
    start(example) {
      equipFor(example);
      const { name, inputs = {} } = example.workflow;
      const form = questions.of(example);
      // The second click of a double click.
      if (form.getSnapshot().isSending) return;
      if (Object.keys(inputs).length === 0) void attempt(() => form.answer({}));
      else showForm(name);
    },
    formOf: (example) => questions.of(example),
    refusalOf: (workflow) => refusals.get(workflow),
    async tryHere({ workflow, called }) {
      try {
        for (const one of [workflow, ...called]) await executor.load(one);
      } catch (thrown) {
        refusals.set(workflow.name, problemText(thrown));
        onChange();
      }
    },
    equipFor,
  };

  function equipFor(example: Example | undefined): void {
    if (example && hasAgents(example.workflow)) engine.equip();
  }
}
