import { type ErrorCode, WorkflowError } from "../model/errors.ts";
import { type Advice, adviseName } from "../model/suggestions.ts";
import { isReference } from "./scope.ts";
import type { Reference } from "./syntax.ts";

/** What `${metadata.…}` knows of a run. */
export const RUN_METADATA: readonly string[] = [
  "workflow_name",
  "execution_id",
  "start_time",
  "started_at",
  "execution_time_seconds",
  "total_blocks",
  "execution_waves",
];

/** What `${blocks.id.metadata.…}` knows of every block. */
export const BLOCK_METADATA: readonly string[] = [
  "status",
  "outcome",
  "succeeded",
  "failed",
  "skipped",
  "paused",
  "wave",
  "execution_order",
  "iterations",
  "execution_time_ms",
  "started_at",
  "completed_at",
  "attempts",
];

/** What it knows beside that of a block with `for_each`. */
export const ITEM_METADATA: readonly string[] = ["count", "succeeded_count", "failed_count"];

/** What `${each.…}` knows of the item a block with `for_each` runs for. */
export const ITEM_FIELDS: readonly string[] = ["value", "key", "index", "count"];

/** What `${failure.…}` knows of a failure that a block follows. */
const FAILURE_FIELDS: readonly string[] = ["message", "code"];

/** The names a workflow declares. */
export interface Names {
  readonly inputs: NameSet;
  readonly blocks: NameSet;
  /** Default: none. */
  readonly channels?: NameSet;
  /** Whether there is an item to refer to: the text stands in the inputs of a block with `for_each`. Default: false. */
  readonly each?: boolean;
  /** The blocks whose failure the text's block follows, as their `on_failure` says. Default: none. */
  readonly failures?: readonly string[] | undefined;
}

