import { isDay } from "../../core/model/day.ts";
import { isRecord } from "../../core/model/value.ts";
import { type DraftCall, type DraftField, Names, type Note, Reference, type Text } from "./draft.ts";
import { type Foreign, numberIn, present, recordsIn, textIn } from "./foreign.ts";
import { choiceOf, itemsOf, textOf } from "./surveyjs-texts.ts";

/** What `inputType` of a text question says. */
const INPUT_TYPES: { readonly [type: string]: Foreign } = {
  number: { type: "number" },
  range: { type: "number" },
  date: { format: "date" },
  "datetime-local": { format: "date-time" },
  datetime: { format: "date-time" },
  time: { format: "time" },
  month: { format: "month" },
  email: { format: "email" },
  url: { format: "uri" },
};

/** Of a question: what has no counterpart in a field. */
const LOST_OF_QUESTION = ["enableIf", "requiredIf", "setValueExpression", "defaultValueExpression", "choicesVisibleIf", "maxTimeLimit"];

/** What fields the questions of a survey become, by their types. */
export class QuestionKinds {
  readonly #note: Note;
  /** The ids of blocks, which pages and services share. */
  readonly #ids: Names;

  constructor(note: Note, ids: Names) {
    this.#note = note;
    this.#ids = ids;
  }

  /** What all kinds of questions have, around what is special to a kind. */
  field(name: string, element: Foreign, kind: Foreign, pointer: string): DraftField {
    for (const key of LOST_OF_QUESTION) {
      if (element[key] !== undefined) this.#note(`${pointer}/${key}`, `"${key}" has no counterpart and is left out.`);
    }
    const preset = element["defaultValue"];
    return {
      name,
      ...present({ title: textOf(element["title"]), description: textOf(element["description"]) }),
      ...kind,
      ...present({ default: preset }),
      ...(element["isRequired"] === true ? (preset === undefined ? {} : { required: true }) : { required: false }),
      ...this.#checks(element, kind, pointer),
    };
  }

  /** The keys of a field that one type of question has; nothing for a type that is not known. */
  kindOf(element: Foreign, pointer: string, calls: DraftCall[]): Foreign | undefined {
    switch (element["type"]) {
      case "text":
        return this.#textKind(element, pointer);
      case "comment":
        return { format: "multiline", ...present({ max_length: numberIn(element, "maxLength") }) };
      case "boolean":
        return { type: "boolean" };
      case "radiogroup":
      case "dropdown":
      case "imagepicker":
      case "buttongroup":
        return element["multiSelect"] === true ? this.#several(element, pointer, calls) : this.#choices(element, pointer, calls);
      case "checkbox":
      case "tagbox":
        return this.#several(element, pointer, calls);
      case "rating":
        return ratingKind(element);
      case "ranking":
        return { type: "array", format: "ranking", ...this.#choices(element, pointer, calls) };
      case "matrix":
        return { type: "object", format: "matrix", rows: itemsOf(element["rows"]), enum: itemsOf(element["columns"]) };
      case "matrixdynamic":
      case "paneldynamic":
        return this.#groups(element, pointer, calls);
      case "matrixdropdown":
        return this.#rowsOfGroups(element, pointer, calls);
      case "multipletext":
        return { type: "object", fields: this.#members(element, "items", pointer, calls) };
      case "file":
        return {
          type: "file",
          ...present({ accept: textIn(element, "acceptedTypes"), max_bytes: numberIn(element, "maxSize") || undefined }),
          ...(element["allowMultiple"] === true ? { multiple: true } : {}),
        };
      case "signaturepad":
        return { type: "file", capture: "signature" };
      default:
        return undefined;
    }
  }

  #textKind(element: Foreign, pointer: string): Foreign {
    const type = textIn(element, "inputType") ?? "text";
    const kind = INPUT_TYPES[type];
    if (kind === undefined && type !== "text") this.#note(`${pointer}/inputType`, `"${type}" has no control of its own; it is a text.`);
    if (kind?.["format"] === "date" || kind?.["format"] === "date-time") {
      return { ...kind, ...present({ min: this.#dayIn(element, "min", pointer), max: this.#dayIn(element, "max", pointer) }) };
    }
    if (kind?.["type"] !== "number") {
      return { ...kind, ...present({ max_length: numberIn(element, "maxLength") }) };
    }
    return { ...kind, ...present({ minimum: numberIn(element, "min"), maximum: numberIn(element, "max") }) };
  }

  #dayIn(element: Foreign, key: "min" | "max", pointer: string): string | undefined {
    const day = textIn(element, key)?.slice(0, "2026-11-21".length);
    if (day === undefined || isDay(day)) return day;
    this.#note(`${pointer}/${key}`, `This limit cannot be carried over: write a day, or one counted from today, such as today+30d.`);
    return undefined;
  }

  #several(element: Foreign, pointer: string, calls: DraftCall[]): Foreign {
    return {
      type: "array",
      ...this.#choices(element, pointer, calls),
      ...present({
        min_items: numberIn(element, "minSelectedChoices") || undefined,
        max_items: numberIn(element, "maxSelectedChoices") || undefined,
      }),
    };
  }

  #choices(element: Foreign, pointer: string, calls: DraftCall[]): Foreign {
    const service = element["choicesByUrl"];
    if (isRecord(service) && textIn(service as Foreign, "url") !== undefined) {
      return { enum: this.#choicesOfService(service as Foreign, textIn(element, "name") ?? "choices", pointer, calls) };
    }
    const items = itemsOf(element["choices"]);
    if (element["showNoneItem"] === true) items.push(choiceOf("none", textOf(element["noneText"]) ?? "None"));
    if (items.length === 0) this.#note(pointer, "It has no choices of its own. Add them.");
    if (element["showOtherItem"] !== true && element["hasOther"] !== true) return { enum: items };
    const other = this.#other(items, pointer);
    return { enum: items, ...(other ? { other: textOf(element["otherText"]) ?? true } : {}) };
  }

  /** Whether a text may be given beside the choices. */
  #other(items: readonly unknown[], pointer: string): boolean {
    const areTexts = items.every((item) => typeof (isRecord(item) ? item["value"] : item) === "string");
    if (!areTexts) this.#note(`${pointer}/showOtherItem`, "Other answers are texts, and its choices are not. They are left out.");
    return areTexts && items.length > 0;
  }

  #choicesOfService(service: Foreign, name: string, pointer: string, calls: DraftCall[]): Foreign {
    const id = this.#ids.fresh(`choices_of_${name}`);
    const path = (textIn(service, "path") ?? "").split(/[;.]/).filter(Boolean).join(".");
    calls.push({ id, url: textIn(service, "url")! });
    this.#note(`${pointer}/choicesByUrl`, `The block ${id} fetches the choices: grant its host to the executor.`);
    return {
      from: new Reference(`\${blocks.${id}.outputs.json${path === "" ? "" : `.${path}`}}`),
      ...present({ value: textIn(service, "valueName"), title: textIn(service, "titleName") }),
    };
  }

