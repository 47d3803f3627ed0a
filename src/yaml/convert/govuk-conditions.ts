import { isRecord, type Value } from "../../core/model/value.ts";
import type { Comparison, Condition } from "./condition.ts";
import type { Names, Note } from "./draft.ts";
import { type Foreign, recordsIn, textIn } from "./foreign.ts";

const OPERATORS: { readonly [operator: string]: Comparison["is"] } = {
  is: "==",
  "is not": "!=",
  "is before": "<",
  "is after": ">",
  "is less than": "<",
  "is at least": ">=",
  "is more than": ">",
  "is at most": "<=",
};

/** How deep conditions may name one another. */
const MAX_DEPTH = 20;

/** The conditions of a GOV.UK form, and the names of its questions. */
export class GovUkConditions {
  readonly #form: Foreign;
  readonly #names: Names;
  readonly #note: Note;
  /** The names of questions by component. */
  readonly #own = new Map<Foreign, string>();
  /** The same by how conditions refer to a question: with the section of its page, or without. */
  readonly #known = new Map<string, string>();

  constructor(form: Foreign, names: Names, note: Note) {
    this.#form = form;
    this.#names = names;
    this.#note = note;
  }

  /**
   * The name of a question, the same each time; empty for one without a name. In a form the same name may stand in each section, and on several
   * pages.
   */
  nameOf(component: Foreign, pointer: string, section = ""): string {
    const found = this.#own.get(component);
    const name = textIn(component, "name");
    if (found !== undefined || name === undefined) return found ?? "";
    const own = this.#names.fresh(name);
    this.#own.set(component, own);
    if (this.#known.has(name)) this.#note(pointer, `Another question has its name. Here it is ${own}.`);
    for (const reference of [name, `${section}.${name}`]) if (!this.#known.has(reference)) this.#known.set(reference, own);
    return own;
  }

  /** The condition that a page, or a way to one, names; nothing where it names none, or one that cannot be read. */
  of(holder: Foreign, pointer: string): Condition | undefined {
    const { condition: name } = holder;
    return typeof name === "string" && name !== "" ? this.#named(name, `${pointer}/condition`, 0) : undefined;
  }

  #named(name: string, pointer: string, depth: number): Condition | undefined {
    const found = recordsIn(this.#form, "conditions", "").find(([one]) => one["name"] === name || one["id"] === name)?.[0];
    const condition = found && this.#read(found["value"] ?? found, depth);
    if (condition === undefined) this.#note(pointer, `The condition "${name}" cannot be carried over and is left out.`);
    return condition;
  }

  /** A condition as a list: each part but the first says how it joins what stands before it. `and` binds stronger. */
  #read(written: unknown, depth: number): Condition | undefined {
    const parts = isRecord(written) && depth < MAX_DEPTH ? (written["conditions"] ?? written["items"]) : undefined;
    if (!Array.isArray(parts)) return undefined;
    const joins = String((written as Foreign)["coordinator"] ?? "");
    const groups: Condition[][] = [[]];
    for (const part of parts as readonly unknown[]) {
      const condition = isRecord(part) ? this.#part(part as Foreign, depth + 1) : undefined;
      if (condition === undefined) return undefined;
      const coordinator = (part as Foreign)["coordinator"] ?? (groups[0]!.length > 0 ? joins : "");
      if (coordinator === "or") groups.push([]);
      groups.at(-1)!.push(condition);
    }
    const any = groups.map((all): Condition => (all.length === 1 ? all[0]! : { all }));
    return any.length === 1 ? any[0] : { any };
  }

  #part(part: Foreign, depth: number): Condition | undefined {
    if (Array.isArray(part["conditions"])) return this.#read(part, depth);
    const reference = textIn(part, "conditionName") ?? textIn(part, "conditionId");
    if (reference !== undefined) return this.#named(reference, "/conditions", depth);
    const question = this.#questionOf(part);
    const operator = textIn(part, "operator");
    const value = this.#typed(question, this.#valueOf(part["value"]));
    if (question === undefined || operator === undefined || value === undefined) return undefined;
    if (operator === "contains") return { chosen: value, of: question };
    if (operator === "does not contain") return { not: { chosen: value, of: question } };
    const is = OPERATORS[operator];
    return is && { question, is, value };
  }

  #questionOf(part: Foreign): string | undefined {
    const { field } = part;
    const name = isRecord(field) ? textIn(field as Foreign, "name") : textIn(part, "field");
    if (name !== undefined) return this.#known.get(name) ?? this.#known.get(name.split(".").at(-1)!) ?? name;
    const id = textIn(part, "componentId");
    const found = recordsIn(this.#form, "pages", "")
      .flatMap(([page]) => recordsIn(page, "components", ""))
      .find(([component]) => component["id"] === id);
    return found && this.#own.get(found[0]);
  }

  /** A number is compared with a number, however the form writes it. */
  #typed(question: string | undefined, value: Value | undefined): Value | undefined {
    const isNumber = [...this.#own].some(([{ type }, name]) => type === "NumberField" && name === question);
    return isNumber && typeof value === "string" && Number.isFinite(Number(value)) ? Number(value) : value;
  }

  /** Forms write each value as a text, with the type that it has beside it or not at all. */
  #valueOf(written: unknown): Value | undefined {
    if (!isRecord(written)) return plainValue(written);
    const item = textIn(written as Foreign, "itemId");
    if (item !== undefined) {
      const items = recordsIn(this.#form, "lists", "").flatMap(([list]) => recordsIn(list, "items", ""));
      return items.find(([one]) => one["id"] === item)?.[0]["value"] as Value | undefined;
    }
    return plainValue(written["value"]);
  }
}

function plainValue(value: unknown): Value | undefined {
  if (value === "true" || value === "false") return value === "true";
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}
