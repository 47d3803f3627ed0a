import { isRecord } from "../../core/model/value.ts";
import { both, type Condition } from "./condition.ts";
import { type Draft, type DraftCall, type DraftContent, type DraftPage, type DraftQuestion, Names, type Note } from "./draft.ts";
import { type Foreign, htmlText, present, recordsIn, textIn } from "./foreign.ts";
import { QuestionKinds } from "./surveyjs-kinds.ts";
import { plainText, textOf } from "./surveyjs-texts.ts";
import { readSurveyExpression } from "./surveyjs-expression.ts";

/** Of a survey: what has no counterpart in a workflow. */
const LOST_OF_SURVEY = ["triggers", "calculatedValues", "completedHtmlOnCondition", "navigateToUrl"];

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
  readonly #names = new Names();
  readonly #ids = new Names();
  readonly #kinds: QuestionKinds;

  constructor(survey: Foreign, note: Note) {
    this.#survey = survey;
    this.#note = note;
    this.#kinds = new QuestionKinds(note, this.#ids);
    for (const key of LOST_OF_SURVEY) if (survey[key] !== undefined) note(`/${key}`, `"${key}" has no counterpart. Write blocks for it.`);
  }

  pages(): readonly DraftPage[] {
    const isOnePage = !Array.isArray(this.#survey["pages"]);
    const pages: readonly (readonly [Foreign, string])[] = isOnePage ? [[this.#survey, ""]] : recordsIn(this.#survey, "pages", "");
    return pages.map(([page, pointer]) => {
      const calls: DraftCall[] = [];
      const lines = this.#lines(page, pointer, undefined, calls);
      const title = textOf(page["title"]);
      const prompt = isOnePage ? undefined : textOf(page["description"]);
      const showIf = this.#condition(page, "visibleIf", pointer);
      return {
        id: this.#ids.fresh(textIn(page, "name") ?? (isOnePage ? "form" : "page")),
        pointer,
        lines,
        ...(title === undefined ? {} : { title }),
        ...(prompt === undefined ? {} : { prompt }),
        ...(showIf === undefined ? {} : { showIf }),
        ...(calls.length > 0 ? { calls } : {}),
      };
    });
  }

  /** The elements of a page or panel. What a panel is shown under holds for all in it. */
  #lines(holder: Foreign, pointer: string, around: Condition | undefined, calls: DraftCall[]): (DraftQuestion | DraftContent)[] {
    const key = Array.isArray(holder["elements"]) ? "elements" : "questions";
    return recordsIn(holder, key, pointer).flatMap(([element, at]): readonly (DraftQuestion | DraftContent)[] => {
      const own = this.#condition(element, "visibleIf", at);
      const showIf = both(around, own);
      const title = textOf(element["title"]);
      switch (element["type"]) {
        case "panel":
          return [...(title === undefined ? [] : [{ heading: title }]), ...this.#lines(element, at, showIf, calls)];
        case "html":
          if (showIf) this.#note(at, "Texts between questions are always shown.");
          return htmlText(plainText(element["html"]) ?? "").map((text) => ({ text }));
        case "image":
          this.#note(at, "Pictures are taken from the page that shows the form: put the file there and add an image line.");
          return [];
        case "expression":
          this.#note(at, "A value that is worked out is a Compute block after the page.");
          return [];
        default:
          return this.#question(element, at, showIf, calls);
      }
    });
  }

  #question(element: Foreign, pointer: string, showIf: Condition | undefined, calls: DraftCall[]): readonly DraftQuestion[] {
    const name = textIn(element, "name");
    if (name === undefined) {
      this.#note(pointer, "It has no name, so that nothing can hold its answer. It is left out.");
      return [];
    }
    const kind = this.#kinds.kindOf(element, pointer, calls);
    if (kind === undefined) {
      this.#note(pointer, `A question of the type ${JSON.stringify(element["type"])} is not known. It is left out.`);
      return [];
    }
    const field = this.#kinds.field(this.#names.of(name), element, kind, pointer);
    return [{ field, pointer, ...(showIf === undefined ? {} : { showIf }) }];
  }

  #condition(element: Foreign, key: string, pointer: string): Condition | undefined {
    const text = textIn(element, key);
    if (text === undefined) return undefined;
    const condition = readSurveyExpression(text, (question) => this.#names.of(question));
    if (condition === undefined)
      this.#note(`${pointer}/${key}`, `This condition cannot be carried over: ${text.slice(0, 200)}. It is always asked.`);
    return condition;
  }
}
