import { isRecord, type Value } from "../../core/model/value.ts";
import { both, type Condition } from "./condition.ts";
import { type Draft, type DraftField, type DraftLine, type DraftPage, Names, type Note } from "./draft.ts";
import { type Foreign, htmlText, numberIn, present, recordsIn, textIn } from "./foreign.ts";
import { GovUkConditions } from "./govuk-conditions.ts";

/** The components that ask, with the keys of a field. */
const KINDS: { readonly [type: string]: Foreign } = {
  TextField: {},
  FreeTextField: { format: "multiline" },
  MultilineTextField: { format: "multiline" },
  NumberField: { type: "number" },
  YesNoField: { type: "boolean" },
  DateField: { format: "date" },
  DatePartsField: { format: "date" },
  MonthYearField: { format: "month" },
  TimeField: { format: "time" },
  DateTimeField: { format: "date-time" },
  DateTimePartsField: { format: "date-time" },
  EmailAddressField: { format: "email" },
  TelephoneNumberField: { format: "tel", autocomplete: "tel" },
  WebsiteField: { format: "uri" },
  UkAddressField: { type: "object", format: "address" },
  FileUploadField: { type: "file" },
  SelectField: {},
  AutocompleteField: {},
  AutoCompleteField: {},
  RadiosField: {},
  CheckboxesField: { type: "array" },
  DeclarationField: { const: true, type: "boolean" },
};

const DAYS_AND_TIMES: ReadonlySet<string> = new Set(["date", "date-time", "month", "time"]);
const CHOOSING: ReadonlySet<string> = new Set(["SelectField", "AutocompleteField", "AutoCompleteField", "RadiosField", "CheckboxesField"]);
/** The components that say something. */
const SAYING: ReadonlySet<string> = new Set([
  "Para",
  "Html",
  "InsetText",
  "Details",
  "WarningText",
  "Markdown",
  "List",
  "FlashCard",
  "NotificationBanner",
]);

/** What becomes of a form once it is sent, and what it costs. */
const LOST_OF_FORM = ["outputs", "fees", "payments"];

/** The keys of a field that Joi's names of what is wrong stand for. */
const BROKEN: { readonly [name: string]: string } = {
  "any.required": "required",
  "string.empty": "required",
  "string.min": "min_length",
  "string.max": "max_length",
  "string.pattern.base": "pattern",
  "string.email": "format",
  "number.base": "type",
  "number.min": "minimum",
  "number.max": "maximum",
  "date.min": "min",
  "date.max": "max",
  "array.min": "min_items",
  "array.max": "max_items",
};

/** Choices that reveal choices, in one another. */
const MAX_DEPTH = 20;

/** Whether a document is a form of the GOV.UK form runners. */
export function isGovUkForm(document: Foreign): boolean {
  return recordsIn(document, "pages", "").some(([page]) => typeof page["path"] === "string" && Array.isArray(page["components"]));
}

/**
 * Reads the JSON of a GOV.UK form, as its form builders write it: with `next` at each page, or with a condition at the page. Source: DEFRA forms-model and
 * XGov digital-form-builder, their form definitions.
 */
export function readGovUkForm(form: Foreign, note: Note): Draft {
  const reader = new FormReader(form, note);
  const title = textIn(form, "name");
  for (const key of LOST_OF_FORM)
    if (Array.isArray(form[key]) && form[key].length > 0)
      note(`/${key}`, `"${key}" has no counterpart. Write blocks for it behind the last page.`);
  return { name: new Names().fresh(title ?? "form"), ...present({ description: title }), pages: reader.pages() };
}

class FormReader {
  readonly #form: Foreign;
  readonly #note: Note;
  readonly #names = new Names();
  readonly #ids = new Names();
  readonly #conditions: GovUkConditions;

  constructor(form: Foreign, note: Note) {
    this.#form = form;
    this.#note = note;
    this.#conditions = new GovUkConditions(form, this.#names, note);
    // Conditions may refer to questions of later pages.
    for (const [page, at] of recordsIn(form, "pages", ""))
      for (const [component, pointer] of recordsIn(page, "components", at))
        if (String(component["type"]) in KINDS) this.#conditions.nameOf(component, pointer, textIn(page, "section"));
  }

