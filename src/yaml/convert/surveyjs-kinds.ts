import { isDay } from "../../core/model/day.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import { both, type Condition } from "./condition.ts";
import { type DraftCall, type DraftField, type DraftLine, type DraftQuestion, Names, type Note, Reference, type Text } from "./draft.ts";
import { type Foreign, htmlText, numberIn, present, recordsIn, textIn } from "./foreign.ts";
import type { SurveyConditions } from "./surveyjs-conditions.ts";
import { choiceOf, itemsOf, plainText, textOf } from "./surveyjs-texts.ts";

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
  tel: { format: "tel" },
  password: { format: "password" },
  url: { format: "uri" },
};

/** Of a question: what has no counterpart in a field. */
const LOST_OF_QUESTION = [
  "resetValueIf",
  "setValueIf",
  "setValueExpression",
  "defaultValueExpression",
  "minValueExpression",
  "maxValueExpression",
  "choicesVisibleIf",
  "choicesEnableIf",
  "rowsVisibleIf",
  "columnsVisibleIf",
  "templateVisibleIf",
  "maxTimeLimit",
  "keyName",
  "isUnique",
  "correctAnswer",
  "bindings",
  "valuePropertyName",
  "choicesOrder",
];

/** What people may do to the rows of a table, and to panels that repeat. */
const ALLOWED = ["allowAddRows", "allowRemoveRows", "allowAddPanel", "allowRemovePanel"];

/** What a survey is read with. */
export interface SurveyReading {
  readonly survey: Foreign;
  readonly note: Note;
  /** The ids of blocks, which pages and services share. */
  readonly ids: Names;
  readonly conditions: SurveyConditions;
}

/** Where a question stands: on a page, or in a group whose names are its own. */
interface Place {
  readonly pointer: string;
  readonly showIf?: Condition | undefined;
  readonly beside?: Names | undefined;
  readonly calls: DraftCall[];
}

/** What fields the questions of a survey become, by their types. */
export class QuestionKinds {
  readonly #survey: Foreign;
  readonly #note: Note;
  readonly #ids: Names;
  readonly #conditions: SurveyConditions;

  constructor({ survey, note, ids, conditions }: SurveyReading) {
    this.#survey = survey;
    this.#note = note;
    this.#ids = ids;
    this.#conditions = conditions;
  }

  /** A question of a page, with the comment beside it where it has one. */
  questions(element: Foreign, pointer: string, showIf: Condition | undefined, calls: DraftCall[]): readonly DraftLine[] {
    const name = textIn(element, "name");
    if (name === undefined) {
      this.#note(pointer, "It has no name, so that nothing can hold its answer. It is left out.");
      return [];
    }
    return this.#asked(element, () => this.#conditions.nameOf(element, name, pointer), { pointer, showIf, calls });
  }

