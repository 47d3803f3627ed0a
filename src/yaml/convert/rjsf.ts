import { isRecord } from "../../core/model/value.ts";
import type { Condition } from "./condition.ts";
import { ITEM_NOTE, type Draft, type DraftField, type DraftLine, type DraftQuestion, Names, type Note } from "./draft.ts";
import { type Foreign, numberIn, present, textIn } from "./foreign.ts";
import { type Branch, branchesOf } from "./rjsf-branches.ts";

/** Objects and lists in one another: as deep as fields of a form stand in fields. */
const MAX_DEPTH = 2;

/** What a widget says about a text. */
const WIDGETS: { readonly [widget: string]: Foreign } = {
  textarea: { format: "multiline" },
  date: { format: "date" },
  "alt-date": { format: "date" },
  datetime: { format: "date-time" },
  "alt-datetime": { format: "date-time" },
  time: { format: "time" },
  email: { format: "email" },
  tel: { format: "tel" },
  password: { format: "password" },
  uri: { format: "uri" },
};

const FORMATS: ReadonlySet<string> = new Set(["email", "uri", "date", "date-time", "time"]);
/** The widgets that only say how a control looks. */
const LOOKS: ReadonlySet<string> = new Set([
  "text",
  "updown",
  "range",
  "radio",
  "select",
  "checkbox",
  "checkboxes",
  "file",
  "files",
  "password",
  "hidden",
]);
/** Keywords of an object that are not read, but for what {@link branchesOf} reads of them. */
const LOST_OF_OBJECT = ["anyOf", "oneOf", "patternProperties", "not"];
/** Keywords of a value that are not read. */
const LOST_OF_VALUE = ["allOf", "anyOf", "oneOf", "not", "if", "multipleOf", "exclusiveMinimum", "exclusiveMaximum", "contains"];
/** What a `uiSchema` says of a field that is not carried over. */
const LOST_OPTIONS = ["readonly", "disabled", "field", "enumDisabled"];

const COMBINING = ["allOf", "anyOf", "oneOf"];
/** What people may do to the items of a list. */
const ITEM_OPTIONS = ["addable", "removable", "orderable"];

/** Whether a document is a schema with its `uiSchema`, as react-jsonschema-form has them, or such a schema alone. */
export function isRjsf(document: Foreign): boolean {
  const { schema } = document;
  if (!isRecord(schema)) return isObjectSchema(document);
  return isObjectSchema(schema as Foreign) || (schema["type"] === "object" && COMBINING.some((keyword) => Array.isArray(schema[keyword])));
}

/** Reads a schema and its `uiSchema`. Source: react-jsonschema-form 6, "uiSchema Reference". */
export function readRjsf(document: Foreign, note: Note): Draft {
  const hasParts = isRecord(document["schema"]);
  const schema = (hasParts ? document["schema"] : document) as Foreign;
  const ui = hasParts && isRecord(document["uiSchema"]) ? (document["uiSchema"] as Foreign) : {};
  const data = hasParts && isRecord(document["formData"]) ? (document["formData"] as Foreign) : {};
  const reader = new SchemaReader(schema, note);
  const title = textIn(schema, "title");
  if (optionOf(ui, "field") !== undefined) note("/uiSchema", '"ui:field" is left out: each value has the control of its type.');
  return {
    name: new Names().fresh(title ?? "form"),
    ...present({ description: textIn(schema, "description") }),
    pages: [
      {
        id: "form",
        pointer: "",
        ...present({ title, prompt: textIn(schema, "description") }),
        lines: reader.lines(schema, ui, data, hasParts ? "/schema" : ""),
      },
    ],
  };
}

class SchemaReader {
  readonly #root: Foreign;
  readonly #note: Note;

  constructor(root: Foreign, note: Note) {
    this.#root = root;
    this.#note = note;
  }

