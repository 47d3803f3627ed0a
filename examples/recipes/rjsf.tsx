// Not from the index: that of 6.11 also imports a validator which is not among its dependencies, and which no strict policy would let run.
import Form from "@rjsf/core/lib/components/Form.js";
import { ErrorSchemaBuilder, type RJSFSchema, type UiSchema, type ValidatorType } from "@rjsf/utils";
import { useEffect, useRef, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import type { JsonSchema, Pause, Run } from "wavepoint";
import { askedOf, choicesOf } from "wavepoint/browser";
import { usePause } from "wavepoint/react";
import { withoutGaps } from "./without-gaps.ts";

/** Draws a question of a run with react-jsonschema-form. Gives the function that takes it away. */
export function renderRjsf(container: HTMLElement, { run, pause }: { readonly run: Run; readonly pause: string }): () => void {
  const root = createRoot(container);
  root.render(<RjsfQuestion run={run} id={pause} />);
  return () => root.unmount();
}

function RjsfQuestion({ run, id }: { readonly run: Run; readonly id: string }): ReactNode {
  const { pause, draft, isSending, error, fieldErrors, answer, saveDraft } = usePause(run, id);
  const place = useRef<HTMLDivElement>(null);
  const problems = fieldErrors.length > 0 ? fieldErrors : error ? [{ instancePath: "", message: error.message }] : [];
  useEffect(() => {
    // Every control has the id of the question, followed by its place in the answer.
    if (problems[0]) focusOn(place.current?.querySelector(`[id="${CSS.escape(id + problems[0].instancePath)}"]`));
    // oxlint-disable-next-line exhaustive-deps -- Once for each answer that did not do.
  }, [error]);
  if (!pause) return null;
  return (
    <div ref={place}>
      <Form
        schema={drawnSchema(pause)}
        uiSchema={{ ...uiOf(askedOf(pause).schema, pause.sensitive), ...orderOf(pause) }}
        formData={draft ?? pause.prefill}
        validator={NO_VALIDATOR}
        extraErrors={errorSchemaOf(problems)}
        showErrorList={false}
        noHtml5Validate
        idPrefix={id}
        idSeparator="/"
        disabled={isSending}
        // What it fills in by itself is no draft of somebody's; that comes without the name of a field.
        onChange={({ formData }, field) => field !== undefined && saveDraft(withoutGaps(formData))}
        onSubmit={({ formData }) => void answer(withoutGaps(formData) ?? "").catch(() => {})}
      >
        <button disabled={isSending}>Send answer</button>
      </Form>
    </div>
  );
}

/** The engine checks answers, with messages for each field: a check in between, with a compiler of its own, is not needed. */
const NO_VALIDATOR: ValidatorType = {
  isValid: () => true,
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
};

function errorSchemaOf(problems: readonly { readonly instancePath: string; readonly message: string }[]) {
  const builder = new ErrorSchemaBuilder();
  for (const { instancePath, message } of problems) {
    const names = instancePath.split("/").slice(1);
    builder.addErrors(
      message,
      names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")),
    );
  }
  return builder.ErrorSchema;
}

function drawnSchema(pause: Pause): RJSFSchema {
  const { heading, lead, schema } = askedOf(pause);
  return { ...choosable(schema), title: heading, description: lead };
}

/** It draws boxes to tick where a list says that nothing is in it twice. */
function choosable(schema: JsonSchema): RJSFSchema {
  const { properties = {}, items } = schema;
  const members = Object.entries(properties).map(([name, part]) => [name, choosable(part)]);
  return {
    ...(schema as RJSFSchema),
    ...(schema.properties ? { properties: Object.fromEntries(members) } : {}),
    ...(items ? { items: choosable(items), uniqueItems: choicesOf(items).length > 0 } : {}),
  };
}

function orderOf(pause: Pause): UiSchema {
  const { order } = askedOf(pause);
  return order ? { "ui:order": [...order, "*"] } : {};
}

const FEW = 6;

/** Which control each value gets. */
function uiOf(schema: JsonSchema, isSensitive = false): UiSchema {
  const { type, format, properties = {}, items } = schema;
  if (type === "object") return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, uiOf(part, isSensitive)]));
  if (items) return choicesOf(items).length > 0 ? { "ui:widget": "checkboxes" } : { items: uiOf(items, isSensitive) };
  const { length } = choicesOf(schema);
  if (length > 0) return length > FEW ? {} : { "ui:widget": "radio" };
  if (format === "multiline") return { "ui:widget": "textarea" };
  return isSensitive || format === "password" ? { "ui:widget": "password" } : {};
}

function focusOn(found: Element | null | undefined): void {
  const controls = "input, select, textarea, button";
  const control = found?.matches(controls) ? found : found?.querySelector(controls);
  if (control instanceof HTMLElement) control.focus();
}
