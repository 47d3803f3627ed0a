import { and, rankWith, schemaMatches, uiTypeIs, type UISchemaElement } from "@jsonforms/core";
import { JsonForms, withJsonFormsControlProps } from "@jsonforms/react";
import { vanillaCells, vanillaRenderers } from "@jsonforms/vanilla-renderers";
import { useEffect, useMemo, useRef, useState, type FormEvent, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import type { JsonChoice, JsonSchema, Pause, Run, Value, Values } from "wavepoint";
import { askedOf, choicesOf, type Asked } from "wavepoint/browser";
import { usePause } from "wavepoint/react";
import { withoutGaps } from "./without-gaps.ts";

/** Draws a question of a run with JSON Forms. Gives the function that takes it away. */
export function renderJsonForms(container: HTMLElement, { run, pause }: { readonly run: Run; readonly pause: string }): () => void {
  const root = createRoot(container);
  root.render(<JsonFormsQuestion run={run} id={pause} />);
  return () => root.unmount();
}

function JsonFormsQuestion({ run, id }: { readonly run: Run; readonly id: string }): ReactNode {
  const { pause, draft, isSending, error, fieldErrors, answer, saveDraft } = usePause(run, id);
  const [drawn] = useState(() => pause && drawnFrom(pause, draft as Value | undefined));
  // What the controls hold. It comes back with every drawing: JSON Forms starts again from it when there are other messages.
  const data = useRef(drawn?.data);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const page = form.current;
    if (!error || !page) return;
    // It draws messages a moment later, and says nowhere which control they belong to but by their place.
    const focus = (): void => {
      const wrong = page.querySelector(".validation_error")?.closest(".control");
      if (!wrong) return;
      observer.disconnect();
      wrong.querySelector<HTMLElement>("input, select, textarea")?.focus();
    };
    const observer = new MutationObserver(focus);
    const frame = requestAnimationFrame(() => {
      observer.observe(page, { subtree: true, childList: true, attributeFilter: ["class"] });
      focus();
    });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, [error]);
  const problems = useMemo(() => {
    const found = fieldErrors.length > 0 ? fieldErrors : error ? [{ instancePath: "", message: error.message }] : [];
    return found.map(({ instancePath, message }) => ({ instancePath, message, keyword: "engine", schemaPath: "", params: {} }));
  }, [error, fieldErrors]);
  const inPlace = useMemo(
    () => problems.map((problem) => ({ ...problem, instancePath: `${drawn?.prefix}${problem.instancePath}` })),
    [problems, drawn],
  );
  if (!pause || !drawn) return null;

  const { asked } = drawn;
  const send = (event: FormEvent): void => {
    event.preventDefault();
    void answer(valueOf(asked, data.current) ?? "").catch(() => {});
  };
  return (
    <form ref={form} onSubmit={send} noValidate>
      <h2>{asked.heading}</h2>
      <p>{asked.lead}</p>
      <JsonForms
        schema={drawn.schema}
        uischema={drawn.layout}
        data={data.current}
        renderers={RENDERERS}
        cells={vanillaCells}
        // The engine checks answers. Its messages are shown; a validator compiled in the page would be refused by its policy.
        validationMode="NoValidation"
        additionalErrors={inPlace}
        // At once, where `onChange` comes a moment later: Enter may be the next key.
        middleware={(state, action, reduce) => {
          const next = reduce(state, action);
          data.current = next.data as Values;
          return next;
        }}
        onChange={({ data: shown }) => {
          if (JSON.stringify(shown) !== JSON.stringify(drawn.data)) saveDraft(valueOf(asked, shown as Values));
        }}
      />
      {problems.some(({ instancePath }) => instancePath === "") && isForm(asked) && <p role="alert">{error?.message}</p>}
      <button disabled={isSending}>Send answer</button>
    </form>
  );
}

/** What is the same for as long as the question is open. */
function drawnFrom(pause: Pause, draft: Value | undefined) {
  const asked = askedOf(pause);
  const prefix = isForm(asked) ? "" : "/answer";
  return { asked, prefix, schema: schemaOf(asked), layout: layoutOf(asked, pause.sensitive), data: dataOf(asked, draft ?? pause.prefill) };
}

// A question with one value is drawn as a form with one field.
const isForm = ({ schema }: Asked): boolean => schema.properties !== undefined;
const dataOf = (asked: Asked, value: Value | undefined): Values => {
  if (isForm(asked)) return { ...defaultsOf(asked.schema), ...(value as Values | undefined) };
  return value === undefined ? {} : { answer: value };
};
const valueOf = (asked: Asked, data: Values | undefined): Value | undefined => withoutGaps(isForm(asked) ? data : data?.["answer"]);
const schemaOf = (asked: Asked): object => (isForm(asked) ? asked.schema : { type: "object", properties: { answer: asked.schema } });

function defaultsOf({ properties = {} }: JsonSchema): Values {
  const defaults = Object.entries(properties).flatMap(([name, part]) =>
    part.default === undefined ? [] : [[name, part.default] as const],
  );
  return Object.fromEntries(defaults);
}

const FEW = 6;

/** One control below the other, in the order of the question. */
function layoutOf({ heading, schema, order }: Asked, isSensitive = false): UISchemaElement & { readonly elements: readonly object[] } {
  const form: JsonSchema = schema.properties ? schema : { properties: { answer: { title: heading, ...schema } } };
  return { type: "VerticalLayout", elements: elementsOf("#", form, order, isSensitive) };
}

function elementsOf(
  scope: string,
  { properties = {} }: JsonSchema,
  order: readonly string[] = Object.keys(properties),
  isSensitive: boolean,
): object[] {
  return order.map((name) => {
    const part = properties[name]!;
    const { title: label = name, format } = part;
    const { length } = choicesOf(part);
    const place = `${scope}/properties/${name}`;
    if (part.properties) return { type: "Group", label, elements: elementsOf(place, part, undefined, isSensitive) };
    const options = {
      ...(length > 0 && length <= FEW ? { format: "radio", orientation: "vertical" } : {}),
      ...(format === "multiline" ? { multi: true } : {}),
      ...(isSensitive || format === "password" ? { format: "password" } : {}),
    };
    return { type: "Control", scope: place, label, options };
  });
}

/** Several of a list, for which the vanilla renderers have no control. */
const Choices = withJsonFormsControlProps(({ id, label, schema, data, path, errors, handleChange }) => (
  <fieldset className="control" id={id}>
    <legend>{label}</legend>
    {itemChoicesOf(schema as JsonSchema<string>).map(({ const: value, title = String(value) }) => {
      const chosen = (data ?? []) as readonly Value[];
      const toggle = (): void => handleChange(path, chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value]);
      return (
        <label key={title}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={toggle} /> {title}
        </label>
      );
    })}
    {errors !== "" && <div className="validation validation_error">{errors}</div>}
  </fieldset>
));

const itemChoicesOf = ({ type, items = {} }: JsonSchema<string>): readonly JsonChoice<string>[] =>
  type === "array" ? choicesOf(items) : [];
const isChoices = schemaMatches((schema) => itemChoicesOf(schema as JsonSchema<string>).length > 0);
const RENDERERS = [...vanillaRenderers, { tester: rankWith(9, and(uiTypeIs("Control"), isChoices)), renderer: Choices }];
