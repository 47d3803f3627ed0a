import { isDay } from "../../core/model/day.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import { both, type Comparison, type Condition } from "./condition.ts";
import { type Draft, type DraftContent, type DraftField, type DraftPage, type DraftQuestion, Names, type Note } from "./draft.ts";
import { type Foreign, numberIn, present, recordsIn, textIn } from "./foreign.ts";

/** Groups in groups that are read; deeper ones are no form that people fill in. */
const MAX_DEPTH = 10;

const OPERATORS: { readonly [operator: string]: Comparison["is"] } = { "=": "==", "!=": "!=", ">": ">", "<": "<", ">=": ">=", "<=": "<=" };

/** The keys of a field for each type of item that has one answer. R5 calls `choice` and `open-choice` `coding`. */
const KINDS: { readonly [type: string]: Foreign } = {
  boolean: { type: "boolean" },
  decimal: { type: "number" },
  quantity: { type: "number" },
  integer: { type: "integer" },
  date: { format: "date" },
  dateTime: { format: "date-time" },
  time: { format: "time" },
  string: {},
  text: { format: "multiline" },
  url: { format: "uri" },
  attachment: { type: "file" },
  choice: {},
  "open-choice": {},
  coding: {},
};

/** Whether a document is a Questionnaire of FHIR. */
export function isFhirQuestionnaire(document: Foreign): boolean {
  return document["resourceType"] === "Questionnaire";
}

/** Reads a Questionnaire of FHIR R4 or R5. Source: HL7 FHIR, resource Questionnaire. */
export function readFhirQuestionnaire(questionnaire: Foreign, note: Note): Draft {
  const reader = new QuestionnaireReader(note);
  const title = textIn(questionnaire, "title") ?? textIn(questionnaire, "name");
  return {
    name: new Names().fresh(textIn(questionnaire, "name") ?? title ?? "questionnaire"),
    ...present({ description: textIn(questionnaire, "description") ?? title }),
    pages: reader.pages(questionnaire, title),
  };
}

class QuestionnaireReader {
  readonly #note: Note;
  readonly #names = new Names();
  readonly #ids = new Names();

  constructor(note: Note) {
    this.#note = note;
  }