  /** The properties of an object as they are asked, with those that its branches add. */
  lines(schema: Foreign, ui: Foreign, data: Foreign, pointer: string, depth = 0): readonly DraftLine[] {
    const whole = this.#merged(schema, pointer);
    for (const keyword of LOST_OF_OBJECT) {
      if (whole[keyword] !== undefined)
        this.#note(`${pointer}/${keyword}`, `"${keyword}" is left out. Write show_if at the fields or rules of the form for it.`);
    }
    if (isRecord(whole["additionalProperties"]) && isRecord(whole["properties"]))
      this.#note(`${pointer}/additionalProperties`, "A form asks what its schema names: members of any other name are left out.");
    const names = new Names();
    const properties = isRecord(whole["properties"]) ? (whole["properties"] as Foreign) : {};
    const required = Array.isArray(whole["required"]) ? (whole["required"] as readonly unknown[]) : [];
    const branches = branchesOf(
      whole,
      (name) => names.of(name),
      pointer,
      (part, at) => this.#resolve(part, at),
      this.#note,
    );
    const all = new Map<string, { readonly schema: unknown; readonly showIf?: Condition | undefined; readonly at: string }>(
      Object.entries(properties).map(([key, member]) => [key, { schema: member, at: `${pointer}/properties/${key}` }]),
    );
    for (const { key, schema: member, showIf, at } of branches.flatMap((branch) => this.#added(branch))) {
      const known = all.get(key);
      if (known === undefined) all.set(key, { schema: member, showIf, at });
      else if (known.showIf && JSON.stringify(known.schema) === JSON.stringify(member))
        all.set(key, { ...known, showIf: { any: [known.showIf, showIf] } });
      else if (!branches.some((branch) => branch.asks.includes(key)))
        this.#note(at, `"${key}" is asked once. What this branch says of it besides is left out.`);
    }
    return this.#order([...all.keys()], ui).flatMap((key): readonly DraftQuestion[] => {
      const { schema: member, showIf, at } = all.get(key)!;
      const needed = branches.filter((branch) => branch.required.includes(key)).map((branch) => branch.when);
      const isAlways = required.includes(key) || (showIf !== undefined && needed.some((when) => sameOrPart(when, showIf)));
      const field = this.#field({ key, name: names.of(key), schema: member, ui, data, pointer: at, depth, isRequired: isAlways });
      if (field === undefined) return [];
      const requiredIf = isAlways || needed.length === 0 ? undefined : needed.length === 1 ? needed[0] : { any: needed };
      return [{ field, pointer: at, ...(showIf ? { showIf } : {}), ...(requiredIf ? { requiredIf } : {}) }];
    });
  }

  #added({ properties, when, at }: Branch): readonly { key: string; schema: unknown; showIf: Condition; at: string }[] {
    return Object.entries(properties).map(([key, schema]) => ({ key, schema, showIf: when, at: `${at}/properties/${key}` }));
  }

  #field(asked: {
    readonly key: string;
    readonly name: string;
    readonly schema: unknown;
    readonly ui: Foreign;
    readonly data: Foreign;
    readonly pointer: string;
    readonly depth: number;
    readonly isRequired: boolean;
  }): DraftField | undefined {
    const { key, name, ui, data, pointer: at, depth, isRequired } = asked;
    const resolved = this.#resolve(asked.schema, at);
    const member = resolved && this.#merged(resolved, at);
    const own = isRecord(ui[key]) ? (ui[key] as Foreign) : {};
    const widget = optionOf(own, "widget");
    if (member === undefined || widget === "hidden") {
      this.#note(
        at,
        member === undefined
          ? "It is no schema that can be read, and is left out."
          : "A hidden field is left out: people do not answer it.",
      );
      return undefined;
    }
    if (widget !== undefined && !(typeof widget === "string" && (widget in WIDGETS || LOOKS.has(widget))))
      this.#note(at, `The widget ${JSON.stringify(widget)} is left out: it has the control of its type.`);
    for (const option of LOST_OPTIONS)
      if (optionOf(own, option)) this.#note(at, `"ui:${option}" is left out: people can change it here, in the control of its type.`);
    for (const option of ITEM_OPTIONS)
      if (optionOf(own, option) === false) this.#note(at, `"ui:${option}" is left out: people add, remove and move items here.`);
    if (member["readOnly"] === true) this.#note(at, "People read it there and cannot change it. Here it is asked.");
    const preset = data[key] ?? member["default"];
    // What a group begins with is said of each of its members.
    const members = [member["default"], data[key]].map((one) => (isRecord(one) ? (one as Foreign) : {}));
    const kind = this.#kindOf(member, own, at, depth, Object.assign({}, ...members) as Foreign);
    if (kind === undefined) return undefined;
    return {
      name,
      ...present({
        title: optionOf(own, "title") ?? member["title"],
        description: optionOf(own, "help") ?? optionOf(own, "description") ?? member["description"] ?? textIn(own, "ui:placeholder"),
        autocomplete: kind["type"] === undefined ? optionOf(own, "autocomplete") : undefined,
      }),
      ...kind,
      ...present({ default: isRecord(preset) && kind["type"] === "object" ? undefined : preset }),
      ...(isRequired ? (preset === undefined ? {} : { required: true }) : { required: false }),
    };
  }

  /** The order that `ui:order` gives, with `*` for all others. */
  #order(all: readonly string[], ui: Foreign): readonly string[] {
    const wanted = optionOf(ui, "order");
    if (!Array.isArray(wanted)) return all;
    const named = new Set(wanted.filter((key): key is string => typeof key === "string" && all.includes(key)));
    const rest = all.filter((key) => !named.has(key));
    const ordered = wanted.flatMap((key): readonly string[] => (key === "*" ? rest : named.has(key as string) ? [key as string] : []));
    return [...new Set([...ordered, ...all])];
  }

  #kindOf(schema: Foreign, ui: Foreign, pointer: string, depth: number, data: Foreign = {}): Foreign | undefined {
    const type = Array.isArray(schema["type"]) ? (schema["type"] as readonly unknown[]).find((one) => one !== "null") : schema["type"];
    const choices = choicesOf(schema, ui);
    const isGroup = type === "object" || (type === undefined && isRecord(schema["properties"]));
    if (depth >= MAX_DEPTH && (isGroup || (type === "array" && choices === undefined))) {
      this.#note(pointer, `Objects and lists are read ${MAX_DEPTH} deep; this one is left out.`);
      return undefined;
    }
    if (isGroup) return this.#group("object", { schema, ui, data, pointer, depth });
    for (const keyword of LOST_OF_VALUE) {
      const isRead = (keyword === "oneOf" || keyword === "anyOf") && choices !== undefined;
      if (schema[keyword] !== undefined && !isRead)
        this.#note(`${pointer}/${keyword}`, `"${keyword}" is left out. Write a rule of the form for it.`);
    }
    switch (type) {
      case "boolean":
        return { type, ...present({ enum: choices, const: schema["const"] === true || undefined }) };
      case "integer":
      case "number":
        return { type, ...present({ enum: choices, minimum: numberIn(schema, "minimum"), maximum: numberIn(schema, "maximum") }) };
      case "array":
        return this.#list(schema, ui, pointer, depth);
      case undefined:
      case "string":
        return choices === undefined ? this.#textKind(schema, ui, pointer) : { enum: choices };
      default:
        this.#note(pointer, `A value of the type ${JSON.stringify(type)} has no control, and is left out.`);
        return undefined;
    }
  }

  #textKind(schema: Foreign, ui: Foreign, pointer: string): Foreign {
    const format = textIn(schema, "format");
    if (format === "data-url") return { type: "file", ...present({ accept: optionOf(ui, "accept") }) };
    const widget = WIDGETS[String(optionOf(ui, "widget") ?? "")] ?? WIDGETS[String(optionOf(ui, "inputType") ?? "")];
    const isKnown = format === undefined || FORMATS.has(format);
    if (!isKnown) this.#note(`${pointer}/format`, `The format "${format}" is left out: it is a text. Write a pattern for it.`);
    return {
      ...(widget ?? (format !== undefined && isKnown ? { format } : {})),
      ...present({
        min_length: numberIn(schema, "minLength"),
        max_length: numberIn(schema, "maxLength"),
        pattern: textIn(schema, "pattern"),
      }),
    };
  }

  #list(schema: Foreign, ui: Foreign, pointer: string, depth: number): Foreign | undefined {
    const items = this.#resolve(Array.isArray(schema["items"]) ? schema["additionalItems"] : schema["items"], `${pointer}/items`);
    if (Array.isArray(schema["items"]))
      this.#note(
        `${pointer}/items`,
        "A list has items of one kind here; those that are listed one by one are left out. Write a group for them.",
      );
    const counts = present({ min_items: numberIn(schema, "minItems") || undefined, max_items: numberIn(schema, "maxItems") });
    if (items === undefined) {
      this.#note(pointer, "A list whose items have no schema is left out.");
      return undefined;
    }
    const own = isRecord(ui["items"]) ? (ui["items"] as Foreign) : {};
    const choices = choicesOf(items, {
      ...own,
      ...(own["ui:enumNames"] === undefined ? present({ "ui:enumNames": ui["ui:enumNames"] }) : {}),
    });
    if (choices !== undefined) return { type: "array", enum: choices, ...counts };
    if (items["format"] === "data-url") return { type: "file", multiple: true, ...counts, ...present({ accept: optionOf(ui, "accept") }) };
    if (items["type"] === "object") {
      const group = this.#group("array", { schema: items, ui: own, data: {}, pointer: `${pointer}/items`, depth });
      return group && { ...group, ...present({ item: textIn(items, "title") }), ...counts };
    }
    const kind = this.#kindOf(items, own, `${pointer}/items`, depth + 1);
    const field = { name: "value", ...kind, ...present({ title: items["title"] }) };
    if (kind) this.#note(pointer, ITEM_NOTE);
    return kind && { type: "array", fields: [{ field, pointer: `${pointer}/items` }], ...counts };
  }

  /** An object, or the objects of a list, by its members. */
  #group(
    type: "object" | "array",
    asked: {
      readonly schema: Foreign;
      readonly ui: Foreign;
      readonly data: Foreign;
      readonly pointer: string;
      readonly depth: number;
    },
  ): Foreign | undefined {
    const { schema, ui, data, pointer, depth } = asked;
    const fields = this.lines(schema, ui, data, pointer, depth + 1);
    if (fields.length > 0) return { type, fields };
    this.#note(pointer, "It names no members that could be asked, and is left out.");
    return undefined;
  }

  /** A schema with the plain parts of its `allOf`, which say more of the same. */
  #merged(schema: Foreign, pointer: string): Foreign {
    const { allOf, ...own } = schema;
    if (!Array.isArray(allOf)) return schema;
    const rest: unknown[] = [];
    let whole: Foreign = own;
    for (const [i, written] of (allOf as readonly unknown[]).entries()) {
      const part = this.#resolve(written, `${pointer}/allOf/${i}`);
      if (part === undefined || ["if", "allOf", "anyOf", "oneOf", "not"].some((keyword) => part[keyword] !== undefined))
        rest.push(part ?? written);
      else {
        const both = (key: string): Foreign => ({ ...(whole[key] as Foreign | undefined), ...(part[key] as Foreign | undefined) });
        const required = [whole["required"], part["required"]].flatMap((one) => (Array.isArray(one) ? (one as unknown[]) : []));
        whole = {
          ...whole,
          ...part,
          ...(whole["properties"] || part["properties"] ? { properties: both("properties") } : {}),
          ...(required.length > 0 ? { required } : {}),
        };
      }
    }
    return rest.length > 0 ? { ...whole, allOf: rest } : whole;
  }

  /** A schema with what its reference points to, in the same document. What stands beside the reference goes before. */
  #resolve(schema: unknown, pointer: string): Foreign | undefined {
    let found = schema;
    let beside: Foreign = {};
    const seen = new Set<unknown>();
    while (isRecord(found) && typeof found["$ref"] === "string") {
      if (seen.has(found)) return undefined;
      seen.add(found);
      const { $ref: reference, ...own } = found as Foreign;
      beside = { ...own, ...beside };
      found = this.#at(String(reference));
      if (found === undefined) this.#note(pointer, "It refers to something that is not there.");
    }
    return isRecord(found) ? (seen.size > 0 ? { ...(found as Foreign), ...beside } : (found as Foreign)) : undefined;
  }

  #at(reference: string): unknown {
    if (!reference.startsWith("#/")) return undefined;
    return reference
      .slice(2)
      .split("/")
      .reduce<unknown>((found, key) => {
        const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
        return isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
      }, this.#root);
  }
}