  /** Any number of groups of questions: a table whose rows people add, or a panel that repeats. */
  #groups(element: Foreign, pointer: string, calls: DraftCall[]): Foreign {
    const isTable = element["type"] === "matrixdynamic";
    const counts = isTable ? ["minRowCount", "maxRowCount"] : ["minPanelCount", "maxPanelCount"];
    return {
      type: "array",
      fields: this.#members(element, isTable ? "columns" : "templateElements", pointer, calls),
      ...present({ min_items: numberIn(element, counts[0]!) || undefined, max_items: numberIn(element, counts[1]!) || undefined }),
    };
  }

  /** A table with rows that are known: a group a row. */
  #rowsOfGroups(element: Foreign, pointer: string, calls: DraftCall[]): Foreign {
    const names = new Names();
    return {
      type: "object",
      fields: itemsOf(element["rows"]).map((row) => {
        const { value, title } = isRecord(row) ? (row as Foreign) : { value: row, title: undefined };
        return {
          name: names.of(String(value)),
          ...present({ title }),
          type: "object",
          fields: this.#members(element, "columns", pointer, calls),
        };
      }),
    };
  }

  #members(element: Foreign, key: string, pointer: string, calls: DraftCall[]): readonly DraftField[] {
    const names = new Names();
    return recordsIn(element, key, pointer).flatMap(([column, at]) => {
      const name = textIn(column, "name");
      if (name === undefined) return [];
      if (column["visibleIf"] !== undefined)
        this.#note(`${at}/visibleIf`, "A condition inside of a repeated group is left out: write show_if there.");
      const type = textIn(column, "cellType") ?? textIn(element, "cellType") ?? textIn(column, "type") ?? "text";
      const choices = column["choices"] ?? element["choices"];
      const inner: Foreign = { ...column, type: type === "default" ? "dropdown" : type, choices };
      const kind = this.kindOf(inner, at, calls);
      if (kind === undefined) {
        this.#note(at, `A question of the type ${JSON.stringify(type)} is not known. It is left out.`);
        return [];
      }
      return [this.field(names.of(name), inner, kind, at)];
    });
  }

  #checks(element: Foreign, kind: Foreign, pointer: string): Foreign {
    const rules: { [key: string]: unknown } = {};
    const messages: { [keyword: string]: Text } = {};
    const own = textOf(element["requiredErrorText"]);
    if (own !== undefined) messages["required"] = own;
    for (const [validator, at] of recordsIn(element, "validators", pointer)) {
      const type = textIn(validator, "type")?.replace(/validator$/, "");
      const text = textOf(validator["text"]);
      const found = checksOf(type, validator, kind);
      if (found === undefined) this.#note(at, `The check "${type}" is left out. Write a rule of the form for it.`);
      for (const [key, keyword, value] of found ?? []) {
        if (value === undefined) continue;
        rules[key] = value;
        if (text !== undefined) messages[keyword] = text;
      }
    }
    return { ...rules, ...(Object.keys(messages).length > 0 ? { messages } : {}) };
  }
}

type Check = readonly [key: string, keyword: string, value: unknown];

function checksOf(type: string | undefined, validator: Foreign, kind: Foreign): readonly Check[] | undefined {
  switch (type) {
    case "numeric":
      return [
        ["type", "type", kind["type"] ?? "number"],
        ["minimum", "minimum", numberIn(validator, "minValue")],
        ["maximum", "maximum", numberIn(validator, "maxValue")],
      ];
    case "text":
      return [
        ["min_length", "minLength", numberIn(validator, "minLength") || undefined],
        ["max_length", "maxLength", numberIn(validator, "maxLength") || undefined],
      ];
    case "email":
      return [["format", "format", "email"]];
    case "regex":
      return [["pattern", "pattern", textIn(validator, "regex")]];
    case "answercount":
      return [
        ["min_items", "minItems", numberIn(validator, "minCount") || undefined],
        ["max_items", "maxItems", numberIn(validator, "maxCount") || undefined],
      ];
    default:
      return undefined;
  }
}

function ratingKind(element: Foreign): Foreign {
  const values = itemsOf(element["rateValues"]);
  if (values.length > 0) return { enum: values };
  const [least, most] = [numberIn(element, "rateMin") ?? 1, numberIn(element, "rateMax") ?? numberIn(element, "rateCount") ?? 5];
  return { type: "integer", format: "rating", minimum: least, maximum: most };
}
