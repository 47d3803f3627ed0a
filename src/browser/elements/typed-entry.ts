import { otherOf } from "../../core/model/choices.ts";
import type { ShownSchema } from "../../core/model/localize-schema.ts";
import { readTyped, typedText } from "../../core/model/typed-number.ts";
import { isRecord, type Value } from "../../core/model/value.ts";
import { kindOf, takesNull, valuesOf } from "./field-kind.ts";

/**
 * What stands in a control: texts and numbers as they were typed, a choice as its value, a text that is no choice as `typed`, a file as it was picked; the
 * parts of a group by their names, those of a list in their order.
 */
export type Entry = Value | File | undefined | readonly Entry[] | { readonly [name: string]: Entry };

/** Items that a list shows before anything is in it, where it must have so many. */
const MAX_EMPTY_ITEMS = 10;

/** What stands in a control that shows a value, numbers as one types them in a language. What can be kept in no draft, files and passwords, stays as it was before. */
export function entryOf(
  schema: ShownSchema,
  shown: Value | undefined,
  language: string | undefined,
  isRequired = true,
  before?: Entry,
): Entry {
  const value = shown ?? schema.default ?? undefined;
  switch (kindOf(schema, isRequired)) {
    case "choice":
      return chosenOf(schema, value === undefined ? [] : [value])[0];
    case "choices":
      return schema.format === "ranking"
        ? rankedOf(schema, value)
        : Array.isArray(value)
          ? chosenOf(schema.items!, value as readonly Value[])
          : [];
    case "tick":
      return value === true;
    case "yes-no":
      return typeof value === "boolean" ? value : undefined;
    case "file":
      return isRecord(value) ? value : before;
    case "list": {
      const items = Array.isArray(value)
        ? (value as readonly Value[])
        : // A file is not there until it is chosen.
          Array.from<Value>({
            length: isRequired && schema.items!.format !== "file" ? Math.min(schema.minItems ?? 0, MAX_EMPTY_ITEMS) : 0,
          });
      return items.map((item, i) =>
        entryOf(schema.items!, item, language, true, Array.isArray(before) ? (before as readonly Entry[])[i] : undefined),
      );
    }
    case "group": {
      const members = isRecord(value) ? value : {};
      return Object.fromEntries(
        Object.entries(schema.properties!).map(([name, part]) => {
          const member = Object.hasOwn(members, name) ? (members[name] as Value) : undefined;
          return [name, entryOf(part, member, language, schema.required?.includes(name) ?? false, memberOf(before, name))];
        }),
      );
    }
    default:
      if (value === undefined) return schema.format === "password" && before !== undefined ? before : "";
      if (typeof value === "string") return value;
      return typeof value === "number" ? typedText(value, schema, language) : JSON.stringify(value, null, 2);
  }
}

/** Choices in the order of their list, then other texts where those may be given. */
function chosenOf(schema: ShownSchema, given: readonly Value[]): readonly Value[] {
  const choices = valuesOf(schema);
  const others = otherOf(schema) ? given.filter((one) => typeof one === "string" && !isIn(choices)(one)) : [];
  return [...choices.filter(isIn(given)), ...others.map((typed) => ({ typed }))];
}

/** All choices in their order: those of a value, then the others. */
function rankedOf(schema: ShownSchema, value: Value | undefined): readonly Value[] {
  const choices = valuesOf(schema.items!);
  const ranked = Array.isArray(value) ? (value as readonly Value[]).filter(isIn(choices)) : [];
  return [...ranked, ...choices.filter((choice) => !isIn(ranked)(choice))];
}

interface ValueOptions {
  /** What picked files came to; those that are not there are left out. */
  readonly files?: ReadonlyMap<File, Value>;
  /** Leaves out what must not be kept. */
  readonly isDraft?: boolean;
  /** In which numbers are typed. */
  readonly language: string | undefined;
}

