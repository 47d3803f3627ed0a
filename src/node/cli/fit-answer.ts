import { isRecord } from "../../core/model/value.ts";
import type { Answer, JsonSchema, JsonType } from "../../index.ts";
import { readAnswerFile } from "./answer-file.ts";

/**
 * An answer as the question's schema wants it where a text file or a command line cannot say so: a text becomes the JSON it spells where no
 * text is wanted, a number or a truth value becomes text where only text is, and the path of a file becomes that file where one is wanted, at any
 * depth. Throws `COMMAND_INVALID` for a file that cannot be read.
 */
export function fitAnswer(answer: Answer, schema: JsonSchema): Answer {
  return withFiles(fitPlain(answer, schema), schema);
}

function fitPlain(answer: Answer, { type, format }: JsonSchema): Answer {
  const wanted: readonly JsonType[] = type === undefined ? [] : typeof type === "string" ? [type] : type;
  if (wanted.length === 0 || format === "file") return answer;
  if (typeof answer === "string") return wanted.includes("string") ? answer : spelled(answer);
  const isWanted = wanted.includes(typeof answer as JsonType) || (typeof answer === "number" && wanted.includes("integer"));
  const isPlain = typeof answer === "number" || typeof answer === "boolean";
  return isPlain && !isWanted && wanted.includes("string") ? String(answer) : answer;
}

function spelled(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    return text;
  }
}

function withFiles(answer: Answer, schema: JsonSchema): Answer {
  const { format, properties = {}, items } = schema;
  if (format === "file") return typeof answer === "string" ? readAnswerFile(answer, schema) : answer;
  if (Array.isArray(answer)) return items ? answer.map((item: Answer) => withFiles(item, items)) : answer;
  if (!isRecord(answer)) return answer;
  const members = Object.entries(answer as { readonly [name: string]: Answer });
  return Object.fromEntries(
    members.map(([name, member]) => [name, Object.hasOwn(properties, name) ? withFiles(member, properties[name]!) : member]),
  );
}
