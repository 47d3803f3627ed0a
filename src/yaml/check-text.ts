import {
  ADVICE,
  checkMeaning,
  checkShape,
  listProblems,
  MAX_PROBLEMS,
  type ProblemList,
  readReducers,
} from "../core/definition/definition.ts";
import { type ErrorPlace, type Problem, withPlace } from "../core/model/errors.ts";
import { rememberPlaces } from "../core/model/source-places.ts";
import type { Value } from "../core/model/value.ts";
import type { Workflow } from "../core/model/workflow.ts";
import type { BlockType } from "../core/ports/block.ts";
import type { Grants } from "../core/ports/grants.ts";
import type { ChannelReducer } from "../core/ports/reducer.ts";
import { FORMAT, toWorkflow, toWrittenPath } from "./format.ts";
import { type Position, createLineTable, locate } from "./locate.ts";
import { type TextProblem, type YamlText, readYaml } from "./read-yaml.ts";
import { toValue } from "./to-value.ts";

/** What a text is checked against. */
export interface LoadOptions {
  /** Name of the file or text, for messages. */
  readonly source?: string;
  /** The block types that will run the workflow. Default: types are looked at when an executor loads it. */
  readonly blocks?: readonly BlockType[];
  /** The reducers of channels that the host gives. Default: they are looked at when an executor loads the workflow. */
  readonly reducers?: { readonly [name: string]: ChannelReducer };
  /** What the host grants to blocks. Default: whether a block needs more is looked at when an executor loads the workflow. */
  readonly grants?: Grants;
}

/** What is wrong with a text, and the workflow it holds. */
export interface CheckedWorkflow {
  /** Everything that was found, by line and column. */
  readonly problems: readonly Problem[];
  /** Present where no problem is an error. */
  readonly workflow?: Workflow;
}

/** A text that was looked at, and to which what takes longer to find can be added. */
export interface TextCheck {
  /** What was read, wrong or not; nothing where it cannot be looked at any further. */
  readonly workflow?: Workflow;
  readonly problems: ProblemList;
  finish(): CheckedWorkflow;
}

/** Reads a workflow from YAML and reports what can be said of it at once. */
export function checkText(text: string, options: LoadOptions = {}): CheckedWorkflow {
  return beginCheck(text, options).finish();
}

/** Looks at a text. What is added to the problems comes by its path, like those that were found. */
export function beginCheck(text: string, options: LoadOptions): TextCheck {
  const read = readText(text, options);
  const { value, problems } = toValue(read.yaml.root);
  const inText = [...read.yaml.problems, ...problems].slice(0, MAX_PROBLEMS).map((problem) => toProblem(problem, read));
  const found = listProblems({ errors: inText.length });
  if (read.yaml.root === null && inText.length > 0) return { problems: found, finish: () => ({ problems: inText }) };

  const shaped = checkShape(FORMAT, value, found);
  if (found.isFull) return { problems: found, finish: () => ({ problems: inOrder(inText, found, read) }) };
  const workflow = toWorkflow(shaped.value as Value);
  const problemsAt = found.placed((path) => shaped.place(toWrittenPath(path)));
  const { blocks, grants, reducers } = options;
  const blockTypes = blocks && new Map(blocks.map((block) => [block.type, block]));
  checkMeaning(workflow, problemsAt, {
    advice: ADVICE,
    ...(blockTypes && { blockTypes }),
    ...(grants && { grants }),
    ...(reducers && { reducers: readReducers(reducers) }),
  });
  return {
    workflow,
    problems: problemsAt,
    finish() {
      const all = inOrder(inText, found, read);
      if (all.some(({ severity }) => severity === "error")) return { problems: all };
      rememberPlaces(workflow, createLocator(text, options));
      return { problems: all, workflow };
    },
  };
}

/** A text that has been read, and what it takes to say where something stands in it. */
interface ReadText {
  readonly text: string;
  readonly yaml: YamlText;
  readonly position: Position;
  readonly source: { readonly source?: string };
}

function readText(text: string, { source }: LoadOptions): ReadText {
  // Without a byte order mark, and with one end of line for all systems: neither values nor lines and columns change by it.
  const bare = (text.startsWith("\ufeff") ? text.slice(1) : text).replaceAll("\r\n", "\n");
  return { text: bare, yaml: readYaml(bare), position: createLineTable(bare), source: source === undefined ? {} : { source } };
}

/** Finds paths in the text by reading it once more: that costs nothing until something goes wrong. */
function createLocator(text: string, options: LoadOptions): (path: string) => ErrorPlace {
  let read: ReadText | undefined;
  return (path) => {
    read ??= readText(text, options);
    const written = toWrittenPath(path);
    return { path: written, ...read.position(locate({ text: read.text, root: read.yaml.root }, written, { at: "value" })), ...read.source };
  };
}

/** All problems by their place. Where the text itself is wrong, what follows from it is not said again. */
function inOrder(
  inText: readonly Problem[],
  { problems, ofKeys }: ProblemList,
  { text, yaml, position, source }: ReadText,
): readonly Problem[] {
  const said = new Set(inText.map(({ line, column }) => `${line}:${column}`));
  const placed = problems.map((problem): Problem => {
    const { path = "", column } = problem;
    const offset = locate({ text, root: yaml.root }, path, { at: ofKeys.has(problem) ? "key" : "value", column });
    return { ...problem, ...position(offset), ...source };
  });
  const further = placed.filter(({ line, column }) => !said.has(`${line}:${column}`));
  return [...inText, ...further].toSorted((a, b) => a.line! - b.line! || a.column! - b.column!);
}

function toProblem({ code, message, offset, path }: TextProblem, { position, source }: ReadText): Problem {
  const place = position(offset);
  const said = code === "YAML_SYNTAX" || code === "YAML_REFUSED" ? withPlace(message, place) : message;
  return { severity: "error", code, message: said, ...(path === undefined ? {} : { path }), ...place, ...source };
}
