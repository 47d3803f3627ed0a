import { isRecord } from "../../core/model/value.ts";
import { type Draft, type DraftContent, type DraftField, type DraftQuestion, Names, type Note } from "./draft.ts";
import { type Foreign, numberIn, present, textIn } from "./foreign.ts";

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
  uri: { format: "uri" },
};

const FORMATS: ReadonlySet<string> = new Set(["email", "uri", "date", "date-time", "time"]);
/** Keywords that say nothing about one field by itself. */
const LOST = ["allOf", "anyOf", "if", "dependencies", "dependentSchemas", "dependentRequired", "patternProperties", "not"];

/** Whether a document is a schema with its `uiSchema`, as react-jsonschema-form has them, or such a schema alone. */
export function isRjsf(document: Foreign): boolean {
  return isObjectSchema(isRecord(document["schema"]) ? (document["schema"] as Foreign) : document);
}

/** Reads a schema and its `uiSchema`. Source: react-jsonschema-form 6, "uiSchema Reference". */
export function readRjsf(document: Foreign, note: Note): Draft {
  const hasParts = isRecord(document["schema"]);
  const schema = (hasParts ? document["schema"] : document) as Foreign;
  const ui = hasParts && isRecord(document["uiSchema"]) ? (document["uiSchema"] as Foreign) : {};
  const data = hasParts && isRecord(document["formData"]) ? (document["formData"] as Foreign) : {};
  const reader = new SchemaReader(schema, note);
  const title = textIn(schema, "title");
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

  lines(schema: Foreign, ui: Foreign, data: Foreign, pointer: string): readonly (DraftQuestion | DraftContent)[] {
    return this.#members(schema, ui, data, pointer, 0).map((field) => ({ field, pointer: `${pointer}/properties/${field.name}` }));
  }

  #members(schema: Foreign, ui: Foreign, data: Foreign, pointer: string, depth: number): readonly DraftField[] {
    for (const keyword of LOST) {
      if (schema[keyword] !== undefined)
        this.#note(`${pointer}/${keyword}`, `"${keyword}" is left out. Write show_if at the fields or rules of the form for it.`);
    }
    const properties = isRecord(schema["properties"]) ? (schema["properties"] as Foreign) : {};
    const required = Array.isArray(schema["required"]) ? (schema["required"] as readonly unknown[]) : [];
    const names = new Names();
    return this.#order(properties, ui).flatMap((key): readonly DraftField[] => {
      const at = `${pointer}/properties/${key}`;
      const member = this.#resolve(properties[key], at);
      const own = isRecord(ui[key]) ? (ui[key] as Foreign) : {};
      if (member === undefined || optionOf(own, "widget") === "hidden") {
        this.#note(
          at,
          member === undefined
            ? "It is no schema that can be read, and is left out."
            : "A hidden field is left out: people do not answer it.",
        );
        return [];
      }
      const kind = this.#kindOf(member, own, at, depth);
      if (kind === undefined) return [];
      const preset = data[key] ?? member["default"];
      const isPlain = preset === undefined || (typeof preset !== "object" && kind["type"] !== "object");
      return [
        {
          name: names.of(key),
          ...present({
            title: optionOf(own, "title") ?? member["title"],
            description: optionOf(own, "help") ?? optionOf(own, "description") ?? member["description"],
          }),
          ...kind,
          ...present({ default: isPlain ? preset : undefined }),
          ...(required.includes(key) ? (preset === undefined ? {} : { required: true }) : { required: false }),
        },
      ];
    });
  }

  /** The order that `ui:order` gives, with `*` for all others. */
  #order(properties: Foreign, ui: Foreign): readonly string[] {
    const all = Object.keys(properties);
    const wanted = optionOf(ui, "order");
    if (!Array.isArray(wanted)) return all;
    const named = new Set(wanted.filter((key): key is string => typeof key === "string" && all.includes(key)));
    const rest = all.filter((key) => !named.has(key));
    const ordered = wanted.flatMap((key): readonly string[] => (key === "*" ? rest : named.has(key as string) ? [key as string] : []));
    return [...new Set([...ordered, ...all])];
  }

  #kindOf(schema: Foreign, ui: Foreign, pointer: string, depth: number): Foreign | undefined {
    const type = Array.isArray(schema["type"]) ? (schema["type"] as readonly unknown[]).find((one) => one !== "null") : schema["type"];
    const choices = choicesOf(schema, ui);
    if (depth >= MAX_DEPTH && (type === "object" || (type === "array" && choices === undefined))) {
      this.#note(pointer, `Objects and lists are read ${MAX_DEPTH} deep; this one is left out.`);
      return undefined;
    }
    switch (type) {
      case "boolean":
        return { type };
      case "integer":
      case "number":
        return { type, ...present({ enum: choices, minimum: numberIn(schema, "minimum"), maximum: numberIn(schema, "maximum") }) };
      case "object":
        return this.#group(type, { schema, ui, pointer, depth });
      case "array":
        return this.#list(schema, ui, pointer, depth);
      case undefined:
      case "string":
        if (optionOf(ui, "widget") === "password")
          this.#note(pointer, "A password is a text here. Ask for it with `sensitive`, or better not in a form.");
        return choices === undefined ? textKind(schema, ui) : { enum: choices };
      default:
        this.#note(pointer, `A value of the type ${JSON.stringify(type)} has no control, and is left out.`);
        return undefined;
    }
  }

  #list(schema: Foreign, ui: Foreign, pointer: string, depth: number): Foreign | undefined {
    const items = this.#resolve(schema["items"], `${pointer}/items`);
    const counts = present({ min_items: numberIn(schema, "minItems") || undefined, max_items: numberIn(schema, "maxItems") });
    if (items === undefined) {
      this.#note(pointer, "A list whose items have no schema is left out.");
      return undefined;
    }
    const own = isRecord(ui["items"]) ? (ui["items"] as Foreign) : {};
    const choices = choicesOf(items, own);
    if (choices !== undefined) return { type: "array", enum: choices, ...counts };
    if (items["format"] === "data-url") return { type: "file", multiple: true, ...counts };
    if (items["type"] === "object") {
      const group = this.#group("array", { schema: items, ui: own, pointer: `${pointer}/items`, depth });
      return group && { ...group, ...counts };
    }
    const kind = this.#kindOf(items, own, `${pointer}/items`, depth + 1);
    return kind && { type: "array", fields: [{ name: "value", ...kind, ...present({ title: items["title"] }) }], ...counts };
  }

  /** An object, or the objects of a list, by its members. */
  #group(
    type: "object" | "array",
    { schema, ui, pointer, depth }: { readonly schema: Foreign; readonly ui: Foreign; readonly pointer: string; readonly depth: number },
  ): Foreign | undefined {
    const fields = this.#members(schema, ui, {}, pointer, depth + 1);
    if (fields.length > 0) return { type, fields };
    this.#note(pointer, "It names no members that could be asked, and is left out.");
    return undefined;
  }

  /** A schema with what its reference points to, in the same document. */
  #resolve(schema: unknown, pointer: string): Foreign | undefined {
    let found = schema;
    const seen = new Set<unknown>();
    while (isRecord(found) && typeof found["$ref"] === "string") {
      if (seen.has(found)) return undefined;
      seen.add(found);
      found = this.#at(found["$ref"]);
      if (found === undefined) this.#note(pointer, "It refers to something that is not there.");
    }
    return isRecord(found) ? (found as Foreign) : undefined;
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

