import { isRecord, type Value } from "../../core/model/value.ts";
import { both, type Condition } from "./condition.ts";
import { type Draft, type DraftLine, type DraftPage, isQuestion, Names, type Note } from "./draft.ts";
import { type Foreign, htmlText, present, recordsIn, textIn } from "./foreign.ts";
import { SurveyChoices } from "./surveyjs-choices.ts";
import { SurveyConditions } from "./surveyjs-conditions.ts";
import { QuestionKinds } from "./surveyjs-kinds.ts";
import { plainText, textOf } from "./surveyjs-texts.ts";

/** Of a survey: what has no counterpart in a workflow. */
const LOST_OF_SURVEY = [
  "triggers",
  "calculatedValues",
  "completedHtml",
  "completedHtmlOnCondition",
  "navigateToUrl",
  "timeLimit",
  "maxTimeToFinish",
  "timeLimitPerPage",
  "maxTimeToFinishPage",
  "cookieName",
];
/** Of a survey: the words of its buttons. */
const WORDS_OF_BUTTONS = ["completeText", "pageNextText", "pagePrevText", "previewText", "editText", "startSurveyText"];
/** Of a page or panel. */
const LOST_OF_PANEL = ["enableIf", "requiredIf", "isRequired", "readOnly", "timeLimit", "maxTimeToFinish"];

/** Whether a document is a survey of SurveyJS. */
export function isSurveyJs(document: Foreign): boolean {
  const [page] = Array.isArray(document["pages"]) ? (document["pages"] as unknown[]) : [];
  const elements = isRecord(page) ? (page["elements"] ?? page["questions"]) : (document["elements"] ?? document["questions"]);
  return Array.isArray(elements);
}

/** Reads the JSON of a survey. Source of names and defaults: SurveyJS Form Library 2, API reference. */
export function readSurveyJs(survey: Foreign, note: Note): Draft {
  const reader = new SurveyReader(survey, note);
  return {
    name: new Names().fresh(plainText(survey["title"]) ?? "survey"),
    ...present({ description: plainText(survey["description"]) }),
    pages: reader.pages(),
  };
}

class SurveyReader {
  readonly #survey: Foreign;
  readonly #note: Note;
  readonly #ids = new Names();
  readonly #conditions: SurveyConditions;
  readonly #choices: SurveyChoices;
  readonly #kinds: QuestionKinds;

  constructor(survey: Foreign, note: Note) {
    this.#survey = survey;
    this.#note = note;
    this.#conditions = new SurveyConditions(note);
    this.#choices = new SurveyChoices(survey, this.#ids, note);
    this.#kinds = new QuestionKinds(this.#conditions, this.#choices, note);
    if (survey["readOnly"] === true || survey["mode"] === "display")
      note("", "People read its answers there and cannot change them. Here they are asked.");
    for (const key of WORDS_OF_BUTTONS)
      if (survey[key] !== undefined) note(`/${key}`, "The words of buttons belong to the page: give them to the element as its messages.");
    for (const key of LOST_OF_SURVEY) if (survey[key] !== undefined) note(`/${key}`, `"${key}" has no counterpart. Write blocks for it.`);
  }

  pages(): readonly DraftPage[] {
    const isOnePage = !Array.isArray(this.#survey["pages"]);
    const pages: readonly (readonly [Foreign, string])[] = isOnePage ? [[this.#survey, ""]] : recordsIn(this.#survey, "pages", "");
    const read = pages.flatMap(([page, pointer]): readonly DraftPage[] => {
      if (this.#isHidden(page, pointer)) return [];
      if (!isOnePage) this.#noteLost(page, pointer);
      const lines = this.#lines(page, pointer, undefined);
      const calls = this.#choices.takeCalls();
      const title = textOf(page["title"]);
      const prompt = isOnePage ? undefined : textOf(page["description"]);
      const showIf = this.#conditions.of(page, "visibleIf", pointer);
      const own = {
        id: this.#ids.fresh(textIn(page, "name") ?? (isOnePage ? "form" : "page")),
        pointer,
        lines,
        ...(title === undefined ? {} : { title }),
        ...(prompt === undefined ? {} : { prompt }),
        ...(showIf === undefined ? {} : { showIf }),
        ...(calls.length > 0 ? { calls } : {}),
      };
      return [own];
    });
    return this.#hasPreview() ? [...read, { id: this.#ids.fresh("review"), pointer: "", lines: [], review: {} }] : read;
  }

  /** Whether people look over their answers before they send them. */
  #hasPreview(): boolean {
    const { showPreviewBeforeComplete: wanted } = this.#survey;
    return this.#survey["showPreview"] === true || wanted === true || (typeof wanted === "string" && wanted.startsWith("show"));
  }

  /** The elements of a page or panel. What a panel is shown under holds for all in it. */
  #lines(holder: Foreign, pointer: string, around: Condition | undefined): DraftLine[] {
    const key = Array.isArray(holder["elements"]) ? "elements" : "questions";
    return recordsIn(holder, key, pointer).flatMap(([element, at]): readonly DraftLine[] => {
      if (this.#isHidden(element, at)) return [];
      const showIf = both(around, this.#conditions.of(element, "visibleIf", at));
      const shown = showIf === undefined ? {} : { showIf };
      const title = textOf(element["title"]);
      const texts = [textOf(element["description"])].flatMap((text) => (text === undefined ? [] : [{ text, pointer: at, ...shown }]));
      switch (element["type"]) {
        case "panel":
          this.#noteLost(element, at);
          return [
            ...(title === undefined ? [] : [{ heading: title, pointer: at, ...shown }]),
            ...texts,
            ...this.#lines(element, at, showIf),
          ];
        case "html":
          return htmlText(plainText(element["html"]) ?? "").map((text) => ({ text, pointer: at, ...shown }));
        case "image":
          this.#note(at, "Pictures are taken from the page that shows the form: put the file there and add an image line.");
          return [];
        case "expression":
          this.#note(at, "A value that is worked out is a Compute block after the page.");
          return [];
        default:
          return this.#withRevealed(this.#kinds.questions(element, at, showIf), element, at, showIf);
      }
    });
  }

  /** A question with what its choices reveal below it. */
  #withRevealed(asked: readonly DraftLine[], element: Foreign, pointer: string, around: Condition | undefined): readonly DraftLine[] {
    const question = asked.find(isQuestion);
    if (question === undefined) return asked;
    const revealed = recordsIn(element, "choices", pointer).flatMap(([choice, at]) => {
      const isChosen: Condition = { chosen: choice["value"] as Value, of: question.field.name };
      return this.#lines(choice, at, both(around, isChosen));
    });
    return [...asked, ...revealed];
  }

  #isHidden(element: Foreign, pointer: string): boolean {
    const isHidden = element["visible"] === false && textIn(element, "visibleIf") === undefined;
    if (isHidden) this.#note(pointer, "It is hidden until something else shows it, and is left out. Write a show_if for it.");
    return isHidden;
  }

  #noteLost(holder: Foreign, pointer: string): void {
    for (const key of LOST_OF_PANEL)
      if (holder[key] !== undefined && holder[key] !== false)
        this.#note(`${pointer}/${key}`, `"${key}" is left out: say it of each question in it.`);
  }
}
