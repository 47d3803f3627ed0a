import { isDay } from "../../core/model/day.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import { both, type Comparison, type Condition } from "./condition.ts";
import { ITEM_NOTE, type Draft, type DraftField, type DraftLine, type DraftPage, Names, type Note } from "./draft.ts";
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
  const reader = new QuestionnaireReader(questionnaire, note);
  if (extensionOf(questionnaire, "/variable")) note("/extension", "Its variables are left out: write Compute blocks for them.");
  const title = textIn(questionnaire, "title") ?? textIn(questionnaire, "name");
  return {
    name: new Names().fresh(textIn(questionnaire, "name") ?? title ?? "questionnaire"),
    ...present({ description: textIn(questionnaire, "description") ?? title }),
    pages: reader.pages(title),
  };
}

/** Extensions that work something out, or say what this cannot: each is noted where it stands. */
const LOST_EXTENSIONS = [
  "enableWhenExpression",
  "initialExpression",
  "calculatedExpression",
  "answerExpression",
  "candidateExpression",
  "questionnaire-constraint",
];

class QuestionnaireReader {
  readonly #questionnaire: Foreign;
  readonly #note: Note;
  readonly #names = new Names();
  readonly #ids = new Names();

  constructor(questionnaire: Foreign, note: Note) {
    this.#questionnaire = questionnaire;
    this.#note = note;
  }