  #asked(element: Foreign, nameOf: () => string, { pointer, showIf: around, beside, calls }: Place): readonly DraftQuestion[] {
    const kind = this.kindOf(element, pointer, calls);
    if (kind === undefined) {
      this.#note(pointer, `A question of the type ${JSON.stringify(element["type"])} is not known. It is left out.`);
      return [];
    }
    const field = this.#field(nameOf(), element, kind, pointer);
    const enabled = this.#conditions.of(element, "enableIf", pointer, beside);
    if (enabled) this.#note(`${pointer}/enableIf`, "It is shown only while it can be answered.");
    const showIf = both(around, enabled);
    const requiredIf = this.#conditions.of(element, "requiredIf", pointer, beside);
    const shown = showIf === undefined ? {} : { showIf };
    const question = { field, pointer, ...shown, ...(requiredIf && field["required"] === false ? { requiredIf } : {}) };
    if (element["showCommentArea"] !== true && element["hasComment"] !== true) return [question];
    const title = textOf(element["commentText"]) ?? "Comment";
    return [question, { field: { name: `${field.name}_comment`, title, format: "multiline", required: false }, pointer, ...shown }];
  }

  /** What all kinds of questions have, around what is special to a kind. */
  #field(name: string, element: Foreign, kind: Foreign, pointer: string): DraftField {
    for (const key of LOST_OF_QUESTION) {
      if (element[key] !== undefined) this.#note(`${pointer}/${key}`, `"${key}" has no counterpart and is left out.`);
    }
    for (const key of ALLOWED) {
      if (element[key] === false) this.#note(`${pointer}/${key}`, "People can add and remove them here: that they cannot is left out.");
    }
    if (element["readOnly"] === true) this.#note(`${pointer}/readOnly`, "People read it there and cannot change it. Here it is asked.");
    if ((numberIn(element, "step") ?? 1) !== 1 && kind["type"] === "number")
      this.#note(`${pointer}/step`, "Any number between the limits is an answer here. Write a rule of the form for the step.");
    if (element["type"] === "imagepicker")
      this.#note(pointer, "Its pictures are left out: people choose by words. Put pictures into the page, and image lines into the form.");
    const preset = element["defaultValue"];
    // Here all rows of a table of choices are asked, or none need be.
    const isRequired = ["isRequired", "isAllRowRequired", "eachRowRequired"].some((key) => element[key] === true);
    return {
      name,
      ...present({
        title: textOf(element["title"]),
        description: textOf(element["description"]) ?? textOf(element["placeholder"]) ?? textOf(element["placeHolder"]),
      }),
      ...kind,
      ...present({ default: preset }),
      ...(isRequired ? (preset === undefined ? {} : { required: true }) : { required: false }),
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
        return switchKind(element);
      case "slider":
        if (element["sliderType"] === "range") return undefined;
        return { type: "number", minimum: numberIn(element, "min") ?? 0, maximum: numberIn(element, "max") ?? 100 };
      case "radiogroup":
      case "dropdown":
      case "imagepicker":
      case "buttongroup":
        return element["multiSelect"] === true ? this.#several(element, pointer, calls) : this.#choices(element, pointer, calls);
      case "checkbox":
      case "tagbox":
        return this.#several(element, pointer, calls);
      case "rating":
        return this.#ratingKind(element, pointer);
      case "ranking":
        return { type: "array", format: "ranking", ...this.#choices(element, pointer, calls) };
      case "matrix":
        if (element["cells"] !== undefined) this.#note(`${pointer}/cells`, "The texts of single cells are left out.");
        if (element["cellType"] === "checkbox") this.#note(`${pointer}/cellType`, "Each row has one answer here, not several.");
        for (const [row, at] of recordsIn(element, "rows", pointer))
          for (const key of ["visibleIf", "enableIf"])
            if (row[key] !== undefined) this.#note(`${at}/${key}`, "A row is always asked: its condition is left out.");
        return { type: "object", format: "matrix", rows: itemsOf(element["rows"]), enum: itemsOf(element["columns"]) };
      case "matrixdynamic":
      case "paneldynamic":
        return this.#groups(element, pointer, calls);
      case "matrixdropdown":
        return this.#rowsOfGroups(element, pointer, calls);
      case "multipletext":
        return { type: "object", fields: this.#members(element, pointer, calls) };
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
    const kind = INPUT_TYPES[type] ?? this.#maskKind(element, pointer);
    if (kind === undefined && type !== "text") this.#note(`${pointer}/inputType`, `"${type}" has no control of its own; it is a text.`);
    if (kind?.["format"] === "date" || kind?.["format"] === "date-time") {
      return { ...kind, ...present({ min: this.#dayIn(element, "min", pointer), max: this.#dayIn(element, "max", pointer) }) };
    }
    if (kind?.["type"] !== "number") {
      return { ...kind, ...present({ max_length: numberIn(element, "maxLength") }) };
    }
    return { ...kind, ...present({ minimum: numberIn(element, "min"), maximum: numberIn(element, "max") }) };
  }

  /** What a mask lets people type: a number, or a form of a text that is noted. */
  #maskKind(element: Foreign, pointer: string): Foreign | undefined {
    const mask = textIn(element, "maskType");
    if (mask === undefined || mask === "none") return undefined;
    if (mask === "numeric") return { type: "number" };
    this.#note(`${pointer}/maskType`, `The mask "${mask}" is left out. Write a pattern, a format such as date, or money for it.`);
    return mask === "currency" ? { type: "number" } : undefined;
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
      ...this.#choices(element, pointer, calls, true),
      ...present({
        min_items: numberIn(element, "minSelectedChoices") || undefined,
        max_items: numberIn(element, "maxSelectedChoices") || undefined,
      }),
    };
  }

  #choices(element: Foreign, pointer: string, calls: DraftCall[], isSeveral = false): Foreign {
    const service = element["choicesByUrl"];
    if (isRecord(service) && textIn(service as Foreign, "url") !== undefined) {
      return { enum: this.#choicesOfService(service as Foreign, textIn(element, "name") ?? "choices", pointer, calls) };
    }
    const special = specialItems(element);
    const items = [...this.#items(element, pointer), ...special];
    const marked = recordsIn(element, "choices", "").flatMap(([choice]) => (choice["isExclusive"] === true ? [choice["value"]] : []));
    const alone = isSeveral ? [...marked, ...special.map((one) => (isRecord(one) ? one["value"] : one))] : [];
    const isOther = element["showOtherItem"] === true || element["hasOther"] === true;
    return {
      enum: items,
      ...(alone.length > 0 ? { exclusive: alone } : {}),
      ...(isOther && this.#other(items, pointer) ? { other: textOf(element["otherText"]) ?? true } : {}),
    };
  }

  #items(element: Foreign, pointer: string): unknown[] {
    const { choices, choicesFromQuestion: other } = element;
    if (typeof other === "string") {
      const found = questionsIn(this.#survey).find((question) => question["name"] === other);
      if (textIn(element, "choicesFromQuestionMode") !== undefined && element["choicesFromQuestionMode"] !== "all")
        this.#note(`${pointer}/choicesFromQuestionMode`, `It offers all choices of ${other}, not only those that were made there or left.`);
      return found ? itemsOf(found["choices"]) : [];
    }
    for (const [choice, at] of recordsIn(element, "choices", pointer))
      for (const key of ["visibleIf", "enableIf"])
        if (choice[key] !== undefined) this.#note(`${at}/${key}`, "A choice is always offered: its condition is left out.");
    const [least, most] = [numberIn(element, "choicesMin"), numberIn(element, "choicesMax")];
    const listed = itemsOf(choices);
    if (least === undefined || most === undefined) return listed;
    const step = Math.max(numberIn(element, "choicesStep") ?? 1, (most - least) / MAX_RANGE, Number.MIN_VALUE);
    const range = Array.from({ length: Math.max(0, Math.floor((most - least) / step) + 1) }, (_, i) => least + i * step);
    return [...listed, ...range];
  }

  /** Whether a text may be given beside the choices. */
  #other(items: readonly unknown[], pointer: string): boolean {
    const areTexts = items.every((item) => typeof (isRecord(item) ? item["value"] : item) === "string");
    if (!areTexts) this.#note(`${pointer}/showOtherItem`, "Other answers are texts, and its choices are not. They are left out.");
    return areTexts;
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
    const first = isTable ? "rowCount" : "panelCount";
    const [begun, least] = [numberIn(element, first) ?? 0, numberIn(element, counts[0]!) ?? 0];
    if (begun > least)
      this.#note(`${pointer}/${first}`, `It begins with ${begun} of them there. Here people add each; "min_items" asks for some.`);
    return {
      type: "array",
      fields: this.#members(element, pointer, calls),
      ...present({ item: nameOfPanels(element["templateTitle"]) }),
      ...present({ min_items: numberIn(element, counts[0]!) || undefined, max_items: numberIn(element, counts[1]!) || undefined }),
    };
  }

  /** A table with rows that are known: a group a row. */
  #rowsOfGroups(element: Foreign, pointer: string, calls: DraftCall[]): Foreign {
    const names = new Names();
    return {
      type: "object",
      fields: itemsOf(element["rows"]).map((row, i): DraftQuestion => {
        const { value, title = String(value) } = isRecord(row) ? (row as Foreign) : { value: row };
        const [name, at] = [names.of(String(value)), `${pointer}/rows/${i}`];
        // What is lost of the columns is said once.
        const fields = this.#members(element, pointer, calls);
        return { field: { name, ...present({ title: title === name ? undefined : title }), type: "object", fields }, pointer: at };
      }),
    };
  }

  /** What is asked in each row of a table, or in each of the panels of a panel that repeats. */
  #members(element: Foreign, pointer: string, calls: DraftCall[]): readonly DraftLine[] {
    const beside = new Names();
    const used = new Set<string>();
    const lines = (holder: Foreign, key: string, at: string, around?: Condition): readonly DraftLine[] =>
      recordsIn(holder, key, at).flatMap(([column, place]): readonly DraftLine[] => {
        const text = plainText(column["html"]);
        const showIf = both(around, this.#conditions.of(column, "visibleIf", place, beside));
        const shown = showIf === undefined ? {} : { showIf };
        if (column["type"] === "html")
          return text === undefined ? [] : htmlText(text).map((one) => ({ text: one, pointer: place, ...shown }));
        if (column["type"] === "panel") {
          const heading = textOf(column["title"]);
          const inside = lines(column, Array.isArray(column["elements"]) ? "elements" : "questions", place, showIf);
          return [...(heading === undefined ? [] : [{ heading, pointer: place, ...shown }]), ...inside];
        }
        const name = textIn(column, "name");
        if (name === undefined) return [];
        const type = textIn(column, "cellType") ?? (key === "columns" ? textIn(element, "cellType") : undefined) ?? textIn(column, "type");
        const choices = column["choices"] ?? (key === "columns" ? element["choices"] : undefined);
        const isDefault = type === "default" || (type === undefined && key === "columns" && element["type"] !== "multipletext");
        const inner: Foreign = { ...column, type: isDefault ? "dropdown" : (type ?? "text"), choices };
        const own = used.has(beside.of(name)) ? beside.fresh(name) : beside.of(name);
        used.add(own);
        return this.#asked(inner, () => own, { pointer: place, showIf, beside, calls });
      });
    const key = element["type"] === "multipletext" ? "items" : Array.isArray(element["columns"]) ? "columns" : "templateElements";
    return [...lines(element, key, pointer), ...lines(element, "detailElements", pointer)];
  }

  #ratingKind(element: Foreign, pointer: string): Foreign {
    // The second spelling of each is that of older versions.
    const [worst, best] = [
      textOf(element["minRateDescription"] ?? element["mininumRateDescription"]),
      textOf(element["maxRateDescription"] ?? element["maximumRateDescription"]),
    ];
    const ends =
      typeof worst === "string" || typeof best === "string"
        ? [worst, best].filter((text) => typeof text === "string").join(" … ")
        : undefined;
    if (typeof worst === "object" || typeof best === "object")
      this.#note(pointer, "What its ends mean is left out: write it into the description.");
    const about = ends !== undefined && element["description"] === undefined ? { description: ends } : {};
    const values = itemsOf(element["rateValues"]);
    if (values.length > 0) return { ...about, enum: values };
    const [least, most] = [numberIn(element, "rateMin") ?? 1, numberIn(element, "rateMax") ?? numberIn(element, "rateCount") ?? 5];
    return { ...about, type: "integer", format: "rating", minimum: least, maximum: most };
  }

  #checks(element: Foreign, kind: Foreign, pointer: string): Foreign {
    const rules: { [key: string]: unknown } = {};
    const messages: { [key: string]: Text } = {};
    const own = textOf(element["requiredErrorText"]);
    if (own !== undefined) messages["required"] = own;
    for (const [validator, at] of recordsIn(element, "validators", pointer)) {
      if (validator["notificationType"] === "info" || validator["notificationType"] === "warning") {
        this.#note(at, "A hint that lets an answer pass is left out. Write it into the description.");
        continue;
      }
      const type = textIn(validator, "type")?.replace(/validator$/, "");
      const text = textOf(validator["text"]);
      const found = checksOf(type, validator, kind);
      if (found === undefined) this.#note(at, `The check "${type}" is left out. Write a rule of the form for it.`);
      for (const [key, value] of found ?? []) {
        if (value === undefined) continue;
        rules[key] = value;
        if (text !== undefined) messages[key] = text;
      }
    }
    return { ...rules, ...(Object.keys(messages).length > 0 ? { messages } : {}) };
  }
}

