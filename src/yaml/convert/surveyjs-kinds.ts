import { isDay } from "../../core/model/day.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import { both, type Condition } from "./condition.ts";
import { type DraftField, type DraftLine, type DraftQuestion, Names, type Note } from "./draft.ts";
import { type Foreign, htmlText, numberIn, present, recordsIn, textIn } from "./foreign.ts";
import { checksOf } from "./surveyjs-checks.ts";
import type { SurveyChoices } from "./surveyjs-choices.ts";
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

/** Where a question stands: on a page, or in a group whose names are its own. */
interface Place {
  readonly pointer: string;
  readonly showIf?: Condition | undefined;
  readonly beside?: Names | undefined;
}

/** What fields the questions of a survey become, by their types. */
export class QuestionKinds {
  readonly #conditions: SurveyConditions;
  readonly #choices: SurveyChoices;
  readonly #note: Note;

  constructor(conditions: SurveyConditions, choices: SurveyChoices, note: Note) {
    this.#conditions = conditions;
    this.#choices = choices;
    this.#note = note;
  }

  /** A question of a page, with the comment beside it where it has one. */
  questions(element: Foreign, pointer: string, showIf: Condition | undefined): readonly DraftLine[] {
    const name = textIn(element, "name");
    if (name === undefined) {
      this.#note(pointer, "It has no name, so that nothing can hold its answer. It is left out.");
      return [];
    }
    return this.#asked(element, () => this.#conditions.nameOf(element, name, pointer), { pointer, showIf });
  }

  #asked(element: Foreign, nameOf: () => string, { pointer, showIf: around, beside }: Place): readonly DraftQuestion[] {
    const kind = this.#kindOf(element, pointer);
    if (kind === undefined) {
      const isRange = element["type"] === "slider";
      const known = isRange
        ? "A range has two ends: write a number field for each."
        : `A question of the type ${JSON.stringify(element["type"])} is not known.`;
      this.#note(pointer, `${known} It is left out.`);
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
      ...checksOf(element, kind, pointer, this.#note),
    };
  }

  /** The keys of a field that one type of question has; nothing for a type that is not known. */
  #kindOf(element: Foreign, pointer: string): Foreign | undefined {
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
        return element["multiSelect"] === true ? this.#choices.several(element, pointer) : this.#choices.of(element, pointer);
      case "checkbox":
      case "tagbox":
        return this.#choices.several(element, pointer);
      case "rating":
        return this.#ratingKind(element, pointer);
      case "ranking":
        return { type: "array", format: "ranking", ...this.#choices.of(element, pointer) };
      case "matrix":
        if (element["cells"] !== undefined) this.#note(`${pointer}/cells`, "The texts of single cells are left out.");
        if (element["cellType"] === "checkbox") this.#note(`${pointer}/cellType`, "Each row has one answer here, not several.");
        for (const [row, at] of recordsIn(element, "rows", pointer))
          for (const key of ["visibleIf", "enableIf"])
            if (row[key] !== undefined) this.#note(`${at}/${key}`, "A row is always asked: its condition is left out.");
        return { type: "object", format: "matrix", rows: itemsOf(element["rows"]), enum: itemsOf(element["columns"]) };
      case "matrixdynamic":
      case "paneldynamic":
        return this.#groups(element, pointer);
      case "matrixdropdown":
        return this.#rowsOfGroups(element, pointer);
      case "multipletext":
        return { type: "object", fields: this.#members(element, pointer) };
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

  /** Any number of groups of questions: a table whose rows people add, or a panel that repeats. */
  #groups(element: Foreign, pointer: string): Foreign {
    const isTable = element["type"] === "matrixdynamic";
    const counts = isTable ? ["minRowCount", "maxRowCount"] : ["minPanelCount", "maxPanelCount"];
    const first = isTable ? "rowCount" : "panelCount";
    const [begun, least] = [numberIn(element, first) ?? 0, numberIn(element, counts[0]!) ?? 0];
    if (begun > least)
      this.#note(`${pointer}/${first}`, `It begins with ${begun} of them there. Here people add each; "min_items" asks for some.`);
    return {
      type: "array",
      fields: this.#members(element, pointer),
      ...present({ item: nameOfPanels(element["templateTitle"]) }),
      ...present({ min_items: numberIn(element, counts[0]!) || undefined, max_items: numberIn(element, counts[1]!) || undefined }),
    };
  }

  /** A table with rows that are known: a group a row. */
  #rowsOfGroups(element: Foreign, pointer: string): Foreign {
    const names = new Names();
    return {
      type: "object",
      fields: itemsOf(element["rows"]).map((row, i): DraftQuestion => {
        const { value, title = String(value) } = isRecord(row) ? (row as Foreign) : { value: row };
        const [name, at] = [names.of(String(value)), `${pointer}/rows/${i}`];
        // What is lost of the columns is said once.
        const fields = this.#members(element, pointer);
        return { field: { name, ...present({ title: title === name ? undefined : title }), type: "object", fields }, pointer: at };
      }),
    };
  }

  /** What is asked in each row of a table, or in each of the panels of a panel that repeats. */
  #members(element: Foreign, pointer: string): readonly DraftLine[] {
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
        return this.#asked(inner, () => own, { pointer: place, showIf, beside });
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
}

const COUNTED = "{panelIndex}";

/** The name of a panel where its title counts them, as “Driver {panelIndex}” does; nothing where it says something else of each. */
function nameOfPanels(title: unknown): string | undefined {
  const text = typeof title === "string" ? title : "";
  const before = text.endsWith(COUNTED) ? text.slice(0, -COUNTED.length).trimEnd() : undefined;
  const name = (before?.endsWith("#") ? before.slice(0, -1) : (before ?? text)).trim();
  return name === "" || name.includes("{") ? undefined : name;
}

/** Yes or no, in words of its own where it has some, and with values of its own. */
function switchKind(element: Foreign): Foreign {
  const [yes, no] = [textOf(element["labelTrue"]), textOf(element["labelFalse"])];
  const values = [element["valueTrue"] ?? true, element["valueFalse"] ?? false] as const;
  if (yes === undefined && no === undefined && values[0] === true && values[1] === false) return { type: "boolean" };
  return { enum: [choiceOf(values[0] as Value, yes ?? "Yes"), choiceOf(values[1] as Value, no ?? "No")] };
}
