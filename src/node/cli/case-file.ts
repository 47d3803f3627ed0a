import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { memberPath } from "../../core/definition/definition.ts";
import { adviseName } from "../../core/model/suggestions.ts";
import { isRecord } from "../../core/model/value.ts";
import { WorkflowError, type ErrorPlace, type Value, type Values } from "../../index.ts";
import { createLineTable, locate } from "../../yaml/locate.ts";
import { readYaml } from "../../yaml/read-yaml.ts";
import { toValue } from "../../yaml/to-value.ts";
import { isCaseFile } from "../list-workflow-files.ts";
import { readTextFile } from "./workflow-file.ts";

/** The ends of a run in a case; `refused` means that it does not start. */
const CASE_STATUSES = ["completed", "failed", "cancelled", "paused", "refused"] as const;

export type CaseStatus = (typeof CASE_STATUSES)[number];

/** One run of a workflow, and its expected result. */
export interface Case {
  readonly name: string;
  readonly inputs: Values;
  /** As a file of answers has them: a list, or a map. */
  readonly answers: Value;
  /** The outputs of blocks that are not executed, by their ids. */
  readonly results: ReadonlyMap<string, Values>;
  /** Why blocks fail that are not executed, by their ids. */
  readonly failures: ReadonlyMap<string, string>;
  readonly expect: Expectation;
}

/** Members that are absent are not compared. */
export interface Expectation {
  readonly status: CaseStatus;
  /** Members that the outputs of the run have. */
  readonly outputs: Values;
  /** All questions in the order in which they are asked, by the paths of their blocks. */
  readonly asked?: readonly string[];
  /** Blocks that end in this order. */
  readonly order: readonly string[];
  readonly skipped: readonly string[];
  /** The code of the error, or a part of its message. */
  readonly error?: string;
}

/** A file of cases. */
export interface CaseFile {
  readonly path: string;
  /** The file of the workflow that they try. */
  readonly workflow: string;
  readonly cases: readonly Case[];
  /** Returns the place of a part of the file, such as `cases[0].expect.status`, or of the part around it if there is none. */
  placeOf(path: string): ErrorPlace;
}

/** Returns the file of cases for a name: for a workflow, the one beside it. */
export function caseFileOf(path: string): string {
  if (isCaseFile(path)) return path;
  const beside = [".cases.yaml", ".cases.yml"].map((ending) => path.replace(/\.ya?ml$/, "") + ending);
  return beside.find((file) => existsSync(file)) ?? path;
}

/** Reads a file of cases. Throws `COMMAND_INVALID`, with the place of the first mistake. */
export function readCaseFile(path: string): CaseFile {
  const text = readTextFile(path);
  const { root, problems: unread } = readYaml(text);
  const position = createLineTable(text);
  const { value, problems } = toValue(root);
  const [problem] = [...unread, ...problems];
  if (problem) throw new WorkflowError("COMMAND_INVALID", problem.message, { place: { source: path, ...position(problem.offset) } });
  const placeOf = (part: string): ErrorPlace => ({ source: path, ...position(locate({ text, root }, part, { at: "key" })) });
  const part: Part = {
    value,
    path: "",
    refuse: (where, message) => new WorkflowError("COMMAND_INVALID", message, { place: placeOf(where) }),
  };

  if (isRecord(value) && Object.hasOwn(value, "blocks"))
    throw part.refuse(
      "blocks",
      `This is a workflow, and there are no cases beside it. Write them into ${path.replace(/\.ya?ml$/, "")}.cases.yaml.`,
    );
  const file = members(part, ["workflow", "cases"]);
  const cases = list(file.get("cases") ?? { ...part, value: null }, "cases").map(readCase);
  const named = file.has("workflow") ? join(dirname(path), textOf(file.get("workflow")!)) : undefined;
  return { path, workflow: named ?? workflowBeside(path, part), cases, placeOf };
}

/** A part of the file that is read. */
interface Part {
  readonly value: Value;
  readonly path: string;
  refuse(path: string, message: string): WorkflowError;
}

function workflowBeside(path: string, part: Part): string {
  if (isCaseFile(path)) return path.replace(/\.cases(?=\.ya?ml$)/, "");
  throw part.refuse("", `Name the file of cases like that of its workflow, as in claim.cases.yaml, or say "workflow: claim.yaml" in it.`);
}

function readCase(part: Part): Case {
  const found = members(part, ["name", "inputs", "answers", "results", "failures", "expect"]);
  if (!found.has("name")) throw part.refuse(part.path, `A case has a "name", which says what it shows.`);
  const answers = found.get("answers");
  if (answers && !Array.isArray(answers.value)) members(answers);
  return {
    name: textOf(found.get("name")!),
    inputs: valuesOf(found.get("inputs")),
    answers: answers?.value ?? [],
    results: new Map([...partsOf(found.get("results"))].map(([block, result]) => [block, valuesOf(result)])),
    failures: new Map([...partsOf(found.get("failures"))].map(([block, reason]) => [block, textOf(reason)])),
    expect: readExpectation(found.get("expect")),
  };
}

function readExpectation(part: Part | undefined): Expectation {
  const found = part ? members(part, ["status", "outputs", "asked", "order", "skipped", "error"]) : new Map<string, Part>();
  const status = found.get("status");
  const error = found.get("error");
  const asked = found.get("asked");
  return {
    status: status ? readStatus(status) : error ? "failed" : "completed",
    outputs: valuesOf(found.get("outputs")),
    order: textsOf(found.get("order")),
    skipped: textsOf(found.get("skipped")),
    ...(asked ? { asked: textsOf(asked) } : {}),
    ...(error ? { error: textOf(error) } : {}),
  };
}

function readStatus(part: Part): CaseStatus {
  const status = CASE_STATUSES.find((one) => one === part.value);
  if (status) return status;
  throw part.refuse(part.path, `A status is one of ${CASE_STATUSES.join(", ")}.`);
}

/** Returns the members of a map. Throws if there is a list of keys, and a key is not in it. */
function members(part: Part, known?: readonly string[]): ReadonlyMap<string, Part> {
  const { value, path, refuse } = part;
  if (!isRecord(value)) throw refuse(path, `Here stands a map${known ? ` with ${known.join(", ")}` : ""}.`);
  const found = Object.entries(value).map(
    ([key, member]) => [key, { ...part, value: member as Value, path: memberPath(path, key) }] as const,
  );
  for (const [key, { path: place }] of found) {
    if (known && !known.includes(key)) throw refuse(place, `There is no key "${key}" here.${adviseName(key, known).sentence}`);
  }
  return new Map(found);
}

function list(part: Part, what: string): readonly Part[] {
  if (!Array.isArray(part.value)) throw part.refuse(part.path, `Here stands a list: ${what}.`);
  return part.value.map((value: Value, index) => ({ ...part, value, path: `${part.path}[${index}]` }));
}

function textOf(part: Part): string {
  if (typeof part.value === "string") return part.value;
  throw part.refuse(part.path, "Here stands a text.");
}

function partsOf(part: Part | undefined): ReadonlyMap<string, Part> {
  return part ? members(part) : new Map();
}

function valuesOf(part: Part | undefined): Values {
  return Object.fromEntries([...partsOf(part)].map(([name, { value }]) => [name, value]));
}

function textsOf(part: Part | undefined): readonly string[] {
  return part ? list(part, "ids of blocks").map(textOf) : [];
}