type Check = readonly [key: string, value: unknown];

/** A range of choices is no longer than a form may be. */
const MAX_RANGE = 999;

function checksOf(type: string | undefined, validator: Foreign, kind: Foreign): readonly Check[] | undefined {
  switch (type) {
    case "numeric":
      return [
        ["type", kind["type"] ?? "number"],
        ["minimum", numberIn(validator, "minValue")],
        ["maximum", numberIn(validator, "maxValue")],
      ];
    case "text":
      return [
        ["min_length", numberIn(validator, "minLength") || undefined],
        ["max_length", numberIn(validator, "maxLength") || undefined],
      ];
    case "email":
      return [["format", "email"]];
    case "regex":
      return [["pattern", textIn(validator, "regex")]];
    case "answercount":
      return [
        ["min_items", numberIn(validator, "minCount") || undefined],
        ["max_items", numberIn(validator, "maxCount") || undefined],
      ];
    default:
      return undefined;
  }
}

/** The questions of a survey, wherever they stand. */
function questionsIn(holder: Foreign): readonly Foreign[] {
  return ["pages", "elements", "questions"].flatMap((key) =>
    recordsIn(holder, key, "").flatMap(([inner]) => [inner, ...questionsIn(inner)]),
  );
}

const COUNTED = "{panelIndex}";