/** The value that an entry means; nothing where it is left out. What fits no number, or no JSON, is given as it was typed. */
export function valueOf(schema: ShownSchema, entry: Entry, isRequired: boolean, options: ValueOptions): Value | undefined {
  const none = isRequired && takesNull(schema) ? null : undefined;
  const part = (of: ShownSchema, inner: Entry, required: boolean): Value | undefined => valueOf(of, inner, required, options);
  switch (kindOf(schema, isRequired)) {
    case "choice":
      return writtenIn(schema, entry) ?? none;
    case "choices":
      return isRequired || (entry as readonly Entry[]).length > 0
        ? (entry as readonly Entry[]).map((one) => writtenIn(schema.items!, one)!)
        : undefined;
    case "file":
      return (entry instanceof File ? options.files?.get(entry) : options.isDraft ? undefined : (entry as Value | undefined)) ?? none;
    case "list": {
      const items = (entry as readonly Entry[]).map((item) => part(schema.items!, item, true) ?? null);
      return isRequired || items.length > 0 ? items : undefined;
    }
    case "group": {
      const members = Object.entries(schema.properties!).flatMap(([name, of]) => {
        const value = part(of, memberOf(entry, name), schema.required?.includes(name) ?? false);
        // An empty text that must be longer is none: the answer is missing, rather than too short.
        return value === undefined || (value === "" && of.minLength! > 1) ? [] : [[name, value] as const];
      });
      return isRequired || !members.every(([, value]) => isBlank(value)) ? Object.fromEntries(members) : undefined;
    }
    case "number": {
      const typed = String(entry ?? "").trim();
      if (typed === "") return none;
      return readTyped(typed, schema, options.language) ?? typed;
    }
    case "json":
      try {
        return entry === "" ? none : (JSON.parse(String(entry)) as Value);
      } catch {
        return entry as string;
      }
    case "text":
      if (options.isDraft && schema.format === "password") return undefined;
      // An empty text is an answer only where plain text is asked; one that stood there and was deleted is meant.
      if (entry === "" && (none === null || !isRequired || isFormed(schema)) && !(schema.default && !isRequired)) return none;
      // Keyboards of phones put a blank behind a word that they complete.
      return isFormed(schema) ? (entry as string).trim() : (entry as string);
    default:
      return (entry as Value | undefined) ?? none;
  }
}

/** A choice, or the text that was typed in its place. */
function writtenIn(schema: ShownSchema, entry: Entry): Value | undefined {
  return ((otherOf(schema) && memberOf(entry, "typed")) ?? entry) as Value | undefined;
}

/** Whether someone left this as it was: in a group without any entry, an unticked box and an empty line are no answer. */
function isBlank(value: Value): boolean {
  return typeof value === "object" ? Object.values(value ?? {}).every(isBlank) : value === false || value === "";
}

/** The entry with another one at a place in it. */
export function replaceEntry(entry: Entry, [first, ...rest]: readonly (string | number)[], put: Entry): Entry {
  if (first === undefined) return put;
  const inner = replaceEntry(memberOf(entry, first), rest, put);
  return Array.isArray(entry)
    ? (entry as readonly Entry[]).with(Number(first), inner)
    : { ...(entry as { readonly [name: string]: Entry }), [first]: inner };
}

/** A part of a group or a list. */
export function memberOf(entry: Entry, name: string | number): Entry {
  return typeof entry === "object" && entry !== null && Object.hasOwn(entry, name)
    ? (entry as { readonly [name: string]: Entry })[name]
    : undefined;
}

/** Gives a test for values that are the same by what they hold. */
export function isSame(value: unknown): (other: unknown) => boolean {
  const text = JSON.stringify(value);
  return (other) => JSON.stringify(other) === text;
}

/** Gives a test for values that a list holds, each looked up at once. */
export function isIn(list: readonly Value[]): (value: Value) => boolean {
  const texts = new Set(list.map((one) => JSON.stringify(one)));
  return (value) => texts.has(JSON.stringify(value));
}

function isFormed({ format }: ShownSchema): boolean {
  return format !== undefined && format !== "multiline" && format !== "password";
}