  /** Groups at the top are pages; what stands beside them at the top is a page with its neighbours. */
  pages(title: string | undefined): readonly DraftPage[] {
    const pages: DraftPage[] = [];
    let loose: DraftLine[] = [];
    const closeLoose = (): void => {
      if (loose.length > 0) pages.push({ id: this.#ids.fresh("questions"), pointer: "/item", ...present({ title }), lines: loose });
      loose = [];
    };
    for (const [item, pointer] of recordsIn(this.#questionnaire, "item", "")) {
      if (item["type"] !== "group" || item["repeats"] === true) loose.push(...this.#lines(item, pointer, undefined, 0));
      else if (!this.#isHidden(item, pointer)) {
        closeLoose();
        const showIf = this.#condition(item, pointer);
        pages.push({
          id: this.#ids.fresh(textIn(item, "linkId") ?? "page"),
          pointer,
          ...present({ title: titleOf(item), prompt: hintOf(item) }),
          ...(showIf === undefined ? {} : { showIf }),
          lines: this.#linesIn(item, pointer, undefined, 1),
        });
      }
    }
    closeLoose();
    return pages;
  }

  #linesIn(item: Foreign, pointer: string, around: Condition | undefined, depth: number): DraftLine[] {
    if (depth > MAX_DEPTH) {
      this.#note(pointer, `Groups in groups are read ${MAX_DEPTH} deep; what is in this one is left out.`);
      return [];
    }
    return recordsIn(item, "item", pointer).flatMap(([inner, at]) => this.#lines(inner, at, around, depth));
  }

  #lines(item: Foreign, pointer: string, around: Condition | undefined, depth: number): readonly DraftLine[] {
    if (this.#isHidden(item, pointer)) return [];
    const own = this.#condition(item, pointer);
    const showIf = both(around, own);
    const shown = showIf === undefined ? {} : { showIf };
    const title = titleOf(item);
    if (item["type"] === "display") return title === undefined ? [] : [{ text: title, pointer, ...shown }];
    if (item["type"] === "group" && item["repeats"] !== true) {
      const heading = title === undefined ? [] : [{ heading: title, pointer, ...shown }];
      const hint = hintOf(item);
      const hints = hint === undefined ? [] : [{ text: hint, pointer, ...shown }];
      return [...heading, ...hints, ...this.#linesIn(item, pointer, showIf, depth + 1)];
    }
    const field = this.#field(item, pointer, depth);
    if (field === undefined) return [];
    // Questions under a question are asked beside it.
    const under = item["type"] === "group" ? [] : this.#linesIn(item, pointer, showIf, depth + 1);
    return [{ field, pointer, ...shown }, ...under];
  }

  /** What programs fill in is not asked. */
  #isHidden(item: Foreign, pointer: string): boolean {
    const isHidden = extensionOf(item, "questionnaire-hidden")?.["valueBoolean"] === true;
    if (isHidden) this.#note(pointer, "It is hidden from people, and is left out.");
    return isHidden;
  }

  #field(item: Foreign, pointer: string, depth: number): DraftField | undefined {
    const link = textIn(item, "linkId");
    const kind = this.#kindOf(item, pointer, depth);
    if (link === undefined || kind === undefined) {
      this.#note(
        pointer,
        link === undefined ? "It has no linkId and is left out." : `An item of the type ${JSON.stringify(item["type"])} is left out.`,
      );
      return undefined;
    }
    for (const name of LOST_EXTENSIONS)
      if (extensionOf(item, name))
        this.#note(pointer, `Its ${name} is left out: write a condition, a rule or a Compute block. Here it is asked.`);
    if (extensionOf(item, "maxDecimalPlaces"))
      this.#note(pointer, "How many decimals it may have is left out. Write a rule of the form for it.");
    if (recordsIn(item, "answerOption", "").some(([option]) => extensionOf(option, "ordinalValue") ?? extensionOf(option, "itemWeight")))
      this.#note(pointer, "What its choices count is left out: write a Compute block for the score.");
    if (item["readOnly"] === true) this.#note(pointer, "People read it there and cannot change it. Here it is asked.");
    const units = unitsOf(item);
    if (units.length > 1) this.#note(pointer, `People choose the unit there: ${units.join(", ")}. Here it has none: give it a "unit".`);
    const preset = this.#preset(item);
    const isGiven = item["required"] === true;
    return {
      name: this.#names.of(link),
      ...present({ title: titleOf(item), description: hintOf(item) }),
      ...kind,
      ...present({ default: preset }),
      ...(isGiven ? (preset === undefined ? {} : { required: true }) : { required: false }),
    };
  }

  #kindOf(item: Foreign, pointer: string, depth: number): Foreign | undefined {
    if (item["type"] === "group") {
      if (depth > MAX_DEPTH) return undefined;
      return { type: "array", fields: this.#linesIn(item, pointer, undefined, depth + 1), ...occurrencesOf(item) };
    }
    const kind = KINDS[String(item["type"])];
    if (kind === undefined) return undefined;
    const choices = this.#choices(item, pointer);
    const isText = kind["type"] === undefined && choices["enum"] === undefined;
    const own = {
      ...kind,
      ...choices,
      ...(kind["type"] === "number" || kind["type"] === "integer" ? present({ unit: unitOf(item) }) : {}),
      ...(isText ? this.#textLimits(item) : {}),
      ...(kind["type"] === "file" ? fileLimits(item) : {}),
      ...(choices["enum"] === undefined ? this.#limits(item, kind, pointer) : {}),
    };
    if (item["repeats"] !== true) return own;
    if (choices["enum"] !== undefined) return { ...choices, ...exclusiveOf(item), type: "array", ...occurrencesOf(item) };
    if (kind["type"] === "file") return { ...own, multiple: true, ...occurrencesOf(item) };
    this.#note(pointer, ITEM_NOTE);
    return {
      type: "array",
      fields: [{ field: { name: "value", ...own, ...present({ title: titleOf(item) }) }, pointer }],
      ...occurrencesOf(item),
    };
  }

  #textLimits(item: Foreign): Foreign {
    const least = extensionOf(item, "minLength")?.["valueInteger"];
    const pattern = extensionOf(item, "/regex")?.["valueString"];
    return present({
      max_length: numberIn(item, "maxLength"),
      min_length: typeof least === "number" && least > 0 ? least : undefined,
      // In FHIR all of the text has to match.
      pattern: typeof pattern === "string" ? `^(?:${pattern})$` : undefined,
    });
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

  #choices(item: Foreign, pointer: string): Foreign {
    const options = recordsIn(item, "answerOption", pointer).map(([option]) => choiceOf(option));
    const choices = (options.length > 0 ? options : this.#valueSet(item)).filter((option) => option !== undefined);
    if (choices.length === 0) {
      if (/choice|coding/.test(String(item["type"])))
        this.#note(pointer, "Its choices stand in a value set elsewhere: write them down. Until then it is a text.");
      return {};
    }
    const areTexts = choices.every((option) => typeof (isRecord(option) ? option["value"] : option) === "string");
    // R5 says of a coding whether it is an open one.
    const isOpen = item["type"] === "open-choice" || item["answerConstraint"] === "optionsOrString";
    if (isOpen && !areTexts) this.#note(pointer, "Other answers are texts, and its choices are not. They are left out.");
    return { enum: choices, ...(isOpen && areTexts ? { other: true } : {}) };
  }

  /** The codes of a value set that the questionnaire itself contains. */
  #valueSet(item: Foreign): readonly unknown[] {
    const id = textIn(item, "answerValueSet");
    const found = id?.startsWith("#")
      ? recordsIn(this.#questionnaire, "contained", "").find(([one]) => one["id"] === id.slice(1))
      : undefined;
    if (!found) return [];
    const [set] = found;
    const codes = (holder: unknown, key: string): readonly unknown[] =>
      isRecord(holder) ? recordsIn(holder as Foreign, key, "").map(([coding]) => choiceOf({ valueCoding: coding })) : [];
    const expanded = codes(set["expansion"], "contains");
    if (expanded.length > 0) return expanded;
    return isRecord(set["compose"]) ? recordsIn(set["compose"] as Foreign, "include", "").flatMap(([part]) => codes(part, "concept")) : [];
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

/** The choices that clear the others: the extension `optionExclusive`. */
function exclusiveOf(item: Foreign): Foreign {
  const alone = recordsIn(item, "answerOption", "").filter(([option]) => extensionOf(option, "optionExclusive")?.["valueBoolean"] === true);
  return alone.length > 0 ? { exclusive: alone.map(([option]) => valueOf(option, "value")) } : {};
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
  // The code of a quantity is its unit.
  if (key?.endsWith("Quantity")) return value["value"] as Value | undefined;
  return (value["code"] ?? value["value"] ?? value["display"]) as Value | undefined;
}

/** What an item says, behind the number that it has. */
function titleOf(item: Foreign): string | undefined {
  const [prefix, text] = [textIn(item, "prefix"), textIn(item, "text")];
  return prefix !== undefined && text !== undefined && !text.startsWith(prefix) ? `${prefix} ${text}` : text;
}

/** What helps people to answer, by the extension `questionnaire-instruction`, and the form of what is typed, by `entryFormat`. */
function hintOf(item: Foreign): string | undefined {
  const texts = ["questionnaire-instruction", "entryFormat"].map((name) => extensionOf(item, name)?.["valueString"]);
  return texts.filter((text) => typeof text === "string").join(" ") || undefined;
}

/** How often something that repeats may be given, by the extensions `minOccurs` and `maxOccurs`. */
function occurrencesOf(item: Foreign): Foreign {
  const count = (name: string): number | undefined => {
    const value = extensionOf(item, name)?.["valueInteger"];
    return typeof value === "number" && value > 0 ? value : undefined;
  };
  return present({ min_items: count("minOccurs"), max_items: count("maxOccurs") });
}

/** What files an attachment may be, by the extensions `mimeType` and `maxSize`, which is in megabytes. */
function fileLimits(item: Foreign): Foreign {
  const types = recordsIn(item, "extension", "").flatMap(([one]) =>
    textIn(one, "url")?.endsWith("/mimeType") ? (textIn(one, "valueCode") ?? []) : [],
  );
  const size = extensionOf(item, "/maxSize")?.["valueDecimal"];
  return present({
    accept: types.length > 0 ? types.join(",") : undefined,
    max_bytes: typeof size === "number" ? Math.floor(size * 1_048_576) : undefined,
  });
}

/** What a number counts: one unit, or nothing where people choose it. */
function unitOf(item: Foreign): string | undefined {
  const units = unitsOf(item);
  return units.length === 1 ? units[0] : undefined;
}

/** The units of a number, by the extension `questionnaire-unit`, those to choose from by `questionnaire-unitOption`, or that of what it begins with. */
function unitsOf(item: Foreign): readonly string[] {
  const fixed = extensionOf(item, "questionnaire-unit");
  const offered = recordsIn(item, "extension", "").flatMap(([one]) =>
    textIn(one, "url")?.endsWith("questionnaire-unitOption") ? [one] : [],
  );
  const named = (fixed ? [fixed] : offered).flatMap(({ valueCoding: coding }) =>
    isRecord(coding) ? (textIn(coding as Foreign, "display") ?? textIn(coding as Foreign, "code") ?? []) : [],
  );
  const [first] = recordsIn(item, "initial", "");
  const begun = first?.[0]["valueQuantity"];
  return named.length === 0 && isRecord(begun) ? [textIn(begun as Foreign, "unit") ?? []].flat() : named;
}

function extensionOf(item: Foreign, name: string): Foreign | undefined {
  return recordsIn(item, "extension", "").find(([extension]) => textIn(extension, "url")?.endsWith(name))?.[0];
}
