import { isRecord } from "../../core/model/value.ts";
import { type DraftCall, type Names, type Note, Reference } from "./draft.ts";
import { type Foreign, numberIn, present, recordsIn, textIn } from "./foreign.ts";
import { choiceOf, itemsOf, textOf } from "./surveyjs-texts.ts";

/** A range of choices is no longer than a form may be. */
const MAX_RANGE = 999;

/** What the questions of a survey let people choose from. */
export class SurveyChoices {
  readonly #survey: Foreign;
  readonly #ids: Names;
  readonly #note: Note;
  #calls: DraftCall[] = [];

  /** `ids`: those of blocks, which pages and services share. */
  constructor(survey: Foreign, ids: Names, note: Note) {
    this.#survey = survey;
    this.#ids = ids;
    this.#note = note;
  }

  /** The services whose choices were asked for since this was called last: the page at hand needs their answers. */
  takeCalls(): readonly DraftCall[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  /** The keys of a field with several answers. */
  several(element: Foreign, pointer: string): Foreign {
    return {
      type: "array",
      ...this.of(element, pointer, true),
      ...present({
        min_items: numberIn(element, "minSelectedChoices") || undefined,
        max_items: numberIn(element, "maxSelectedChoices") || undefined,
      }),
    };
  }

  /** The keys of a field that takes one of its choices. */
  of(element: Foreign, pointer: string, isSeveral = false): Foreign {
    const service = element["choicesByUrl"];
    if (isRecord(service) && textIn(service as Foreign, "url") !== undefined) {
      return { enum: this.#choicesOfService(service as Foreign, textIn(element, "name") ?? "choices", pointer) };
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

  #choicesOfService(service: Foreign, name: string, pointer: string): Foreign {
    const id = this.#ids.fresh(`choices_of_${name}`);
    const path = (textIn(service, "path") ?? "").split(/[;.]/).filter(Boolean).join(".");
    this.#calls.push({ id, url: textIn(service, "url")! });
    this.#note(`${pointer}/choicesByUrl`, `The block ${id} fetches the choices: grant its host to the executor.`);
    return {
      from: new Reference(`\${blocks.${id}.outputs.json${path === "" ? "" : `.${path}`}}`),
      ...present({ value: textIn(service, "valueName"), title: textIn(service, "titleName") }),
    };
  }
}

/** The questions of a survey, wherever they stand. */
function questionsIn(holder: Foreign): readonly Foreign[] {
  return ["pages", "elements", "questions"].flatMap((key) =>
    recordsIn(holder, key, "").flatMap(([inner]) => [inner, ...questionsIn(inner)]),
  );
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
