import { Model, SvgRegistry } from "survey-core";
import "survey-core/survey-core.fontless.css";
import { renderSurvey } from "survey-js-ui";
import type { JsonSchema, Pause, Run, Value, Values } from "wavepoint";
import { askedOf, choicesOf, createPauseForm } from "wavepoint/browser";
import { withoutGaps } from "./without-gaps.ts";

// Its picture of a timer bears a style of its own, which a strict policy refuses with a message. Nothing is timed here.
SvgRegistry.registerIconFromSvg("timercircle", '<svg viewBox="0 0 1 1"></svg>');

/** Draws a question of a run with SurveyJS. Gives the function that takes it away. */
export function renderSurveyJs(container: HTMLElement, { run, pause: id }: { readonly run: Run; readonly pause: string }): () => void {
  const form = createPauseForm(run, id);
  const { pause, draft } = form.getSnapshot();
  if (!pause) return () => {};
  const { schema } = askedOf(pause);
  const survey = new Model(surveyOf(pause));
  const kept = (draft ?? pause.prefill) as Value | undefined;
  // An empty answer would count as one, in the place of the defaults.
  if (kept !== undefined) survey.data = dataOf(schema, kept);
  survey.onValueChanged.add(() => form.saveDraft(answerOf(schema, survey.data as Values)));
  survey.onServerValidateQuestions.add((_, options) => {
    void form
      .answer(answerOf(schema, options.data as Values) ?? "")
      .catch(() => {})
      .finally(() => {
        const { error, fieldErrors } = form.getSnapshot();
        const problems = fieldErrors.length > 0 ? fieldErrors : error ? [{ instancePath: "", message: error.message }] : [];
        for (const { instancePath, message } of problems) {
          // Questions bear the place of their value as name; of what is deeper in a list, the list tells.
          const questions = survey.getAllQuestions();
          const { name } = questions.find((one) => `${instancePath}/`.startsWith(`${one.name}/`)) ?? questions[0]!;
          const within = instancePath.slice(name.length + 1).replaceAll("/", ", ");
          options.errors[name] = within === "" ? message : `${within}: ${message}`;
        }
        // Where there are none, the next question comes, and this form is gone already.
        if (problems.length > 0) options.complete();
      });
  });
  // While there is a subscriber, typed text is kept even if the page is closed.
  const leave = form.subscribe(() => {});
  renderSurvey(survey, container);
  return () => {
    leave();
    survey.dispose();
    container.replaceChildren();
  };
}

function surveyOf(pause: Pause): object {
  const { heading, lead, schema, order } = askedOf(pause);
  return {
    title: schema.properties ? heading : "",
    description: lead,
    showCompletePage: false,
    textUpdateMode: "onTyping",
    showQuestionNumbers: "off",
    completeText: "Send answer",
    // The engine says what is wrong; what it refuses comes back to its question.
    elements: schema.properties
      ? membersOf("", schema, order, pause.sensitive)
      : [elementOf(ROOT, { title: heading, ...schema }, pause.sensitive)],
  };
}

/** The name of the only question where the answer is one value. */
const ROOT = "answer";
const ITEM = "item";

function membersOf(
  path: string,
  { properties = {} }: JsonSchema,
  order: readonly string[] = Object.keys(properties),
  isSensitive = false,
): readonly object[] {
  return order.map((name) => elementOf(`${path}/${name}`, { title: name, ...properties[name] }, isSensitive));
}

const FEW = 6;
const INPUTS: { readonly [kind: string]: string } = {
  integer: "number",
  number: "number",
  date: "date",
  email: "email",
  password: "password",
};

function elementOf(name: string, schema: JsonSchema, isSensitive = false): object {
  const { title, description, type, format, items, properties, default: defaultValue } = schema;
  const element = { name, title, description, defaultValue };
  const choices = choicesOf(items ?? schema).map(({ const: value, title: text = String(value) }) => ({ value, text }));
  if (isSeveral(items)) return { ...element, type: "checkbox", choices };
  if (choices.length > 0) return { ...element, type: choices.length > FEW ? "dropdown" : "radiogroup", choices };
  if (items) {
    const templateElements = items.properties ? membersOf("", items) : [elementOf(ITEM, { title: " ", ...items })];
    return { ...element, type: "paneldynamic", templateElements };
  }
  if (properties) return { type: "panel", name: `panel ${name}`, title, description, elements: membersOf(name, schema) };
  if (type === "boolean") return { ...element, type: "boolean", ...(defaultValue === undefined ? {} : { renderAs: "checkbox" }) };
  if (format === "multiline") return { ...element, type: "comment" };
  return { ...element, type: "text", inputType: isSensitive ? "password" : (INPUTS[format ?? ""] ?? INPUTS[String(type)] ?? "text") };
}

/** Whether the items of a list are chosen, several at once. */
function isSeveral(items: JsonSchema = {}): boolean {
  return choicesOf(items).length > 0;
}

/** A value as SurveyJS holds it: one level, by the places of the questions. */
function dataOf(schema: JsonSchema, value: Value): Values {
  if (!schema.properties) return { [ROOT]: value };
  return Object.fromEntries(flattened("", schema, value as Values));
}

function flattened(path: string, { properties = {} }: JsonSchema, values: Values): readonly (readonly [string, Value])[] {
  return Object.entries(properties).flatMap(([name, part]) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return [];
    if (part.properties) return flattened(`${path}/${name}`, part, value as Values);
    return [
      [
        `${path}/${name}`,
        part.items && !isSeveral(part.items) ? (value as Value[]).map((item) => itemData(part.items!, item)) : value,
      ] as const,
    ];
  });
}

const itemData = (items: JsonSchema, item: Value): Values =>
  items.properties ? Object.fromEntries(flattened("", items, item as Values)) : { [ITEM]: item };

/** The answer that SurveyJS holds. */
function answerOf(schema: JsonSchema, data: Values): Value | undefined {
  return withoutGaps(schema.properties ? nested("", schema, data) : data[ROOT]);
}

function nested(path: string, { properties = {} }: JsonSchema, data: Values): Values {
  const members = Object.entries(properties).map(([name, part]) => [name, memberOf(`${path}/${name}`, part, data)] as const);
  return Object.fromEntries(members.filter((member): member is readonly [string, Value] => member[1] !== undefined));
}

function memberOf(path: string, part: JsonSchema, data: Values): Value | undefined {
  if (part.properties) return nested(path, part, data);
  const { items } = part;
  if (!items || isSeveral(items)) return data[path];
  return (data[path] as readonly Values[] | undefined)?.map((item) => (items.properties ? nested("", items, item) : (item[ITEM] ?? "")));
}