  pages(): readonly DraftPage[] {
    const all = this.#inOrder(recordsIn(this.#form, "pages", ""));
    const hasNext = all.some(([page]) => Array.isArray(page["next"]) && page["next"].length > 0);
    return all.map(([page, pointer]) => {
      const lines = recordsIn(page, "components", pointer).flatMap(([component, at]) => this.#line(component, at));
      const isSummary = String(page["controller"]).includes("SummaryPage");
      const [declaration] = isSummary ? htmlText(textIn(this.#form, "declaration") ?? "") : [];
      const showIf = this.#conditions.of(page, pointer);
      return {
        id: this.#ids.of(pathOf(page)),
        pointer,
        ...present({ title: textIn(page, "title") }),
        lines: this.#repeated(page, lines, pointer),
        ...(isSummary && this.#form["skipSummary"] !== true ? { review: declaration === undefined ? {} : { declaration } } : {}),
        ...(showIf === undefined ? {} : { showIf }),
        ...(hasNext ? { next: this.#next(page, pointer) } : {}),
      };
    });
  }

  /** What a page asks again and again is a list. */
  #repeated(page: Foreign, lines: readonly DraftLine[], pointer: string): readonly DraftLine[] {
    const repeat = isRecord(page["repeat"]) ? (page["repeat"] as Foreign) : undefined;
    const isRepeated = repeat !== undefined || page["repeatField"] !== undefined || String(page["controller"]).includes("Repeat");
    if (!isRepeated || lines.length === 0) return lines;
    const [options, limits] = [repeat?.["options"], repeat?.["schema"]].map((one) => (isRecord(one) ? (one as Foreign) : {})) as [
      Foreign,
      Foreign,
    ];
    if (page["repeatField"] !== undefined)
      this.#note(`${pointer}/repeatField`, "It is a list here: people say by its length how often it is asked.");
    const field = {
      name: this.#names.fresh(textIn(options, "name") ?? `${pathOf(page)}_list`),
      ...present({ title: textIn(options, "title") }),
      type: "array",
      fields: lines,
      ...present({ min_items: numberIn(limits, "min"), max_items: numberIn(limits, "max") }),
    };
    return [{ field, pointer }];
  }

  /** Pages in the order in which they follow one another, since that of the list need not be it. */
  #inOrder(pages: readonly (readonly [Foreign, string])[]): readonly (readonly [Foreign, string])[] {
    const byPath = new Map(pages.map((page): [string, readonly [Foreign, string]] => [pathOf(page[0]), page]));
    const ordered: (readonly [Foreign, string])[] = [];
    const seen = new Set<string>();
    // Depth first, each page behind all that follow it; then turned round.
    const visit = (start: string): void => {
      const stack: { readonly path: string; readonly ways: string[] }[] = [];
      const open = (path: string): void => {
        const page = byPath.get(path);
        if (!page || seen.has(path)) return;
        seen.add(path);
        stack.push({ path, ways: recordsIn(page[0], "next", "").map(([way]) => pathOf(way)) });
      };
      open(start);
      for (let top = stack.at(-1); top; top = stack.at(-1)) {
        const way = top.ways.pop();
        if (way === undefined) {
          ordered.push(byPath.get(top.path)!);
          stack.pop();
        } else open(way);
      }
    };
    const start = textIn(this.#form, "startPage");
    for (const path of [...byPath.keys()].toReversed()) if (path !== start) visit(path);
    if (start !== undefined) visit(start);
    return ordered.toReversed();
  }

  /** Ways with a condition are looked at first, as the runner does. */
  #next(page: Foreign, pointer: string): NonNullable<DraftPage["next"]> {
    const ways = recordsIn(page, "next", pointer).map(([way, at]) => {
      const when = this.#conditions.of(way, at);
      return { to: this.#ids.of(pathOf(way)), ...(when === undefined ? {} : { when }) };
    });
    // Where a condition is lost, two ways may have become one.
    const different = ways.filter(
      (way, i) => way.when !== undefined || !ways.slice(0, i).some((one) => one.to === way.to && one.when === undefined),
    );
    return different.toSorted((a, b) => Number(a.when === undefined) - Number(b.when === undefined));
  }

  #line(component: Foreign, pointer: string, depth = 0): readonly DraftLine[] {
    const type = String(component["type"]);
    if (SAYING.has(type)) {
      const title = type === "Details" || type === "NotificationBanner" ? textIn(component, "title") : undefined;
      const content = textIn(component, "content") ?? (title === undefined ? textIn(component, "title") : undefined) ?? "";
      const listed = this.#items(component).flatMap(([item]) => {
        const words = [textIn(item, "text"), textIn(item, "description")].filter((one) => one !== undefined);
        return words.length === 0 ? [] : [words.join(": ")];
      });
      const texts = [...(title === undefined ? [] : [title]), ...htmlText(content), ...listed];
      return texts.map((text) => ({ text, pointer }));
    }
    const kind = KINDS[type];
    if (kind === undefined || textIn(component, "name") === undefined) {
      this.#note(pointer, kind === undefined ? `A component of the type "${type}" is left out.` : "It has no name and is left out.");
      return [];
    }
    const field = this.#field(component, this.#conditions.nameOf(component, pointer), kind, CHOOSING.has(type), pointer);
    return [{ field, pointer }, ...this.#revealed(component, field.name, depth)];
  }

  #field(component: Foreign, name: string, kind: Foreign, isChoosing: boolean, pointer: string): DraftField {
    const options = isRecord(component["options"]) ? (component["options"] as Foreign) : {};
    const limits = isRecord(component["schema"]) ? (component["schema"] as Foreign) : {};
    const isText = kind["type"] === undefined && !DAYS_AND_TIMES.has(String(kind["format"])) && !isChoosing;
    const messages = this.#messages(options, pointer);
    // What is declared is what is agreed to.
    const declared = kind["const"] === true ? htmlText(textIn(component, "content") ?? "") : [];
    return {
      name,
      ...present({ title: textIn(component, "title") }),
      ...kind,
      ...present({ description: textIn(component, "hint") ?? (declared.length > 0 ? declared.join(" ") : undefined) }),
      ...(isChoosing ? { enum: this.#choices(component, pointer) } : {}),
      ...(kind["type"] === "array" ? this.#exclusive(component) : {}),
      ...(isText
        ? present({ max_length: numberIn(limits, "max"), min_length: numberIn(limits, "min"), pattern: textIn(limits, "regex") })
        : {}),
      ...(kind["type"] === "number" ? numberLimits(limits, options) : {}),
      ...(isText ? exactLength(limits) : {}),
      ...present({ autocomplete: textIn(options, "autocomplete") }),
      ...(String(kind["format"]).startsWith("date")
        ? present({ min: daysFromToday(options["maxDaysInPast"], "-"), max: daysFromToday(options["maxDaysInFuture"], "+") })
        : {}),
      ...(kind["type"] === "file" ? present({ max_items: numberIn(limits, "max"), accept: textIn(options, "accept") }) : {}),
      ...(kind["type"] === "file" && (numberIn(limits, "max") ?? 1) > 1 ? { multiple: true } : {}),
      ...(options["required"] === false ? { required: false } : {}),
      ...(Object.keys(messages).length > 0 ? { messages } : {}),
    };
  }

  /** One message for all that may be wrong is that for an answer that is missing. */
  #messages(options: Foreign, pointer: string): Foreign {
    const one = textIn(options, "customValidationMessage");
    const several = options["customValidationMessages"];
    const found: { [key: string]: string } = one === undefined ? {} : { required: one };
    for (const [name, text] of Object.entries(isRecord(several) ? several : {})) {
      const key = BROKEN[name];
      if (typeof text !== "string") continue;
      if (key === undefined) this.#note(`${pointer}/options/customValidationMessages`, `The message for "${name}" is left out.`);
      else found[key] ??= text;
    }
    return found;
  }

  #choices(component: Foreign, pointer: string): readonly unknown[] {
    const items = this.#items(component);
    if (items.length === 0) this.#note(`${pointer}/list`, "The list that it chooses from is not there.");
    for (const [item, at] of items)
      if (textIn(item, "condition") !== undefined) this.#note(`${at}/condition`, "A choice is always offered: its condition is left out.");
    return items.map(([item]) =>
      present({
        value: item["value"],
        title: textIn(item, "text") ?? textIn(item, "label"),
        description: textIn(item, "description") ?? textIn(item, "hint"),
      }),
    );
  }

  /** The choices that clear the others, as GOV.UK Frontend marks them. */
  #exclusive(component: Foreign): Foreign {
    const alone = this.#items(component).flatMap(([item]) => (item["behaviour"] === "exclusive" ? [item["value"]] : []));
    return alone.length > 0 ? { exclusive: alone } : {};
  }

  /** What a component chooses from: a list of the form, or one of its own. */
  #items(component: Foreign): readonly (readonly [Foreign, string])[] {
    const own = isRecord(component["values"]) ? (component["values"] as Foreign) : {};
    const wanted = component["list"] ?? own["list"];
    const found =
      typeof wanted === "string" && recordsIn(this.#form, "lists", "").find(([list]) => list["name"] === wanted || list["id"] === wanted);
    return found ? recordsIn(found[0], "items", found[1]) : recordsIn(own, "items", "/values");
  }

  /** The components that a choice reveals below it. */
  #revealed(component: Foreign, question: string, depth: number): readonly DraftLine[] {
    if (depth >= MAX_DEPTH) return [];
    return this.#items(component).flatMap(([item, at]) => {
      const inner = isRecord(item["conditional"]) ? (item["conditional"] as Foreign) : item;
      const showIf: Condition = { chosen: item["value"] as Value, of: question };
      return recordsIn(inner, "components", at).flatMap(([one, place]) =>
        this.#line(one, place, depth + 1).map((line) => ({ ...line, showIf: both(showIf, line.showIf)! })),
      );
    });
  }
}

/** A limit as forms have it, a number or its text: days before or after today. */
function daysFromToday(written: unknown, sign: "+" | "-"): string | undefined {
  const days = String(written ?? "").trim();
  return /^\d{1,4}$/.test(days) ? `today${sign}${Number(days)}d` : undefined;
}

function numberLimits(limits: Foreign, options: Foreign): Foreign {
  const isWhole = limits["integer"] === true || limits["precision"] === 0;
  return present({
    type: isWhole ? "integer" : undefined,
    minimum: numberIn(limits, "min"),
    maximum: numberIn(limits, "max"),
    unit: textIn(options, "suffix") ?? textIn(options, "prefix"),
  });
}

function exactLength(limits: Foreign): Foreign {
  const length = numberIn(limits, "length");
  return length === undefined ? {} : { min_length: length, max_length: length };
}

/** What a page is called in the addresses of the form. */
function pathOf(page: Foreign): string {
  return (textIn(page, "path") ?? "page").replace(/^\//, "");
}
