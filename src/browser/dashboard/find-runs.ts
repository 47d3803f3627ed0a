import type { RunHead, SearchValue, SearchValues } from "../../core/model/run.ts";
import { WorkflowError } from "../../core/model/errors.ts";
import type { BulkFilter, Executor, RunListQuery } from "../../core/run/run.ts";
import { allPages } from "../../core/journal/journal.ts";
import type { RunsFilter } from "./route.ts";

/** How a filter asks the executor, and what is left to look at here. */
export interface FindPlan {
  readonly query: RunListQuery;
  /** Whether a run is among those that are looked for; absent where the executor finds them all by itself. */
  readonly matches?: (head: RunHead) => boolean;
}

/** Splits a filter: statuses, workflows and values by name are found by the store, any other text is looked for in what a list shows. */
export function planFind({ status, workflow, find }: RunsFilter): FindPlan {
  const query: RunListQuery = { topLevel: true, ...(status && { status }), ...(workflow && { workflow }) };
  if (find === undefined) return { query };
  const where = readValues(find);
  if (where) return { query: { ...query, where } };
  const wanted = find.trim().toLowerCase();
  return { query, matches: (head) => textsOf(head).some((text) => text.toLowerCase().includes(wanted)) };
}

/** `plan=team seats=2` as values; nothing where it is another text. */
function readValues(text: string): SearchValues | undefined {
  const values: [name: string, value: SearchValue][] = [];
  for (const word of splitWords(text)) {
    const at = word.indexOf("=");
    if (at < 1 || at === word.length - 1) return undefined;
    values.push([word.slice(0, at), readValue(word.slice(at + 1))]);
  }
  return values.length > 0 ? Object.fromEntries(values) : undefined;
}

/** The words of a text. Quotation marks keep spaces within a word. */
function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  let isQuoted = false;
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    if (isQuoted || letter.trim() !== "") word += letter;
    else if (word !== "") {
      words.push(word);
      word = "";
    }
  }
  return word === "" ? words : [...words, word];
}

function readValue(text: string): SearchValue {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  } catch {
    // A text without quotation marks.
  }
  return text;
}

function textsOf({ id, workflow, label = "", pauses, error, search = {} }: RunHead): readonly string[] {
  return [
    id,
    workflow,
    label,
    ...pauses.map(({ prompt }) => prompt),
    ...(error ? [error.code, error.message] : []),
    ...Object.values(search).map(String),
  ];
}

/** All runs that a filter means, as something that bulk work takes: their ids where a text is looked for. Throws what listing runs throws, and `ABORTED`. */
export async function findAll(executor: Executor, filter: RunsFilter, signal: AbortSignal): Promise<BulkFilter> {
  const { query, matches } = planFind(filter);
  const { workflow, where } = query;
  const found = { ...(workflow !== undefined && { workflow }), ...(where && { where }) };
  if (!matches) return found;
  const runs: string[] = [];
  for await (const { items } of allPages((place) => executor.runs.list({ ...query, ...place }))) {
    if (signal.aborted) throw new WorkflowError("ABORTED", "The runs were not counted to the end.", { cause: signal.reason });
    runs.push(...items.filter(matches).map(({ id }) => id));
  }
  return { ...found, runs };
}