/** The name of a panel where its title counts them, as “Driver {panelIndex}” does; nothing where it says something else of each. */
function nameOfPanels(title: unknown): string | undefined {
  const text = typeof title === "string" ? title : "";
  const before = text.endsWith(COUNTED) ? text.slice(0, -COUNTED.length).trimEnd() : undefined;
  const name = (before?.endsWith("#") ? before.slice(0, -1) : (before ?? text)).trim();
  return name === "" || name.includes("{") ? undefined : name;
}

/** Choices that a survey has ready, in the spellings of several versions. Among several, each clears the others. */
function specialItems(element: Foreign): readonly unknown[] {
  const isSet = (...keys: readonly string[]): boolean => keys.some((key) => element[key] === true);
  return [
    ...(isSet("showNoneItem", "hasNone") ? [choiceOf("none", textOf(element["noneText"]) ?? "None")] : []),
    ...(isSet("showRefuseItem") ? [choiceOf("refused", textOf(element["refuseText"]) ?? "Refuse to answer")] : []),
    ...(isSet("showDontKnowItem") ? [choiceOf("dontknow", textOf(element["dontKnowText"]) ?? "Don't know")] : []),
  ];
}

/** Yes or no, in words of its own where it has some, and with values of its own. */
function switchKind(element: Foreign): Foreign {
  const [yes, no] = [textOf(element["labelTrue"]), textOf(element["labelFalse"])];
  const values = [element["valueTrue"] ?? true, element["valueFalse"] ?? false] as const;
  if (yes === undefined && no === undefined && values[0] === true && values[1] === false) return { type: "boolean" };
  return { enum: [choiceOf(values[0] as Value, yes ?? "Yes"), choiceOf(values[1] as Value, no ?? "No")] };
}
