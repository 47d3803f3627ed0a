import {
  isWorkflowError,
  type Executor,
  type JsonSchema,
  type Pause,
  type Run,
  type RunResult,
  type Value,
  type Values,
  type Workflow,
} from "wavepoint";
import type { FieldError, PauseForm, PauseFormState } from "wavepoint/browser";
import { dropDraft, keepDraft, readDraft } from "./drafts.ts";
import type { Example } from "./examples.ts";
import { titleOf } from "./wording.ts";

/** What is wrong with the inputs, and nothing else. */
const REFUSALS: ReadonlySet<string> = new Set(["INPUT_INVALID", "SECRET_TOO_SHORT"]);

interface StartQuestionsOptions {
  readonly executor: Executor;
  onStarted(run: Run): void;
}

/** The inputs of workflows as questions, so that the same elements ask them: a run is what becomes of an answer. */
export interface StartQuestions {
  of(example: Example): PauseForm;
}

/** Makes the part of the page that starts runs. */
export function createStartQuestions({ executor, onStarted }: StartQuestionsOptions): StartQuestions {
  const forms = new WeakMap<Workflow, PauseForm>();
  return {
    of(example) {
      const form = forms.get(example.workflow) ?? createStartForm(example, executor, onStarted);
      forms.set(example.workflow, form);
      return form;
    },
  };
}

function createStartForm({ workflow, presets }: Example, executor: Executor, onStarted: (run: Run) => void): PauseForm {
  const listeners = new Set<() => void>();
  const pause = startPause(workflow, presets);
  const draft = keptDraft(workflow.name);
  let state: PauseFormState = { pause, isSending: false, error: undefined, fieldErrors: [], draft, draftError: undefined };
  const change = (next: Partial<PauseFormState>): void => {
    state = { ...state, ...next };
    for (const listener of listeners) listener();
  };
  return {
    getSnapshot: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async answer(response): Promise<RunResult> {
      change({ isSending: true, error: undefined, fieldErrors: [] });
      const inputs = givenInputs(workflow, response as Value);
      try {
        const run = await executor.start(workflow.name, inputs);
        dropDraft(draftOf(workflow.name));
        onStarted(run);
        return { status: "paused", run: run.id, pauses: [] };
      } catch (thrown) {
        if (!isWorkflowError(thrown) || !REFUSALS.has(thrown.code)) throw thrown;
        const error = thrown.toJSON();
        change({ error, fieldErrors: fieldErrorsOf(thrown.details["problems"], inputs) });
        return { status: "failure", run: "", error };
      } finally {
        change({ isSending: false });
      }
    },
    decline: () => Promise.reject(new TypeError("A start is not declined.")),
    saveDraft(draft) {
      keepDraft(draftOf(workflow.name), JSON.stringify(draft ?? null));
      state = { ...state, draft: draft as Value | undefined };
    },
  };
}

function startPause(workflow: Workflow, presets: Values = {}): Pause {
  const inputs = Object.entries(workflow.inputs ?? {});
  const properties = inputs.map(([name, { type, description, enum: choices, default: preset, secret }]): [string, JsonSchema] => {
    const first: Value | undefined = presets[name] ?? preset;
    return [
      name,
      {
        type,
        title: titleOf(name),
        ...(description === undefined ? {} : { description }),
        ...(choices === undefined ? {} : { enum: choices }),
        ...(first === undefined ? {} : { default: first }),
        ...(secret === true ? { format: "password" } : {}),
      },
    ];
  });
  return {
    id: `start-${workflow.name}`,
    run: "",
    path: [workflow.name],
    type: "Form",
    prompt: "Start a run",
    schema: { type: "object", properties: Object.fromEntries(properties), required: requiredInputs(workflow) },
    allows: { decline: false, cancel: false, back: false, skip: false },
    progress: { answered: 0, remaining: { min: 1 } },
    metadata: { fields: inputs.map(([name]) => name) },
    askedAt: 0,
  };
}

function requiredInputs({ inputs = {} }: Workflow): readonly string[] {
  return Object.entries(inputs).flatMap(([name, { required, default: preset }]) => ((required ?? preset === undefined) ? [name] : []));
}

/** An empty text counts as not given where an input has to be. */
function givenInputs(workflow: Workflow, response: Value): Values {
  const required = new Set(requiredInputs(workflow));
  return Object.fromEntries(Object.entries(response as Values).filter(([name, value]) => value !== "" || !required.has(name)));
}

/** What the engine says of an input that is missing is for those who give it in code. */
function fieldErrorsOf(problems: Value | undefined, inputs: Values): readonly FieldError[] {
  return Object.entries((problems ?? {}) as Values).map(([name, message]) => {
    const instancePath = `/${name}`;
    if (!Object.hasOwn(inputs, name)) return { instancePath, code: "required", message: "is required" };
    return { instancePath, code: "invalid", message: String(message).replace(/\.$/, "") };
  });
}

function keptDraft(workflow: string): Value | undefined {
  const text = readDraft(draftOf(workflow));
  return text === "" ? undefined : ((JSON.parse(text) as Value) ?? undefined);
}

function draftOf(workflow: string): string {
  return `start:${workflow}`;
}