/** A set of names, or a map whose keys they are. */
interface NameSet {
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/** What `${previous…}` has of the run that a run goes on from. */
const PREVIOUS_FIELDS: readonly string[] = ["outputs", "run"];

type Part = Reference["path"][number];

const NAMESPACES = ["inputs", "metadata", "blocks", "channels", "secrets", "previous"];
const NO_NAMES: NameSet = new Set<string>();
/** Names of secrets are written out, so that they are known before anything runs. */
const SECRET_NAME = /^[A-Za-z0-9_]{1,128}$/;
const BLOCK_PARTS: ReadonlySet<Part> = new Set<Part>(["inputs", "outputs", "metadata"]);
const BLOCK_STATUS: ReadonlySet<Part> = new Set<Part>(["status", "outcome"]);
/** What the block wrote; `${blocks.b.files.report}`. */
const BLOCK_FILES: Part = "files";
const OF_BLOCKS = [...BLOCK_METADATA, ...ITEM_METADATA];

/**
 * The reference by its canonical path, nested ones too: `inputs.x`, `metadata.x`, `each.value`, `channels.x`, `secrets.NAME`, `failure.message.b` with the
 * blocks that may have failed, `blocks.b.outputs.f`, `blocks.b.inputs.f`, `blocks.b.metadata.f`.
 * `${blocks.b.f}` means the outputs, except that `blocks.b.status` and `blocks.b.outcome` stay as they are; so do
 * the older spellings `${b.f}` and `${b.outputs.f}`, and `${x}` means the input. In a block with `for_each`, `each` is the item, even if
 * an input or block has that name. Throws `REFERENCE_UNKNOWN` for an input, a block or a field of metadata that does not exist,
 * `REFERENCE_AMBIGUOUS` for an older spelling that could mean an input and a block, `REFERENCE_FORBIDDEN` for a whole namespace,
 * `SECRET_MISPLACED` for a secret without its name.
 */
export function normalizeReference(reference: Reference, names: Names): Reference {
  const path = reference.path.map((part) => (isReference(part) ? normalizeReference(part, names) : part));
  return { path: canonicalPath(path, names, reference.column), column: reference.column };
}

function canonicalPath(path: readonly Part[], names: Names, column: number): readonly Part[] {
  const [root, second] = path as [string, ...Part[]];
  switch (root) {
    case "inputs":
      if (second === undefined) throw wholeNamespace("${inputs}", "${inputs.name}", column);
      if (!isReference(second) && !names.inputs.has(String(second))) throw unknownInput(String(second), names, column);
      return path;
    case "metadata":
      if (second === undefined) throw wholeNamespace("${metadata}", "${metadata.workflow_name}", column);
      requireField(second, RUN_METADATA, "metadata", column);
      return path;
    case "blocks":
      return blockPath(path, names, column);
    case "secrets":
      if (path.length === 2 && typeof second === "string" && SECRET_NAME.test(second)) return path;
      throw referenceError("SECRET_MISPLACED", "A secret is named by letters, digits and _, written out: ${secrets.NAME}.", column);
  }
  // In a workflow without channels the word is free for an input or a block.
  if (root === "channels" && (names.channels || !(names.inputs.has(root) || names.blocks.has(root))))
    return channelPath(path, names, column);
  if (root === "each" && names.each === true) {
    if (second === undefined) throw wholeNamespace("${each}", "${each.value}", column);
    requireField(second, ITEM_FIELDS, "each", column);
    return path;
  }
  if (root === "failure" && names.failures !== undefined) {
    if (second === undefined) throw wholeNamespace("${failure}", "${failure.message}", column);
    if (isReference(second)) throw referenceError("REFERENCE_UNKNOWN", "Write ${failure.message} or ${failure.code}.", column);
    requireField(second, FAILURE_FIELDS, "failure", column);
    if (path.length > 2) throw referenceError("REFERENCE_UNKNOWN", `\${failure.${second}} is a text without members.`, column);
    return [...path, ...names.failures];
  }
  const isInput = names.inputs.has(root);
  const isBlock = names.blocks.has(root);
  if (isInput && isBlock && second !== undefined) {
    throw referenceError(
      "REFERENCE_AMBIGUOUS",
      `"${root}" is an input and a block. Write \${inputs.${root}} or \${blocks.${root}.outputs.…}.`,
      column,
    );
  }
  if (isInput) return ["inputs", ...path];
  if (root === "previous" && !isBlock) {
    if (second === undefined) throw wholeNamespace("${previous}", "${previous.outputs.name}", column);
    if (isReference(second)) throw referenceError("REFERENCE_UNKNOWN", "Write ${previous.outputs.name} or ${previous.run}.", column);
    requireField(second, PREVIOUS_FIELDS, "previous", column);
    return path;
  }
  if (isBlock) return blockPath(["blocks", ...path], names, column);
  if (root === "each") {
    const message = 'There is no item here: ${each…} stands only in "inputs" and in paths of "outputs" of a block with for_each.';
    throw referenceError("REFERENCE_UNKNOWN", message, column);
  }
  if (root === "failure") {
    const message = "There is no failure here: ${failure…} stands only in a block that another one names in its on_failure.";
    throw referenceError("REFERENCE_UNKNOWN", message, column);
  }
  const advice = adviseName(root, [
    ...NAMESPACES,
    ...(names.each === true ? ["each"] : []),
    ...names.inputs.keys(),
    ...names.blocks.keys(),
  ]);
  throw referenceError(
    "REFERENCE_UNKNOWN",
    `"${root}" is no input and no block of this workflow.${advice.sentence} Declare it under inputs; a variable of a shell is written $\${${root}}.`,
    column,
    advice,
  );
}

function blockPath(path: readonly Part[], names: Names, column: number): readonly Part[] {
  const [, block, part, field] = path;
  if (block === undefined) throw wholeNamespace("${blocks}", "${blocks.id.outputs.name}", column);
  if (!isReference(block) && !names.blocks.has(String(block))) {
    const advice = adviseName(String(block), names.blocks.keys());
    throw referenceError("REFERENCE_UNKNOWN", `There is no block "${block}".${advice.sentence}`, column, advice);
  }
  const id = isReference(block) ? block : String(block);
  const shown = isReference(block) ? "id" : String(block);
  if (part === undefined) throw wholeNamespace(`\${blocks.${shown}}`, `\${blocks.${shown}.outputs}`, column);
  if (BLOCK_STATUS.has(part) && field === undefined) return ["blocks", id, part];
  if (part === BLOCK_FILES && field !== undefined) return ["blocks", id, ...path.slice(2)];
  if (!BLOCK_PARTS.has(part)) return ["blocks", id, "outputs", ...path.slice(2)];
  if (field === undefined && part !== "outputs")
    throw wholeNamespace(`\${blocks.${shown}.${part as string}}`, `\${blocks.${shown}.${part as string}.name}`, column);
  if (part === "metadata") requireField(field!, OF_BLOCKS, `blocks.${shown}.metadata`, column);
  return ["blocks", id, ...path.slice(2)];
}

function channelPath(path: readonly Part[], { channels = NO_NAMES }: Names, column: number): readonly Part[] {
  const [, name] = path;
  if (name === undefined) throw wholeNamespace("${channels}", "${channels.name}", column);
  if (isReference(name) || channels.has(String(name))) return path;
  const advice = adviseName(String(name), channels.keys());
  throw referenceError("CHANNEL_UNKNOWN", `There is no channel "${name}".${advice.sentence} Declare it under channels.`, column, advice);
}

function requireField(field: Part, known: readonly string[], where: string, column: number): void {
  if (isReference(field) || known.includes(String(field))) return;
  const advice = adviseName(String(field), known);
  throw referenceError("REFERENCE_UNKNOWN", `\${${where}} has no "${field}".${advice.sentence}`, column, advice);
}

function unknownInput(name: string, names: Names, column: number): WorkflowError {
  const advice = adviseName(name, names.inputs.keys());
  return referenceError("REFERENCE_UNKNOWN", `There is no input "${name}".${advice.sentence} Declare it under inputs.`, column, advice);
}

function wholeNamespace(written: string, better: string, column: number): WorkflowError {
  return referenceError("REFERENCE_FORBIDDEN", `${written} is not a value. Name one: ${better}.`, column);
}

function referenceError(code: ErrorCode, message: string, column: number, advice?: Advice): WorkflowError {
  return new WorkflowError(code, message, { place: { column }, details: { ...advice?.details } });
}
