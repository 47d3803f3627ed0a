import { isRecord, type Value } from "../../core/model/value.ts";
import { type Asked, both, type Condition, conditionText, questionsOf, type Refer } from "./condition.ts";
import { type DraftField, type DraftLine, type DraftQuestion, isQuestion, type Note, Reference, type Text } from "./draft.ts";
import { withReferences } from "./piped-text.ts";

/** What conditions in a group put before the name of a question of the same group. */
export const BESIDE = "@";

/** A rule of a form, as YAML writes it. */
interface WrittenRule {
  readonly check: Reference;
  readonly field: string;
  readonly message: Text;
}

/** The lines of a form or of a group with their conditions in the grammar of workflows, and the rules between them. */
export function writeLines(
  lines: readonly DraftLine[],
  refer: Refer,
  note: Note,
): { readonly fields: readonly unknown[]; readonly rules: readonly WrittenRule[] } {
  const rules: WrittenRule[] = [];
  const fields = lines.map((line): unknown => {
    if (isQuestion(line)) {
      rules.push(...ruleOf(line, refer, note));
      return writeField(line, refer, note);
    }
    const { pointer, showIf: shown, ...content } = line;
    if (shown) note(pointer, "What stands between questions is always shown: its condition is left out.");
    return withReferences(content, refer, pointer, note);
  });
  return { fields, rules };
}

function writeField({ field, showIf, pointer }: DraftQuestion, refer: Refer, note: Note): unknown {
  const { fields: inner, ...own } = field;
  const isCircular = showIf !== undefined && questionsOf(showIf).includes(field.name);
  if (isCircular) note(pointer, "Whether it is asked depends on its own answer. It is always asked.");
  const text = showIf && !isCircular ? formCondition(showIf, refer, pointer, note) : undefined;
  const group = inner && writeLines(inner, besideIn(inner, refer), note);
  return {
    ...withReferences(own, refer, pointer, note),
    ...(group ? { fields: group.fields } : {}),
    ...(group && group.rules.length > 0 ? { rules: group.rules } : {}),
    ...(text === undefined ? (showIf ? { required: false } : {}) : { show_if: new Reference(text) }),
  };
}

/** A question that must be answered under a condition, or with yes: what may be left out, with a rule for when it may not. */
function ruleOf({ field, requiredIf, mustAgree, pointer }: DraftQuestion, refer: Refer, note: Note): readonly WrittenRule[] {
  if (requiredIf === undefined && !mustAgree) return [];
  const wanted: Condition = mustAgree
    ? { question: field.name, is: "==", value: true }
    : { not: both(requiredIf, { not: { answered: field.name } })! };
  const check = formCondition(wanted, besideIn([{ field, pointer }], refer), pointer, note);
  if (check === undefined) return [];
  const { required } = (field["messages"] ?? {}) as { readonly required?: Text };
  const { title } = field;
  const label = typeof title === "string" ? title : isRecord(title) ? String(Object.values(title)[0]) : undefined;
  return [
    {
      check: new Reference(check),
      field: field.name,
      message: required ?? `${mustAgree ? "Tick" : "Fill in"} ${label === undefined ? "this field" : `“${label}”`}.`,
    },
  ];
}

/** How questions of a group see those beside them, and those around it. */
function besideIn(lines: readonly DraftLine[], around: Refer): Refer {
  const own = new Map(lines.filter(isQuestion).map(({ field }): [string, DraftField] => [field.name, field]));
  return (question) => {
    const name = question.startsWith(BESIDE) ? question.slice(BESIDE.length) : question;
    const field = own.get(name);
    return field ? askedField(field, `\${fields.${name}}`) : around(question);
  };
}

/** How the answer of a field is referred to, and what it may be. */
export function askedField({ enum: choices, type = "string", format, other }: DraftField, place: string): Asked {
  const values = Array.isArray(choices)
    ? (choices as readonly Value[]).map((one) => (isRecord(one) ? (one["value"] as Value) : one))
    : undefined;
  const isList = type === "array";
  return {
    place,
    isOneOfChoices: values !== undefined && !isList,
    isList,
    choices: other === undefined ? undefined : values,
    isUnorderedText: type === "string" && values === undefined && !DAYS_AND_TIMES.has(String(format)),
    typed: (value) => typed(value, String(type), isList ? values : undefined),
  };
}

const DAYS_AND_TIMES: ReadonlySet<string> = new Set(["date", "date-time", "time", "month"]);

/** A value as answers have it: other tools take "1" for 1. */
function typed(value: Value, type: string, items: readonly Value[] | undefined): Value {
  if (items) return items.find((item) => String(item) === String(value)) ?? value;
  if ((type === "number" || type === "integer") && typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value)))
    return Number(value);
  if (type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return type === "string" && (typeof value === "number" || typeof value === "boolean") ? String(value) : value;
}

/** A condition of a field or a rule. A form sees its own fields alone. */
function formCondition(condition: Condition, refer: Refer, pointer: string, note: Note): string | undefined {
  const text = writeCondition(condition, refer, pointer, note);
  if (text === undefined || !/\$\{(?!fields\.)/.test(text)) return text;
  note(
    pointer,
    "Its condition looks at another page, so it is asked always and may be left out. Give it a page of its own with that condition.",
  );
  return undefined;
}

export function writeCondition(condition: Condition, refer: Refer, pointer: string, note: Note): string | undefined {
  const lost = [...new Set(questionsOf(condition).filter((question) => refer(question) === undefined))];
  if (lost.length > 0) {
    const names = lost.map((name) => (name.startsWith(BESIDE) ? name.slice(BESIDE.length) : name)).join(", ");
    note(pointer, `Its condition looks at ${names}, which is asked later, elsewhere or not at all. It is left out.`);
    return undefined;
  }
  return conditionText(
    condition,
    (question) => refer(question)!,
    (message) => note(pointer, message),
  );
}