  /** Groups at the top are pages; what stands beside them at the top is a page with its neighbours. */
  pages(questionnaire: Foreign, title: string | undefined): readonly DraftPage[] {
    const pages: DraftPage[] = [];
    let loose: (DraftQuestion | DraftContent)[] = [];
    const closeLoose = (): void => {
      if (loose.some((line) => "field" in line))
        pages.push({ id: this.#ids.fresh("questions"), pointer: "/item", ...present({ title }), lines: loose });
      loose = [];
    };
    for (const [item, pointer] of recordsIn(questionnaire, "item", "")) {
      if (item["type"] !== "group" || item["repeats"] === true) loose.push(...this.#lines(item, pointer, undefined, 0));
      else {
        closeLoose();
        const showIf = this.#condition(item, pointer);
        pages.push({
          id: this.#ids.fresh(textIn(item, "linkId") ?? "page"),
          pointer,
          ...present({ title: textIn(item, "text") }),
          ...(showIf === undefined ? {} : { showIf }),
          lines: this.#linesIn(item, pointer, undefined, 1),
        });
      }
    }
    closeLoose();
    return pages;
  }

  #linesIn(item: Foreign, pointer: string, around: Condition | undefined, depth: number): (DraftQuestion | DraftContent)[] {
    if (depth > MAX_DEPTH) {
      this.#note(pointer, `Groups in groups are read ${MAX_DEPTH} deep; what is in this one is left out.`);
      return [];
    }
    return recordsIn(item, "item", pointer).flatMap(([inner, at]) => this.#lines(inner, at, around, depth));
  }

  #lines(item: Foreign, pointer: string, around: Condition | undefined, depth: number): readonly (DraftQuestion | DraftContent)[] {
    const own = this.#condition(item, pointer);
    const showIf = both(around, own);
    const text = textIn(item, "text");
    if (item["type"] === "display") return text === undefined ? [] : [{ text }];
    if (item["type"] === "group" && item["repeats"] !== true) {
      return [...(text === undefined ? [] : [{ heading: text }]), ...this.#linesIn(item, pointer, showIf, depth + 1)];
    }
    const field = this.#field(item, pointer, (name) => this.#names.of(name), depth);
    if (field === undefined) return [];
    // Questions under a question are asked beside it.
    const under = item["type"] === "group" ? [] : this.#linesIn(item, pointer, showIf, depth + 1);
    return [{ field, pointer, ...(showIf === undefined ? {} : { showIf }) }, ...under];
  }

  #field(item: Foreign, pointer: string, nameOf: (name: string) => string, depth: number): DraftField | undefined {
    const link = textIn(item, "linkId");
    const kind = this.#kindOf(item, pointer, depth);
    if (link === undefined || kind === undefined) {
      this.#note(
        pointer,
        link === undefined ? "It has no linkId and is left out." : `An item of the type ${JSON.stringify(item["type"])} is left out.`,
      );
      return undefined;
    }
    if (item["readOnly"] === true || extensionOf(item, "calculatedExpression")) {
      this.#note(pointer, "Its value is worked out: write a Compute block. Here it is asked.");
    }
    const preset = this.#preset(item);
    const isGiven = item["required"] === true;
    return {
      name: nameOf(link),
      ...present({ title: textIn(item, "text") }),
      ...kind,
      ...present({ default: preset }),
      ...(isGiven ? (preset === undefined ? {} : { required: true }) : { required: false }),
    };
  }

  #kindOf(item: Foreign, pointer: string, depth: number): Foreign | undefined {
    if (item["type"] === "group") return depth > MAX_DEPTH ? undefined : this.#groups(item, pointer, depth);
    const kind = KINDS[String(item["type"])];
    if (kind === undefined) return undefined;
    const choices = this.#choices(item, pointer);
    const own = {
      ...kind,
      ...choices,
      ...(kind["type"] === "number" || kind["type"] === "integer" ? present({ unit: unitOf(item) }) : {}),
      ...(kind["type"] === undefined
        ? present({ max_length: choices["enum"] === undefined ? numberIn(item, "maxLength") : undefined })
        : {}),
      ...(choices["enum"] === undefined ? this.#limits(item, kind, pointer) : {}),
    };
    if (item["repeats"] !== true) return own;
    if (choices["enum"] !== undefined) return { ...choices, type: "array" };
    if (kind["type"] === "file") return { ...own, multiple: true };
    return { type: "array", fields: [{ name: "value", ...own, ...present({ title: textIn(item, "text") }) }] };
  }

  /** The extensions `minValue` and `maxValue`: numbers, or days. */
  #limits(item: Foreign, kind: Foreign, pointer: string): Foreign {
    const isNumber = kind["type"] === "number" || kind["type"] === "integer";
    const isDated = kind["format"] === "date" || kind["format"] === "date-time";
    const keys = isNumber ? (["minimum", "maximum"] as const) : (["min", "max"] as const);
    const limit = (name: string): Value | undefined => {
      const extension = extensionOf(item, name);
      if (!extension) return undefined;
      const value = valueOf(extension, "value");
      if (isNumber && typeof value === "number") return value;
      const day = String(value).slice(0, "2026-11-21".length);
      if (isDated && isDay(day)) return day;
      this.#note(
        pointer,
        `Its ${name} cannot be carried over: write a "minimum" or "maximum", of a day "min" or "max", such as today+30d.`,
      );
      return undefined;
    };
    return present({ [keys[0]]: limit("minValue"), [keys[1]]: limit("maxValue") });
  }

  #groups(item: Foreign, pointer: string, depth: number): Foreign {
    const names = new Names();
    const fields = recordsIn(item, "item", pointer).flatMap(([inner, at]): readonly unknown[] => {
      const text = textIn(inner, "text");
      if (inner["type"] === "display") return text === undefined ? [] : [{ text }];
      if (inner["enableWhen"] !== undefined)
        this.#note(`${at}/enableWhen`, "A condition inside of a repeated group is left out: write show_if there.");
      const field = this.#field(inner, at, (name) => names.of(name), depth + 1);
      return field === undefined ? [] : [field];
    });
    return { type: "array", fields };
  }

  #choices(item: Foreign, pointer: string): Foreign {
    const options = recordsIn(item, "answerOption", pointer).map(([option]) => choiceOf(option));
    if (options.length === 0) {
      if (/choice|coding/.test(String(item["type"])))
        this.#note(pointer, "Its choices stand in a value set elsewhere: write them down. Until then it is a text.");
      return {};
    }
    const choices = options.filter((option) => option !== undefined);
    const areTexts = choices.every((option) => typeof (isRecord(option) ? option["value"] : option) === "string");
    // R5 says of a coding whether it is an open one.
    const isOpen = item["type"] === "open-choice" || item["answerConstraint"] === "optionsOrString";
    if (isOpen && !areTexts) this.#note(pointer, "Other answers are texts, and its choices are not. They are left out.");
    return { enum: choices, ...(isOpen && areTexts ? { other: true } : {}) };
  }

  #preset(item: Foreign): Value | undefined {
    const [first] = recordsIn(item, "initial", "");
    const chosen = recordsIn(item, "answerOption", "").find(([option]) => option["initialSelected"] === true);
    const found = first ? valueOf(first[0], "value") : chosen && valueOf(chosen[0], "value");
    return item["repeats"] === true && found !== undefined ? [found] : found;
  }

  #condition(item: Foreign, pointer: string): Condition | undefined {
    const parts = recordsIn(item, "enableWhen", pointer).flatMap(([when, at]): readonly Condition[] => {
      const link = textIn(when, "question");
      const operator = textIn(when, "operator");
      const answer = valueOf(when, "answer");
      const question = link && this.#names.of(link);
      if (question && operator === "exists") return answer === false ? [{ not: { answered: question } }] : [{ answered: question }];
      const is = OPERATORS[operator ?? ""];
      if (question && is && answer !== undefined) return [{ question, is, value: answer }];
      this.#note(at, "This condition cannot be carried over and is left out.");
      return [];
    });
    if (parts.length === 0) return undefined;
    return parts.length === 1 ? parts[0] : item["enableBehavior"] === "any" ? { any: parts } : { all: parts };
  }
}