function isObjectSchema(schema: Foreign): boolean {
  return isRecord(schema["properties"]) && (schema["type"] === undefined || schema["type"] === "object");
}

/** What `uiSchema` says of a field, in either spelling. */
function optionOf(ui: Foreign, name: string): unknown {
  const options = ui["ui:options"];
  return ui[`ui:${name}`] ?? (isRecord(options) ? options[name] : undefined);
}

/** Whether a condition is another one, or one of its alternatives. */
function sameOrPart(when: Condition, showIf: Condition): boolean {
  if (JSON.stringify(when) === JSON.stringify(showIf)) return true;
  return "any" in showIf && showIf.any.every((one) => JSON.stringify(one) === JSON.stringify(when));
}

function choicesOf(schema: Foreign, ui: Foreign): readonly unknown[] | undefined {
  const parts = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(parts) && parts.length > 0 && parts.every((part) => isRecord(part) && part["const"] !== undefined)) {
    return (parts as readonly Foreign[]).map((part) => present({ value: part["const"], title: textIn(part, "title") }));
  }
  const values = schema["enum"];
  const isSwitch = schema["type"] === "boolean";
  if (isSwitch && !Array.isArray(optionOf(ui, "enumNames") ?? schema["enumNames"])) return undefined;
  if (!Array.isArray(values) && !isSwitch) return undefined;
  const titles = optionOf(ui, "enumNames") ?? schema["enumNames"];
  return ((values as readonly unknown[] | undefined) ?? [true, false]).map((value: unknown, i) => {
    const title: unknown = Array.isArray(titles) ? titles[i] : undefined;
    return typeof title === "string" && title !== value ? { value, title } : value;
  });
}
