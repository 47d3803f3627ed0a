import type { Condition } from "./condition.ts";
import { Names, type Note } from "./draft.ts";
import { type Foreign, textIn } from "./foreign.ts";
import { readSurveyExpression } from "./surveyjs-expression.ts";
import { BESIDE } from "./write-fields.ts";

/** What a condition in a repeated group or a row of a table says before the name of a question beside it. */
const BESIDE_THERE = /^(?:panel|row)\./;

/** The conditions of a survey, and the names of its questions. */
export class SurveyConditions {
  readonly #note: Note;
  readonly #names = new Names();
  readonly #used = new Set<string>();

  constructor(note: Note) {
    this.#note = note;
  }

  /** The name of a question. Questions that share an answer in a survey have one each here. */
  nameOf(element: Foreign, name: string, pointer: string): string {
    const shared = this.#names.of(textIn(element, "valueName") ?? name);
    const own = this.#used.has(shared) ? this.#names.fresh(shared) : shared;
    if (own !== shared) this.#note(pointer, `Another question has its name, and shared its answer. Here it has its own, ${own}.`);
    this.#used.add(own);
    return own;
  }

  /** A condition of an element; nothing where it has none, or where it cannot be read. `beside`: the names in the group that it stands in. */
  of(element: Foreign, key: string, pointer: string, beside?: Names): Condition | undefined {
    const text = textIn(element, key);
    if (text === undefined) return undefined;
    const condition = readSurveyExpression(text, (question) =>
      beside && BESIDE_THERE.test(question) ? `${BESIDE}${beside.of(question.replace(BESIDE_THERE, ""))}` : this.#names.of(question),
    );
    if (condition === undefined)
      this.#note(`${pointer}/${key}`, `This condition cannot be carried over: ${text.slice(0, 200)}. It is left out.`);
    return condition;
  }
}