function choiceOf(option: Foreign): unknown {
  const value = valueOf(option, "value");
  const coding = option["valueCoding"];
  const title = isRecord(coding) ? textIn(coding as Foreign, "display") : undefined;
  return title === undefined || value === undefined || title === value ? value : { value, title };
}

/** A value under one of the names that FHIR has for it: `valueInteger`, `answerCoding`. Of a coding, its code. */
function valueOf(from: Foreign, prefix: string): Value | undefined {
  const key = Object.keys(from).find((name) => name.startsWith(prefix) && name.length > prefix.length);
  const value = key === undefined ? undefined : from[key];
  if (!isRecord(value)) return value as Value | undefined;
  return (value["code"] ?? value["value"] ?? value["display"]) as Value | undefined;
}

/** What a number counts, by the extension `questionnaire-unit`. */
function unitOf(item: Foreign): string | undefined {
  const coding = extensionOf(item, "questionnaire-unit")?.["valueCoding"];
  return isRecord(coding) ? (textIn(coding as Foreign, "display") ?? textIn(coding as Foreign, "code")) : undefined;
}

function extensionOf(item: Foreign, name: string): Foreign | undefined {
  return recordsIn(item, "extension", "").find(([extension]) => textIn(extension, "url")?.endsWith(name))?.[0];
}