function choicesOf(schema: Foreign, ui: Foreign): readonly unknown[] | undefined {
  const parts = schema["oneOf"] ?? schema["anyOf"];
  if (Array.isArray(parts) && parts.length > 0 && parts.every((part) => isRecord(part) && part["const"] !== undefined)) {
    return (parts as readonly Foreign[]).map((part) => present({ value: part["const"], title: textIn(part, "title") }));
  }
  const values = schema["enum"];
  if (!Array.isArray(values) || schema["type"] === "boolean") return undefined;
  const titles = optionOf(ui, "enumNames") ?? schema["enumNames"];
  return values.map((value: unknown, i) => {
    const title: unknown = Array.isArray(titles) ? titles[i] : undefined;
    return typeof title === "string" && title !== value ? { value, title } : value;
  });
}

function textKind(schema: Foreign, ui: Foreign): Foreign {
  const format = textIn(schema, "format");
  if (format === "data-url") return { type: "file", ...present({ accept: textIn(ui, "ui:accept") }) };
  const widget = WIDGETS[String(optionOf(ui, "widget") ?? "")];
  return {
    ...(widget ?? (format !== undefined && FORMATS.has(format) ? { format } : {})),
    ...present({
      min_length: numberIn(schema, "minLength"),
      max_length: numberIn(schema, "maxLength"),
      pattern: textIn(schema, "pattern"),
    }),
  };
}
