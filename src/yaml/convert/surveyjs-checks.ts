import type { Note, Text } from "./draft.ts";
import { type Foreign, numberIn, recordsIn, textIn } from "./foreign.ts";
import { textOf } from "./surveyjs-texts.ts";

/** What a survey checks of an answer, as keys of the field, with its own words for what is wrong. */
export function checksOf(element: Foreign, kind: Foreign, pointer: string, note: Note): Foreign {
  const rules: { [key: string]: unknown } = {};
  const messages: { [key: string]: Text } = {};
  const own = textOf(element["requiredErrorText"]);
  if (own !== undefined) messages["required"] = own;
  for (const [validator, at] of recordsIn(element, "validators", pointer)) {
    if (validator["notificationType"] === "info" || validator["notificationType"] === "warning") {
      note(at, "A hint that lets an answer pass is left out. Write it into the description.");
      continue;
    }
    const type = textIn(validator, "type")?.replace(/validator$/, "");
    const text = textOf(validator["text"]);
    const found = keysOf(type, validator, kind);
    if (found === undefined) note(at, `The check "${type}" is left out. Write a rule of the form for it.`);
    for (const [key, value] of found ?? []) {
      if (value === undefined) continue;
      rules[key] = value;
      if (text !== undefined) messages[key] = text;
    }
  }
  return { ...rules, ...(Object.keys(messages).length > 0 ? { messages } : {}) };
}

type Check = readonly [key: string, value: unknown];

/** The keys that a check sets; nothing for one that no key stands for. */
function keysOf(type: string | undefined, validator: Foreign, kind: Foreign): readonly Check[] | undefined {
  switch (type) {
    case "numeric":
      return [
        ["type", kind["type"] ?? "number"],
        ["minimum", numberIn(validator, "minValue")],
        ["maximum", numberIn(validator, "maxValue")],
      ];
    case "text":
      return [
        ["min_length", numberIn(validator, "minLength") || undefined],
        ["max_length", numberIn(validator, "maxLength") || undefined],
      ];
    case "email":
      return [["format", "email"]];
    case "regex":
      return [["pattern", textIn(validator, "regex")]];
    case "answercount":
      return [
        ["min_items", numberIn(validator, "minCount") || undefined],
        ["max_items", numberIn(validator, "maxCount") || undefined],
      ];
    default:
      return undefined;
  }
}
